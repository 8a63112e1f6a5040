// SPDX-License-Identifier: Apache-2.0
import CairnElevationProfiles
import CairnGPX

/// A segment with the cumulative quantities at each of its points.
struct MeasuredSegment {
  /// The quantities accumulated since the first point.
  struct Passed {
    var metres = 0.0
    var seconds = 0.0
    var movingSeconds = 0.0
    var movingMetres = 0.0
    var ascent = 0.0
    var descent = 0.0
    /// Metres with known climb.
    var climbedMetres = 0.0

    /// The quantities accumulated from this point to a share of the way to a later one.
    func towards(_ other: Passed, _ share: Double) -> Passed {
      func between(_ one: Double, _ other: Double) -> Double { one + share * (other - one) }
      return Passed(
        metres: between(metres, other.metres), seconds: between(seconds, other.seconds),
        movingSeconds: between(movingSeconds, other.movingSeconds),
        movingMetres: between(movingMetres, other.movingMetres),
        ascent: between(ascent, other.ascent), descent: between(descent, other.descent),
        climbedMetres: between(climbedMetres, other.climbedMetres))
    }
  }

  /// One for each point of the segment.
  private(set) var passed: [Passed]
  /// The rests, as indices of points.
  let rests: [ClosedRange<Int>]
  let hasTimes: Bool
  private(set) var hasClimb = false
  /// The figures of the whole segment.
  private(set) var statistics = TrackStatistics()

  init(_ points: [GPXFile.Point], _ smoothing: ElevationSmoothing) {
    let times = TrackTimes(points)
    let line = WalkedLine(points, times)
    rests = line.rests
    hasTimes = !times.indices.isEmpty
    passed = line.metres.map { Passed(metres: $0) }
    addTimes(times)
    let elevations = cleanedElevations(points, smoothing)
    addClimb(elevations)
    fillIn(points, times, line, elevations)
  }

  /// Adds times at all points, interpolated by distance between two points that have one.
  private mutating func addTimes(_ times: TrackTimes) {
    var rest = 0
    for (start, end) in zip(times.indices, times.indices.dropFirst()) {
      while rest < rests.count, rests[rest].upperBound < end { rest += 1 }
      let isResting = rest < rests.count && rests[rest].lowerBound <= start
      let (seconds, metres) = (
        times.seconds[end] - times.seconds[start], passed[end].metres - passed[start].metres
      )
      let before = passed[start]
      for index in start + 1...end {
        let run = passed[index].metres - before.metres
        let share = index == end ? 1 : metres > 0 ? run / metres : 0.5
        passed[index].seconds = before.seconds + share * seconds
        passed[index].movingSeconds = before.movingSeconds + (isResting ? 0 : share * seconds)
        passed[index].movingMetres = before.movingMetres + (isResting ? 0 : run)
      }
    }
    guard let last = times.indices.last else { return }
    for index in passed.indices.dropFirst(last + 1) {
      passed[index].seconds = passed[last].seconds
      passed[index].movingSeconds = passed[last].movingSeconds
      passed[index].movingMetres = passed[last].movingMetres
    }
  }

  /// The elevations along the way, with all points of a rest as one point at their mean elevation:
  /// a resting walker does not climb, whatever the receiver states.
  private func cleanedElevations(
    _ points: [GPXFile.Point], _ smoothing: ElevationSmoothing
  ) -> [Double] {
    var (metres, elevations, entries): ([Double], [Double], [Int]) = ([], [], [])
    entries.reserveCapacity(points.count)
    var walked = 0.0
    var (rest, known) = (0, 0)
    for (index, point) in points.enumerated() {
      while rest < rests.count, rests[rest].upperBound < index { rest += 1 }
      let isResting = rest < rests.count && rests[rest].contains(index)
      let elevation = point.elevation.flatMap { $0.isFinite ? $0 : nil }
      if isResting, index > rests[rest].lowerBound, let last = elevations.indices.last {
        if let elevation {
          known += 1
          elevations[last] =
            known == 1
            ? elevation : elevations[last] + (elevation - elevations[last]) / Double(known)
        }
      } else {
        if index > 0 { walked += passed[index].metres - passed[index - 1].metres }
        metres.append(walked)
        elevations.append(elevation ?? .nan)
        known = elevation == nil ? 0 : 1
      }
      entries.append(elevations.count - 1)
    }
    let cleaned = CleanedElevations(metres: metres, elevations: elevations, smoothing).elevations
    return entries.map { cleaned[$0] }
  }

  private mutating func addClimb(_ elevations: [Double]) {
    for index in passed.indices.dropFirst() {
      let (before, rise) = (passed[index - 1], elevations[index] - elevations[index - 1])
      passed[index].ascent = before.ascent + (rise > 0 ? rise : 0)
      passed[index].descent = before.descent + (rise < 0 ? -rise : 0)
      let run = passed[index].metres - before.metres
      passed[index].climbedMetres = before.climbedMetres + (rise.isNaN ? 0 : run)
      if !rise.isNaN { hasClimb = true }
    }
  }

  private mutating func fillIn(
    _ points: [GPXFile.Point], _ times: TrackTimes, _ line: WalkedLine, _ elevations: [Double]
  ) {
    statistics.pointCount = points.count
    statistics.untimelyPoints = times.untimelyPoints
    guard let end = passed.last else { return }
    statistics.distanceMetres = end.metres
    statistics.plainMetres = line.plainMetres
    if let first = times.indices.first, let last = times.indices.last {
      statistics.start = points[first].time
      statistics.end = points[last].time
      statistics.recordedSeconds = end.seconds
      statistics.movingSeconds = end.movingSeconds
      statistics.movingMetres = end.movingMetres
      statistics.timedMetres = passed[last].metres - passed[first].metres
      // The medians may miss part of a mean; no average exceeds the maximum.
      statistics.maximumSpeed = [
        line.maximumSpeed, statistics.averageSpeed, statistics.movingSpeed,
      ].compactMap { $0 }.max()
    }
    if hasClimb {
      statistics.ascentMetres = end.ascent
      statistics.descentMetres = end.descent
    }
    statistics.unknownClimbMetres = max(0, end.metres - end.climbedMetres)
    let known = elevations.lazy.filter { !$0.isNaN }
    statistics.lowestMetres = known.min()
    statistics.highestMetres = known.max()
  }
}
