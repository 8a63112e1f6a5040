// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML

extension SuiteReader {
  mutating func readThresholds(_ reader: MappingReader?) {
    for measure in ThresholdMeasure.allCases {
      guard let value = reader?.value(measure.rawValue) else { continue }
      for entry in entries(value) {
        guard let threshold = threshold(measure, entry) else { continue }
        suite.thresholds.append(threshold)
      }
    }
    reader?.finish()
    addUsualThreshold()
    suite.thresholds.sort { ($0.line, $0.measure.rawValue) < ($1.line, $1.measure.rawValue) }
  }

  /// By default, no expectation kept by the base may break.
  private mutating func addUsualThreshold() {
    let measure = ThresholdMeasure.newlyBrokenExpectations
    let said = suite.thresholds.filter { $0.measure == measure }
    guard !suite.expectations.isEmpty, !said.contains(where: { $0.datasets == nil }) else { return }
    guard !said.isEmpty else {
      return suite.thresholds.append(.init(measure: measure, range: 0...0))
    }
    let known = Set(said.flatMap { $0.datasets ?? [] })
    let rest = Set(suite.expectations.map(\.trip.dataset)).subtracting(known).sorted()
    if !rest.isEmpty {
      suite.thresholds.append(.init(measure: measure, range: 0...0, datasets: rest))
    }
  }

  /// A limit, or a list of limits with datasets, which `[LOW, HIGH]` is not.
  private func entries(_ value: YAMLValue) -> [YAMLValue] {
    guard case .sequence(let nodes) = value.node.content,
      nodes.contains(where: { if case .mapping = $0.content { true } else { false } })
    else { return [value] }
    return value.list() ?? []
  }

  private func threshold(_ measure: ThresholdMeasure, _ value: YAMLValue) -> TuningSuite.Threshold?
  {
    let limit = SuiteForm.limit(of: measure)
    let form = MappingForm.Value.mapping(SuiteForm.ofDatasets(limit))
    guard case .mapping = value.node.content, let reader = value.checked(by: form).mapping() else {
      guard let range = range(of: measure, value.checked(by: limit)) else { return nil }
      if let missing = missing(for: measure, in: nil) {
        value.refuse("cannot be measured: the suite has no \(missing)")
      }
      return .init(measure: measure, range: range, location: location(value.node))
    }
    let range = reader.value("limit").flatMap { self.range(of: measure, $0) }
    let names = reader.value("datasets")
    let each = reader.value("each-dataset")
    let wantsEach = each?.boolean() ?? false
    reader.finish()
    if let each, names != nil { each.refuse("and “datasets” cannot be combined") }
    var datasets: [Int]?
    if let names {
      datasets = indices(named: names, measure)
    } else if wantsEach {
      datasets = suite.datasets.indices.filter { missing(for: measure, in: $0) == nil }
      if datasets?.isEmpty ?? true, let missing = missing(for: measure, in: 0) {
        value.refuse("cannot be measured: no dataset has \(missing)")
      }
    } else if let missing = missing(for: measure, in: nil) {
      value.refuse("cannot be measured: the suite has no \(missing)")
    }
    guard let range else { return nil }
    return .init(measure: measure, range: range, datasets: datasets, location: location(value.node))
  }

  /// The datasets named by a threshold, each of which must have what it measures.
  private func indices(named names: YAMLValue, _ measure: ThresholdMeasure) -> [Int] {
    let values = several(names)
    if values.isEmpty { names.refuse("is empty") }
    var indices: [Int] = []
    for value in values {
      guard let index = dataset(value) else { continue }
      if indices.contains(index) { value.refuse("names \(suite.datasets[index].id) twice") }
      if let missing = missing(for: measure, in: index) {
        value.refuse("cannot be measured: \(suite.datasets[index].id) has no \(missing)")
      }
      indices.append(index)
    }
    return indices.sorted()
  }

  /// The missing requirement of a threshold in the suite, or in one of its datasets.
  private func missing(for measure: ThresholdMeasure, in dataset: Int?) -> String? {
    func isMissing(_ datasets: [Int?]) -> Bool {
      dataset.map { !datasets.contains($0) } ?? datasets.isEmpty
    }
    switch measure {
    case .changedPercent, .overlapPercent, .lostRoutes, .distanceMedianPercent,
      .ascentMedianPercent, .descentMedianPercent, .steepDescentPercent, .timeMedianPercent:
      return isMissing(suite.pairs.flatMap(\.datasets)) ? "pairs" : nil
    case .brokenExpectations, .newlyBrokenExpectations:
      return isMissing(suite.expectations.map(\.trip.dataset)) ? "expectations" : nil
    case .timeBiasPercent, .timeErrorMinutes:
      return isMissing(suite.referenceTimes.map(\.dataset)) ? "reference-times" : nil
    case .trackAgreementPercent:
      return isMissing(suite.referenceTracks.map(\.dataset)) ? "reference-tracks" : nil
    }
  }

  private func range(of measure: ThresholdMeasure, _ value: YAMLValue) -> ClosedRange<Double>? {
    func number(_ value: YAMLValue) -> Double? {
      measure.isCount ? value.integer().map(Double.init) : value.number()
    }
    if case .sequence = value.node.content { return range(value, number) }
    switch measure.limit {
    case .atMost: return number(value).map { 0...$0 }
    case .atLeast: return value.number().map { $0...100 }
    case .range:
      value.refuse("must be a range: [LOW, HIGH]")
      return nil
    }
  }
}

extension TuningSuite.PairGroup {
  /// The dataset of each given or drawn pair.
  fileprivate var datasets: [Int] {
    switch self {
    case .given(let trips): trips.map(\.dataset)
    case .drawn(let wanted): [wanted.dataset]
    }
  }
}

extension TuningSuite.Threshold {
  /// Its line; after all others without one.
  package var line: Int { location?.line ?? .max }
}
