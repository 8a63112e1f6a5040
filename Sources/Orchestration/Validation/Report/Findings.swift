// SPDX-License-Identifier: Apache-2.0

/// The findings so far, by rule.
struct Findings {
  private var breaches: [RuleName: Breaches] = [:]
  private var notes: [RuleName: String] = [:]
  private var skipped: [RuleName: String] = [:]

  /// Counts a breach of a rule.
  mutating func add(_ rule: RuleName, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(example())
  }

  /// Counts several breaches of a rule that share one example.
  mutating func add(_ rule: RuleName, count: Int, _ example: @autoclosure () -> String) {
    breaches[rule, default: Breaches()].add(count: count, example())
  }

  /// Adds findings that were made after these.
  mutating func append(_ later: Findings) {
    breaches.merge(later.breaches) { $0.followed(by: $1) }
    notes.merge(later.notes) { $1 }
    skipped.merge(later.skipped) { $1 }
  }

  /// Records an observation, reported if the rule holds.
  mutating func note(_ rule: RuleName, _ text: String) { notes[rule] = text }

  /// Leaves rules unchecked, with the reason.
  mutating func skip(_ rules: RuleName..., because reason: String) {
    for rule in rules { skipped[rule] = reason }
  }

  /// Whether no breach of a rule has been found.
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
      // If a gate is broken, the rules after it were not checked.
      let firstBroken = RuleName.gate.firstIndex { !holds($0) } ?? .max
      let isPassedGate = RuleName.gate.firstIndex(of: name).map { $0 < firstBroken } ?? false
      if let reason = isReadable || isPassedGate ? skipped[name] : "" {
        return .init(
          rule: name.rawValue, status: "skipped", count: 0, details: reason.isEmpty ? [] : [reason])
      }
      return .init(
        rule: name.rawValue, status: "pass", count: 0, details: notes[name].map { [$0] } ?? [])
    }
  }
}

/// The number of breaches of a rule, with the first examples.
struct Breaches: Sendable {
  /// The number of examples that are kept.
  static let exampleLimit = 3

  private(set) var count = 0
  private(set) var examples: [String] = []

  /// Counts one breach; the example is only evaluated if it is kept.
  mutating func add(_ example: @autoclosure () -> String) { add(count: 1, example()) }

  /// Counts several breaches that share one example.
  mutating func add(count further: Int, _ example: @autoclosure () -> String) {
    count += further
    if examples.count < Self.exampleLimit { examples.append(example()) }
  }

  /// These breaches and later ones of the same rule.
  func followed(by later: Breaches) -> Breaches {
    var all = self
    all.count += later.count
    all.examples += later.examples.prefix(Self.exampleLimit - examples.count)
    return all
  }
}
