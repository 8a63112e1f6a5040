// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import TuningSuites

extension TuningSuite.Threshold {
  /// The values reached by a candidate: over all datasets, or in each dataset of the threshold.
  func outcomes(_ total: ComparisonSummary, _ datasets: [ComparisonSummary]) -> [ThresholdOutcome] {
    guard let indices = self.datasets else { return [outcome(total)] }
    return indices.compactMap { datasets.indices.contains($0) ? outcome(datasets[$0]) : nil }
  }

  private func outcome(_ summary: ComparisonSummary) -> ThresholdOutcome {
    let value = measure.value(summary)
    return ThresholdOutcome(
      measure: measure, dataset: summary.dataset, atLeast: range.lowerBound,
      atMost: range.upperBound, value: value, line: location?.line,
      isKept: value.map(range.contains) ?? false)
  }
}

extension ThresholdMeasure {
  /// The value in a summary; nil if nothing could be measured.
  func value(_ total: ComparisonSummary) -> Double? {
    switch self {
    case .changedPercent:
      total.routedByBoth > 0 ? Double(total.changed) / Double(total.routedByBoth) * 100 : nil
    case .overlapPercent: total.overlap.map { $0 * 100 }
    case .lostRoutes: Double(total.onlyBase)
    case .distanceMedianPercent: total.differences?.distancePercent.median
    case .ascentMedianPercent: total.differences?.ascentPercent?.median
    case .descentMedianPercent: total.differences?.descentPercent?.median
    case .steepDescentPercent: total.makeup.candidate.steepDescentShare.map { $0 * 100 }
    case .timeMedianPercent: total.differences?.timePercent.median
    case .brokenExpectations: Double(total.expectations.candidate.broken)
    case .newlyBrokenExpectations: Double(total.newlyBroken)
    case .timeBiasPercent: total.timeErrors?.candidate.biasPercent
    case .timeErrorMinutes: total.timeErrors.map { $0.candidate.meanAbsoluteSeconds / 60 }
    case .trackAgreementPercent: total.trackAgreement.map { $0.candidate * 100 }
    }
  }
}

extension ThresholdOutcome {
  /// The value reached and the limit: `routes changed in andorra: 51.7 %, at most 30 %`.
  package var text: String {
    let name = measure.phrase + (dataset.map { " in \(printable($0))" } ?? "")
    guard let value else { return "\(name): could not be measured" }
    return "\(name): \(text(value)), \(limit)"
  }

  /// The limit.
  package var limit: String {
    let least = atLeast ?? 0
    switch measure.limit {
    case .atMost where least == 0: return "at most \(text(atMost ?? 0))"
    case .atLeast where atMost == 100: return "at least \(text(least))"
    default: return "\(text(least)) to \(text(atMost ?? 0))"
    }
  }

  private func text(_ value: Double) -> String {
    if measure.isCount { return grouped(Int(value)) }
    if measure == .timeErrorMinutes { return shortDecimal(value, 1) + " min" }
    return measure.limit == .range ? signedPercent(value / 100) : percent(value / 100)
  }
}
