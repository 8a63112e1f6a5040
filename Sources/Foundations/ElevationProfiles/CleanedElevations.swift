// SPDX-License-Identifier: Apache-2.0

/// The elevations along one line after ``ElevationProfileFilter``, and their climb.
package struct CleanedElevations: Sendable {
  /// Metres above sea level at each point; NaN if it stays unknown.
  package let elevations: [Double]
  /// Whether any elevation is known.
  package var isKnown: Bool { elevations.contains { !$0.isNaN } }

  /// Cleans the elevations of a line.
  ///
  /// - Parameters:
  ///   - metres: The distance of each point from the start, finite and not descending.
  ///   - elevations: The elevation of each point; unknown if not finite.
  package init(metres: [Double], elevations: [Double], _ smoothing: ElevationSmoothing) {
    var filter = ElevationProfileFilter()
    let count = min(metres.count, elevations.count)
    filter.buffers.reserve(count)
    filter.count = count
    let buffers = filter.buffers
    for index in 0..<count {
      buffers.metres[index] = metres[index]
      buffers.elevations[index] = elevations[index].isFinite ? elevations[index] : .nan
      buffers.steepness[index] = 0
    }
    filter.fillGaps(limitMetres: smoothing.longestGapMetres)
    for stretch in filter.knownStretches() {
      filter.smooth(stretch, metres: smoothing.smoothingMetres)
      filter.removeRipples(stretch, threshold: smoothing.thresholdMetres)
    }
    self.elevations = filter.elevations
  }

  /// Metres climbed and metres descended: plain sums over the points, so that ascent − descent is
  /// the difference between the ends. Both are 0 if nothing is known.
  package var climb: (ascent: Double, descent: Double) {
    var (ascent, descent) = (0.0, 0.0)
    for (first, second) in zip(elevations, elevations.dropFirst()) {
      let rise = second - first
      // Comparisons with NaN are false.
      if rise > 0 { ascent += rise } else if rise < 0 { descent -= rise }
    }
    return (ascent, descent)
  }
}
