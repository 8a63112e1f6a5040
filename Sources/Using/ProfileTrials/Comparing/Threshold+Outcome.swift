// SPDX-License-Identifier: Apache-2.0
import Formatting

extension TuningSuite.Threshold {
  /// What a candidate reached.
  func outcome(_ total: ComparisonSummary) -> ThresholdOutcome {
    let value = measure.value(total)
    return ThresholdOutcome(
      measure: measure, atLeast: range.lowerBound, atMost: range.upperBound, value: value,
      line: place?.line, isKept: value.map(range.contains) ?? false)
  }
}

extension ThresholdMeasure {
  /// What a summary says about it; nil where nothing could be measured.
  func value(_ total: ComparisonSummary) -> Double? {
    switch self {
    case .changedPercent:
      total.routedByBoth > 0 ? Double(total.changed) / Double(total.routedByBoth) * 100 : nil
    case .overlapPercent: total.overlap.map { $0 * 100 }
    case .lostRoutes: Double(total.onlyBase)
    case .distanceMedianPercent: total.differences?.distancePercent.median
    case .ascentMedianPercent: total.differences?.ascentPercent?.median
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
  /// What was reached and what is allowed: `routes changed: 51.7 %, at most 30 % allowed`.
  package var text: String {
    guard let value else { return "\(measure.phrase): could not be measured" }
    return "\(measure.phrase): \(text(value)), \(limit)"
  }

  /// What is allowed.
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
