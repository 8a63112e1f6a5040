// SPDX-License-Identifier: Apache-2.0

/// Cleans the elevation profile of one line. The result does not depend on the direction of the line,
/// apart from rounding.
struct ElevationProfileFilter {
  /// Across the line, terrain that rises by no more than this share of its run leaves the threshold
  /// as it is.
  private static let gentleCrossSlope = 1.0 / 6
  /// The largest factor by which the threshold grows on steeper terrain.
  private static let largestFactor = 4.0

  /// The points of the line; whoever fills them in sets ``count``.
  let buffers = ProfileBuffers()
  /// The number of points.
  var count = 0

  /// Metres above sea level, NaN where unknown.
  var elevations: [Double] {
    Array(UnsafeBufferPointer(start: buffers.elevations, count: count))
  }

  /// Fills gaps of at most `limitMetres` between two known elevations linearly by distance.
  mutating func fillGaps(limitMetres: Double) {
    let (metres, elevations) = (buffers.metres, buffers.elevations)
    var last = -1
    for index in 0..<count where !elevations[index].isNaN {
      let gap = last + 1..<index
      if last >= 0, !gap.isEmpty, metres[index] - metres[last] <= limitMetres {
        let run = metres[index] - metres[last]
        let rise = elevations[index] - elevations[last]
        for inner in gap {
          let share = run > 0 ? (metres[inner] - metres[last]) / run : 0.5
          elevations[inner] = elevations[last] + share * rise
        }
      }
      last = index
    }
  }

  /// The stretches with known elevations throughout.
  func knownStretches() -> [Range<Int>] {
    let elevations = buffers.elevations
    var stretches: [Range<Int>] = []
    var start: Int?
    for index in 0..<count {
      if elevations[index].isNaN {
        if let first = start { stretches.append(first..<index) }
        start = nil
      } else if start == nil {
        start = index
      }
    }
    if let start { stretches.append(start..<count) }
    return stretches
  }

  /// Smooths a stretch by distance: applies the mean over ± `metres`/2 twice, which is a triangular
  /// kernel, 1 − d/metres.
  ///
  /// Towards the ends the window shrinks and stays symmetric: an even slope is preserved up to the
  /// last point, and no way loses height at its ends.
  mutating func smooth(_ stretch: Range<Int>, metres reach: Double) {
    guard reach > 0, stretch.count > 2 else { return }
    for _ in 0..<2 { takeMeans(stretch, halfWindow: reach / 2) }
  }

  /// Replaces each elevation by the mean of the polyline within a window around it.
  private mutating func takeMeans(_ stretch: Range<Int>, halfWindow: Double) {
    let (first, last) = (stretch.lowerBound, stretch.upperBound - 1)
    let (metres, elevations) = (buffers.metres, buffers.elevations)
    measureIntegrals(stretch)
    let area = Area(buffers, stretch)
    let means = buffers.scratch
    var left = first
    var right = first
    for index in first..<last + 1 {
      let here = metres[index]
      let half = min(halfWindow, here - metres[first], metres[last] - here)
      guard half > 0.01 else {
        means[index] = elevations[index]
        continue
      }
      let above =
        area.integral(to: here + half, from: &right) - area.integral(to: here - half, from: &left)
      means[index] = area.ground + above / (2 * half)
    }
    (elevations + first).update(from: means + first, count: stretch.count)
  }

  /// Measures the slope of each segment of a stretch, and the integral of the elevation relative to
  /// the first point, up to each point.
  private func measureIntegrals(_ stretch: Range<Int>) {
    let (metres, elevations) = (buffers.metres, buffers.elevations)
    let (integrals, slopes) = (buffers.integrals, buffers.slopes)
    let ground = elevations[stretch.lowerBound]
    var integral = 0.0
    integrals[stretch.lowerBound] = 0
    for index in stretch.lowerBound + 1..<stretch.upperBound {
      let run = metres[index] - metres[index - 1]
      let mean = (elevations[index] + elevations[index - 1]) / 2 - ground
      integral += mean * run
      integrals[index] = integral
      slopes[index - 1] = run > 0 ? (elevations[index] - elevations[index - 1]) / run : 0
    }
  }

  /// The area between a polyline and the elevation of its first point.
  private struct Area {
    private let metres: UnsafeMutablePointer<Double>
    private let elevations: UnsafeMutablePointer<Double>
    private let integrals: UnsafeMutablePointer<Double>
    private let slopes: UnsafeMutablePointer<Double>
    private let last: Int
    let ground: Double

    init(_ buffers: ProfileBuffers, _ stretch: Range<Int>) {
      (metres, elevations) = (buffers.metres, buffers.elevations)
      (integrals, slopes) = (buffers.integrals, buffers.slopes)
      last = stretch.upperBound - 1
      ground = elevations[stretch.lowerBound]
    }

    /// The integral up to any distance; `index` advances to the last point that is not beyond it.
    @inline(__always)
    func integral(to end: Double, from index: inout Int) -> Double {
      while index + 1 < last, metres[index + 1] <= end { index += 1 }
      let part = end - metres[index]
      return integrals[index] + (elevations[index] - ground + slopes[index] * part / 2) * part
    }
  }

  /// Shifts a stretch so that it passes through its pins. The shift is linear by distance between
  /// two pins and constant beyond the outermost ones.
  mutating func meetPins(_ stretch: Range<Int>) {
    let (metres, elevations, pins) = (buffers.metres, buffers.elevations, buffers.pins)
    var previous = -1
    var previousShift = 0.0
    for index in stretch where !pins[index].isNaN {
      let shift = pins[index] - elevations[index]
      if previous >= 0 {
        let run = metres[index] - metres[previous]
        for inner in previous + 1..<index {
          let share = run > 0 ? (metres[inner] - metres[previous]) / run : 0.5
          elevations[inner] += previousShift + share * (shift - previousShift)
        }
      } else {
        for inner in stretch.lowerBound..<index { elevations[inner] += shift }
      }
      elevations[index] = pins[index]
      previous = index
      previousShift = shift
    }
    guard previous >= 0 else { return }
    for inner in previous + 1..<stretch.upperBound { elevations[inner] += previousShift }
  }

  /// Removes every rise and fall of less than the local threshold between the pins of a stretch.
  ///
  /// Where a line and a terrain model are some metres apart, the error of the elevation is as many
  /// metres times the slope of the terrain across the line. Therefore the threshold is `threshold`
  /// metres on gentle terrain, grows in proportion to that slope from ``gentleCrossSlope`` on, and
  /// stops at ``largestFactor`` times as much. Each step counts in units of its own threshold.
  ///
  /// Extremes whose persistence is at least `threshold` are kept (Edelsbrunner, Letscher and
  /// Zomorodian, “Topological persistence and simplification”, 2002). They keep their elevation, so
  /// that a long climb counts in full; between them the line is made monotone.
  mutating func removeRipples(_ stretch: Range<Int>, threshold: Double) {
    guard threshold > 0, stretch.count > 2 else { return }
    measureLevels(of: stretch, threshold)
    let pins = buffers.pins
    var start = stretch.lowerBound
    for index in stretch.lowerBound + 1..<stretch.upperBound
    where !pins[index].isNaN || index == stretch.upperBound - 1 {
      if index > start + 1 { removeRipples(from: start, to: index) }
      start = index
    }
  }

  private func measureLevels(of stretch: Range<Int>, _ threshold: Double) {
    let (metres, elevations) = (buffers.metres, buffers.elevations)
    let (levels, steepness) = (buffers.levels, buffers.steepness)
    levels[stretch.lowerBound] = 0
    for index in stretch.lowerBound + 1..<stretch.upperBound {
      let rise = elevations[index] - elevations[index - 1]
      let slope = Double(Int(steepness[index]) + Int(steepness[index - 1])) / 200
      var factor = 1.0
      if slope > Self.gentleCrossSlope {
        let run = metres[index] - metres[index - 1]
        let along = run > 0 ? rise / run : 0
        let across = max(0, slope * slope - along * along).squareRoot()
        factor = min(max(1, across / Self.gentleCrossSlope), Self.largestFactor)
      }
      levels[index] = levels[index - 1] + rise / (threshold * factor)
    }
  }

  private func removeRipples(from start: Int, to end: Int) {
    let levels = buffers.levels
    var anchor = start
    var lowest = start
    var highest = start
    // 1 while the line climbs towards a maximum, −1 while it descends towards a minimum, 0 at first.
    var direction = 0
    for index in start + 1..<end + 1 {
      let level = levels[index]
      if level > levels[highest] { highest = index }
      if level < levels[lowest] { lowest = index }
      switch direction {
      case 0 where levels[highest] - levels[lowest] >= 1:
        direction = highest > lowest ? 1 : -1
      case 1 where levels[highest] - level >= 1:
        makeMonotone(from: anchor, to: highest)
        (anchor, lowest, direction) = (highest, index, -1)
      case -1 where level - levels[lowest] >= 1:
        makeMonotone(from: anchor, to: lowest)
        (anchor, highest, direction) = (lowest, index, 1)
      default: break
      }
    }
    makeMonotone(from: anchor, to: end)
  }

  /// Makes the line between two points monotone and keeps it within their elevations. For a climb,
  /// each elevation becomes the mean of the highest one so far and the lowest one still to come.
  private func makeMonotone(from start: Int, to end: Int) {
    guard end > start + 1 else { return }
    let (elevations, bounds) = (buffers.elevations, buffers.scratch)
    let sign: Double = elevations[end] >= elevations[start] ? 1 : -1
    let bottom = elevations[start] * sign
    let top = elevations[end] * sign
    var bound = bottom
    for index in start + 1..<end {
      bound = min(max(bound, elevations[index] * sign), top)
      bounds[index] = bound
    }
    bound = top
    for index in (start + 1..<end).reversed() {
      bound = max(min(bound, elevations[index] * sign), bottom)
      elevations[index] = sign * (bound + bounds[index]) / 2
    }
  }
}
