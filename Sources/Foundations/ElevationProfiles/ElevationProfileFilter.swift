// SPDX-License-Identifier: Apache-2.0

/// Cleans the elevation profile of one line. The result does not depend on the direction of the
/// line, apart from rounding.
package struct ElevationProfileFilter {
  /// The slope of the terrain across the line up to which the threshold stays unchanged.
  private static let gentleCrossSlope = 1.0 / 6
  /// The largest factor by which the threshold grows on steeper terrain.
  private static let largestFactor = 4.0

  /// A point with a fixed elevation.
  package struct Pin {
    /// The index of the point.
    package let index: Int
    /// Metres above sea level.
    package let elevation: Double

    /// Fixes a point.
    package init(index: Int, elevation: Double) {
      self.index = index
      self.elevation = elevation
    }
  }

  /// The points of the line; set ``count`` after filling them in.
  package let buffers = ProfileBuffers()
  /// The number of points.
  package var count = 0
  /// The points fixed by other lines, ascending.
  package var pins: [Pin] = []

  /// Makes a filter without points.
  package init() {}

  /// Metres above sea level; NaN if unknown.
  package var elevations: [Double] {
    Array(UnsafeBufferPointer(start: buffers.elevations, count: count))
  }

  /// Fills gaps of at most `limitMetres` between two known elevations linearly by distance.
  package mutating func fillGaps(limitMetres: Double) {
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
  package func knownStretches() -> [Range<Int>] {
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
  /// Towards the ends the window shrinks and stays symmetric, which preserves an even slope up to
  /// the last point and the height of the ends.
  package mutating func smooth(_ stretch: Range<Int>, metres reach: Double) {
    guard reach > 0, stretch.count > 2 else { return }
    takeMeans(stretch, halfWindow: reach / 2, from: buffers.elevations, to: buffers.scratch)
    takeMeans(stretch, halfWindow: reach / 2, from: buffers.scratch, to: buffers.elevations)
  }

  /// Replaces each elevation by the mean of the polyline within a window around it.
  private func takeMeans(
    _ stretch: Range<Int>, halfWindow: Double, from elevations: UnsafeMutablePointer<Double>,
    to means: UnsafeMutablePointer<Double>
  ) {
    measureStations(stretch, elevations)
    let (first, last) = (stretch.lowerBound, stretch.upperBound - 1)
    let stations = buffers.stations
    let (start, end, ground) = (stations[first].metres, stations[last].metres, elevations[first])
    var (left, right) = (first, first)
    for index in first..<last + 1 {
      let here = stations[index].metres
      let half = min(halfWindow, here - start, end - here)
      guard half > 0.01 else {
        means[index] = elevations[index]
        continue
      }
      let (west, east) = (here - half, here + half)
      while left + 1 < last, stations[left + 1].metres <= west { left += 1 }
      while right + 1 < last, stations[right + 1].metres <= east { right += 1 }
      let above = Self.integral(stations[right], east) - Self.integral(stations[left], west)
      means[index] = ground + above / (2 * half)
    }
  }

  /// The integral up to a distance, from the last station not beyond it.
  @inline(__always)
  private static func integral(_ station: ProfileBuffers.Station, _ end: Double) -> Double {
    let part = end - station.metres
    return station.integral + (station.height + station.halfSlope * part) * part
  }

  /// Measures heights, slopes and integrals along a stretch.
  private func measureStations(
    _ stretch: Range<Int>, _ elevations: UnsafeMutablePointer<Double>
  ) {
    let (metres, stations) = (buffers.metres, buffers.stations)
    let ground = elevations[stretch.lowerBound]
    var integral = 0.0
    var (here, elevation) = (metres[stretch.lowerBound], ground)
    for index in stretch.lowerBound..<stretch.upperBound - 1 {
      let (nextHere, next) = (metres[index + 1], elevations[index + 1])
      let run = nextHere - here
      stations[index] = ProfileBuffers.Station(
        metres: here, integral: integral, height: elevation - ground,
        halfSlope: run > 0 ? (next - elevation) / run / 2 : 0)
      integral += ((next + elevation) / 2 - ground) * run
      (here, elevation) = (nextHere, next)
    }
    stations[stretch.upperBound - 1] = ProfileBuffers.Station(
      metres: here, integral: integral, height: elevation - ground, halfSlope: 0)
  }

  /// Shifts a stretch so that it passes through its pins. The shift is linear by distance between
  /// two pins and constant beyond the outermost ones.
  package mutating func meetPins(_ stretch: Range<Int>) {
    let (metres, elevations) = (buffers.metres, buffers.elevations)
    var previous = -1
    var previousShift = 0.0
    for pin in pins where stretch.contains(pin.index) {
      let index = pin.index
      let shift = pin.elevation - elevations[index]
      if previous >= 0 {
        let run = metres[index] - metres[previous]
        for inner in previous + 1..<index {
          let share = run > 0 ? (metres[inner] - metres[previous]) / run : 0.5
          elevations[inner] += previousShift + share * (shift - previousShift)
        }
      } else {
        for inner in stretch.lowerBound..<index { elevations[inner] += shift }
      }
      elevations[index] = pin.elevation
      previous = index
      previousShift = shift
    }
    guard previous >= 0 else { return }
    for inner in previous + 1..<stretch.upperBound { elevations[inner] += previousShift }
  }

  /// Removes every rise and fall below the local threshold between the pins of a stretch.
  ///
  /// If a line and a terrain model are some metres apart, the error of the elevation is that
  /// distance times the slope of the terrain across the line. Therefore the threshold is
  /// `threshold` metres on gentle terrain, grows in proportion to that slope from
  /// ``gentleCrossSlope`` on, and stops at ``largestFactor`` times as much. Each step counts in
  /// units of its own threshold.
  ///
  /// Extremes whose persistence is at least `threshold` are kept (Edelsbrunner, Letscher and
  /// Zomorodian, “Topological persistence and simplification”, 2002). They keep their elevation, so
  /// that a long climb counts in full; between them the line is made monotone.
  package mutating func removeRipples(_ stretch: Range<Int>, threshold: Double) {
    guard threshold > 0, stretch.count > 2 else { return }
    measureLevels(of: stretch, threshold)
    let last = stretch.upperBound - 1
    var start = stretch.lowerBound
    for pin in pins where pin.index > start && pin.index < last {
      if pin.index > start + 1 { removeRipples(from: start, to: pin.index) }
      start = pin.index
    }
    if last > start + 1 { removeRipples(from: start, to: last) }
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
