// SPDX-License-Identifier: Apache-2.0
import CairnElevationProfiles

/// How elevations are sampled along ways and cleaned.
package struct ElevationCleaning: Equatable, Sendable {
  /// The defaults.
  package static let standard = ElevationCleaning(
    smoothingMetres: ElevationSmoothing.standard.smoothingMetres,
    thresholdMetres: ElevationSmoothing.standard.thresholdMetres, stepMetres: 30)
  /// The allowed range of the smoothing distance and the threshold, in metres.
  package static let range = 0.0...1000.0
  /// The allowed range of the step, in metres.
  package static let stepRange = 1.0...10_000.0

  /// The distance along the way over which elevations are smoothed, in metres; 0 for no smoothing.
  package var smoothingMetres: Double
  /// The smallest climb or descent that is kept, in metres; 0 to keep all.
  package var thresholdMetres: Double
  /// The maximum distance between two points at which the terrain is looked up, in metres.
  package var stepMetres: Double

  /// Makes parameters, which must be within ``range`` and ``stepRange``.
  package init(smoothingMetres: Double, thresholdMetres: Double, stepMetres: Double) {
    self.smoothingMetres = smoothingMetres
    self.thresholdMetres = thresholdMetres
    self.stepMetres = stepMetres
  }
}
