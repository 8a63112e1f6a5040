// SPDX-License-Identifier: Apache-2.0
import TuningSuites

/// Sums up measurements, of one dataset or of all.
struct SummaryBuilder {
  var dataset: String?
  var pairs: [PairMeasure]
  var makeup: Sides<RouteMakeup>
  /// The checks of each expectation that each profile breaks.
  var expectations: [[[String]]]
  var times: [TimeMeasure]
  var tracks: [TrackMeasure]
  var suite: TuningSuite

  /// The summary for a candidate, by its index from 0.
  func summary(_ candidate: Int) -> ComparisonSummary {
    var summary = ComparisonSummary()
    summary.dataset = dataset
    summary.pairs = pairs.count
    var (shared, length) = (0.0, 0.0)
    for pair in pairs {
      switch (pair.totals[0], pair.totals[candidate + 1]) {
      case (let base?, .some):
        summary.routedByBoth += 1
        if pair.differences[candidate]?.isChanged ?? false { summary.changed += 1 }
        shared += pair.differences[candidate]?.sharedMetres ?? 0
        length += base.distance
      case (.some, nil): summary.onlyBase += 1
      case (nil, .some): summary.onlyCandidate += 1
      case (nil, nil): summary.neither += 1
      }
    }
    summary.movedEnds = pairs.count { $0.hasMovedEnd(candidate) }
    // Exactly 1 without a change, regardless of rounding.
    summary.overlap =
      summary.routedByBoth == 0
      ? nil : summary.changed == 0 ? 1 : length > 0 ? share(min(1, shared / length)) : nil
    summary.differences = differences(candidate)
    summary.makeup = makeup
    addExpectations(&summary, candidate)
    summary.timeErrors = timeErrors(candidate)
    summary.trackAgreement = trackAgreement(candidate)
    return summary
  }

  private func differences(_ candidate: Int) -> ComparisonSummary.Differences? {
    let both = pairs.compactMap { pair -> Sides<PairMeasure.Totals>? in
      guard let base = pair.totals[0], let other = pair.totals[candidate + 1] else { return nil }
      return Sides(base: base, candidate: other)
    }
    func spread(_ value: (PairMeasure.Totals) -> Double?) -> (metres: Spread?, percent: Spread?) {
      var (absolute, percent) = ([Double](), [Double]())
      for sides in both {
        guard let base = value(sides.base), let other = value(sides.candidate) else { continue }
        absolute.append(other - base)
        if base > 0 { percent.append((other - base) / base * 100) }
      }
      return (Spread(absolute), Spread(percent))
    }
    let (distance, time) = (spread { $0.distance }, spread { $0.seconds })
    let (ascent, descent) = (spread { $0.ascent }, spread { $0.descent })
    let steep = spread { $0.steepness.steepDescentMetres }
    guard let metres = distance.metres, let seconds = time.metres, let none = Spread([0]) else {
      return nil
    }
    return .init(
      distanceMetres: metres.rounded, distancePercent: (distance.percent ?? none).rounded,
      ascentMetres: ascent.metres?.rounded, ascentPercent: ascent.percent?.rounded,
      descentMetres: descent.metres?.rounded, descentPercent: descent.percent?.rounded,
      steepDescentMetres: steep.metres?.rounded, timeSeconds: seconds.rounded,
      timePercent: (time.percent ?? none).rounded)
  }

  private func addExpectations(_ summary: inout ComparisonSummary, _ candidate: Int) {
    for broken in expectations {
      let (base, other) = (broken[0].isEmpty, broken[candidate + 1].isEmpty)
      if base { summary.expectations.base.kept += 1 } else { summary.expectations.base.broken += 1 }
      if other {
        summary.expectations.candidate.kept += 1
      } else {
        summary.expectations.candidate.broken += 1
        if base { summary.newlyBroken += 1 }
      }
    }
  }

  /// Errors of the times for which both profiles have an estimate.
  private func timeErrors(_ candidate: Int) -> Sides<TimeErrors>? {
    var walks = Sides<[TimeErrors.Walk]>(base: [], candidate: [])
    for time in times {
      guard let base = time.estimates[0], let other = time.estimates[candidate + 1] else {
        continue
      }
      var walk = TimeErrors.Walk(
        reference: suite.referenceTimes[time.index].seconds, estimate: base)
      if let distance = time.distance, let up = time.ascent, let down = time.descent, distance > 0 {
        walk.slopePercent = (up + down) / distance * 100
      }
      walks.base.append(walk)
      walk.estimate = other
      walks.candidate.append(walk)
    }
    guard let base = TimeErrors(walks.base), let other = TimeErrors(walks.candidate) else {
      return nil
    }
    return Sides(base: base, candidate: other)
  }

  private func trackAgreement(_ candidate: Int) -> Sides<Double>? {
    let compared = tracks.reduce(0) { $0 + $1.comparedMetres }
    guard compared > 0 else { return nil }
    func agreement(_ profile: Int) -> Double {
      share(min(1, tracks.reduce(0) { $0 + $1.followedMetres[profile] } / compared))
    }
    return Sides(base: agreement(0), candidate: agreement(candidate + 1))
  }
}

extension Spread {
  /// To three decimals.
  fileprivate var rounded: Spread {
    var copy = self
    func thousandths(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    copy.percentile5 = thousandths(percentile5)
    copy.median = thousandths(median)
    copy.percentile95 = thousandths(percentile95)
    return copy
  }
}
