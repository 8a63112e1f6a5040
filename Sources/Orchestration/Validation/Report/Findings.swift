// SPDX-License-Identifier: Apache-2.0

/// What was found so far, rule by rule.
struct Findings {
  private var breaches: [RuleName: Breaches] = [:]
  private var notes: [RuleName: String] = [:]
  private var skipped: [RuleName: String] = [:]

  /// Counts a breach of a rule.
  mutating func add(_ rule: RuleName, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(example())
  }

  /// Counts several breaches of a rule that one example stands for.
  mutating func add(_ rule: RuleName, count: Int, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(count: count, example())
  }

  /// Says what was seen although the rule holds.
  mutating func note(_ rule: RuleName, _ text: String) { notes[rule] = text }

  /// Leaves a rule unchecked, and says why.
  mutating func skip(_ rules: RuleName..., because reason: String) {
    for rule in rules { skipped[rule] = reason }
  }

  /// Whether a rule holds as far as is known.
  func holds(_ rule: RuleName) -> Bool { breaches[rule] == nil }

  /// The outcome of each rule; with `isStrict`, warnings count as errors.
  func checks(isStrict: Bool) -> [ValidationReport.Check] {
    let isReadable = RuleName.gate.allSatisfy(holds)
    return RuleName.allCases.map { name in
      let severity = name.rule.severity
      if let found = breaches[name] {
        let status = isStrict && severity == .warning ? .error : severity
        return .init(
          rule: name.rawValue, status: status.rawValue, count: found.count,
          details: found.examples)
      }
      // After a broken gate what was not found was not looked for.
      let firstBroken = RuleName.gate.firstIndex { !holds($0) } ?? .max
      let isPassedGate = RuleName.gate.firstIndex(of: name).map { $0 < firstBroken } ?? false
      if let reason = isReadable ? skipped[name] : isPassedGate ? nil : "" {
        return .init(
          rule: name.rawValue, status: "skipped", count: 0, details: reason.isEmpty ? [] : [reason])
      }
      return .init(
        rule: name.rawValue, status: "pass", count: 0, details: notes[name].map { [$0] } ?? [])
    }
  }
}
