// SPDX-License-Identifier: Apache-2.0
import CairnRouting

extension PlannedRoute {
  /// Whether gain and loss are known; otherwise they are 0.
  package var isClimbKnown: Bool {
    guard let unknownClimbMetres else {
      // In files of earlier versions.
      return elevationProfile != nil || elevationGain > 0 || elevationLoss > 0
    }
    return unknownClimbMetres < totalDistance || elevationProfile != nil
  }
  /// Metres climbed; nil if unknown.
  package var knownGain: Double? { isClimbKnown ? elevationGain : nil }
  /// Metres descended; nil if unknown.
  package var knownLoss: Double? { isClimbKnown ? elevationLoss : nil }

  /// The elevation profile, with points of unknown elevation in its gaps.
  package var profileWithGaps: [ElevationProfile.Point] {
    var points: [ElevationProfile.Point] = []
    for point in elevationProfile ?? [] {
      if let last = points.last,
        point.distance - last.distanceMetres > ElevationProfile.spacingMetres + 0.01
      {
        points.append(
          .init(distanceMetres: (last.distanceMetres + point.distance) / 2, elevationMetres: nil))
      }
      points.append(.init(distanceMetres: point.distance, elevationMetres: point.elevation))
    }
    return points
  }
}
