// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Estimates σ of a track's fixes from their distances to the nearest edges. With normal errors,
/// half of the fixes lie within 0.674 σ of the hiker's way.
enum DeviationEstimate {
  /// The number of fixes that are looked at.
  private static let sampleSize = 2000
  /// Fixes further from every edge count as off the network.
  static let farMetres = 100.0
  /// The median of the distance from a line, in σ.
  private static let medianInDeviations = 0.6745
  /// The bounds of an estimate: other ways that are nearer, and true distances from ways, mislead.
  private static let bounds = 4.0...30.0
  /// The least number of fixes that an estimate is made from.
  private static let fewestFixes = 10

  /// σ in metres; nil if too few fixes are near an edge.
  static func deviation(_ fixes: [MatchingFix], _ search: CandidateSearch) -> Double? {
    let valid = ObservationList.validIndices(fixes)
    let step = max(1, valid.count / sampleSize)
    var distances = stride(from: 0, to: valid.count, by: step).compactMap {
      search.nearestMetres(to: fixes[valid[$0]].coordinate, radiusMetres: farMetres)
    }
    guard distances.count >= fewestFixes else { return nil }
    distances.sort()
    let estimate = distances[distances.count / 2] / medianInDeviations
    return min(max(estimate, bounds.lowerBound), bounds.upperBound)
  }
}
