// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import StrictYAML

extension SuiteReader {
  mutating func readExpectations(_ values: [YAMLValue]) {
    for value in values {
      guard let reader = value.mapping() else { continue }
      let trip = trip(reader)
      let before = problems.isEmpty
      let checks = checks(reader)
      reader.finish()
      if checks.isEmpty, before, problems.isEmpty {
        problems.add(
          "\(reader.name) expects nothing", at: reader.node,
          hint: "give it one of \(SuiteForm.checks.keys.map(\.name).joined(separator: ", "))")
      }
      guard let trip, !checks.isEmpty else { continue }
      suite.expectations.append(.init(trip: trip, checks: checks))
    }
  }

  private func checks(_ reader: MappingReader) -> [TuningSuite.Expectation.Check] {
    var checks: [TuningSuite.Expectation.Check] = []
    for value in reader.value("uses-way").map(several) ?? [] {
      if let way = value.integer() { checks.append(.usesWay(Int64(way))) }
    }
    for value in reader.value("avoids-way").map(several) ?? [] {
      if let way = value.integer() { checks.append(.avoidsWay(Int64(way))) }
    }
    for value in reader.value("avoids").map(several) ?? [] {
      if let word = value.text(), let kind = wayClass(word, value.node) {
        checks.append(.avoids(kind))
      }
    }
    for (kind, share) in shares(reader, "at-most") { checks.append(.atMost(kind, share)) }
    for (kind, share) in shares(reader, "at-least") { checks.append(.atLeast(kind, share)) }
    if let value = reader.value("time"), let range = range(value, seconds) {
      checks.append(.time(range))
    }
    let percent = reader.value("within-percent")
    if let range = length(reader, "distance-km", percent) {
      checks.append(.distance(range.lowerBound * 1000...range.upperBound * 1000))
    }
    if let range = length(reader, "gain-m", percent) {
      checks.append(.gain(range))
    }
    if let range = length(reader, "loss-m", percent) { checks.append(.loss(range)) }
    if let percent, !["distance-km", "gain-m", "loss-m"].map(reader.has).contains(true) {
      percent.refuse("belongs to “distance-km”, “gain-m” or “loss-m”")
    }
    checks += slopes(reader)
    if let value = reader.value("no-route"), value.boolean() == true { checks.append(.noRoute) }
    if checks.contains(.noRoute), checks.count > 1 {
      problems.add("a route that must not exist has no other properties", at: reader.node)
    }
    return checks
  }

  /// The expectations about slopes.
  private func slopes(_ reader: MappingReader) -> [TuningSuite.Expectation.Check] {
    var checks: [TuningSuite.Expectation.Check] = []
    for value in reader.value("steeper").map(several) ?? [] {
      guard let reader = value.checked(by: .mapping(SuiteForm.steeper)).mapping() else { continue }
      let slope = slopes(in: reader, isOne: true).first
      let metres = reader.value("at-most-m")?.number()
      reader.finish()
      guard let slope, let metres else { continue }
      checks.append(.steeper(slope.direction, percent: slope.percent, atMostMetres: metres))
    }
    if let reader = reader.value("steepest-100-m")?.mapping() {
      checks += slopes(in: reader, isOne: false).map { .steepest($0, atMostPercent: $1) }
      reader.finish()
    }
    return checks
  }

  /// Slopes uphill and downhill: exactly one, or at least one.
  private func slopes(in reader: MappingReader, isOne: Bool) -> [(
    direction: RouteSteepness.Direction, percent: Double
  )] {
    let directions = RouteSteepness.Direction.allCases
    let keys = directions.map(SuiteForm.slopeKey)
    if isOne || !keys.map(reader.has).contains(true) {
      guard one(of: keys, in: reader) != nil else { return [] }
    }
    return zip(directions, keys).compactMap { direction, key in
      reader.value(key)?.number().map { (direction, $0) }
    }
  }

  private func shares(_ reader: MappingReader, _ key: String) -> [(WayClass, Double)] {
    guard let table = reader.value(key)?.mapping() else { return [] }
    return table.all().compactMap { key, value in
      guard let kind = wayClass(key), let share = share(value) else { return nil }
      return (kind, share)
    }
  }

  private func wayClass(_ key: YAMLKey) -> WayClass? {
    if let kind = WayClass(key.text) { return kind }
    problems.add(unknown(key.text), at: key, hint: hint(key.text))
    return nil
  }

  private func wayClass(_ word: String, _ node: YAMLNode) -> WayClass? {
    if let kind = WayClass(word) { return kind }
    problems.add(unknown(word), at: node, hint: hint(word))
    return nil
  }

  private func unknown(_ word: String) -> String { "no kind of way is called “\(word.prefix(40))”" }

  private func hint(_ word: String) -> String {
    nearestWord(to: word, among: WayClass.words).map { "did you mean “\($0)”?" }
      ?? "a value of highway or surface, a grade such as T4, paved, unpaved or waymarked"
  }

  /// A range, or a number and its tolerance.
  private func length(
    _ reader: MappingReader, _ key: String, _ percent: YAMLValue?
  ) -> ClosedRange<Double>? {
    guard let value = reader.value(key) else { return nil }
    if case .sequence = value.node.content { return range(value) { $0.number() } }
    guard let number = value.number() else { return nil }
    guard let percent else {
      value.refuse("needs “within-percent”, or a range: [LOW, HIGH]")
      return nil
    }
    guard let tolerance = percent.number() else { return nil }
    return number * (1 - tolerance / 100)...number * (1 + tolerance / 100)
  }
}
