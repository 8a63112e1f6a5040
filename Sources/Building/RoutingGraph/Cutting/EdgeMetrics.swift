// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Lengths, climbs and elevation profiles of some edges, in columns.
struct EdgeMetrics: Sendable {
  /// The maximum number of elevations in all profiles of a graph: enough for a hundred times around
  /// the Earth, and a gigabyte of memory.
  static let profileLimit = 1 << 28

  /// Metres.
  private(set) var distances: [Double] = []
  /// Metres climbed.
  private(set) var gains: [Double] = []
  /// Metres descended.
  private(set) var losses: [Double] = []
  /// See ``GraphFile/slopes``.
  private(set) var slopes: [Double] = []
  /// The number of elevations in each profile.
  private(set) var profileCounts: [UInt32] = []
  /// See ``GraphFile/elevationProfiles``.
  private(set) var elevationProfiles: [Float] = []

  /// Adds an edge.
  ///
  /// Climb and descent are counted from one known elevation to the next, so that gain − loss is
  /// the difference between the first and the last known one whatever is missing between them.
  /// An edge gets an elevation profile only if no elevation is missing.
  mutating func add(_ stations: UnsafeBufferPointer<WayLine.Station>) {
    var gain = 0.0
    var loss = 0.0
    var isWhole = true
    var elevation = Float.nan
    for station in stations {
      guard !station.elevation.isNaN else {
        isWhole = false
        continue
      }
      let climb = Double(station.elevation) - Double(elevation)
      if climb > 0 { gain += climb } else if climb < 0 { loss -= climb }
      elevation = station.elevation
    }
    distances.append(stations[stations.count - 1].metres)
    gains.append(gain)
    losses.append(loss)
    if isWhole { addProfile(stations) } else { addProfile(slope: .nan, count: 0) }
  }

  /// Adds edges of zero length at some elevations before those at some positions.
  mutating func addBarriers(elevations: [Float], at positions: [Int]) {
    let zeros = [Double](repeating: 0, count: elevations.count)
    distances = EdgeBlock.inserting(zeros, at: positions, in: distances)
    gains = EdgeBlock.inserting(zeros, at: positions, in: gains)
    losses = EdgeBlock.inserting(zeros, at: positions, in: losses)
    slopes = EdgeBlock.inserting(
      elevations.map { $0.isNaN ? .nan : 0 }, at: positions, in: slopes)
    var profiles: [Float] = []
    var (edge, start, end) = (0, 0, 0)
    for (elevation, position) in zip(elevations, positions) {
      end += profileCounts[edge..<position].reduce(0) { $0 + Int($1) }
      profiles += elevationProfiles[start..<end]
      if !elevation.isNaN { profiles += [elevation, elevation] }
      (edge, start) = (position, end)
    }
    elevationProfiles = profiles + elevationProfiles[start...]
    profileCounts = EdgeBlock.inserting(
      elevations.map { $0.isNaN ? 0 : 2 }, at: positions, in: profileCounts)
  }

  private mutating func addProfile(slope: Double, count: UInt32) {
    slopes.append(slope)
    profileCounts.append(count)
  }

  /// Removes everything, and keeps the memory.
  mutating func removeAll() {
    distances.removeAll(keepingCapacity: true)
    gains.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
    slopes.removeAll(keepingCapacity: true)
    profileCounts.removeAll(keepingCapacity: true)
    elevationProfiles.removeAll(keepingCapacity: true)
  }

  /// The same metrics in no more memory than they need.
  func compacted() -> EdgeMetrics {
    var metrics = self
    metrics.distances = EdgeBlock.copy(distances)
    metrics.gains = EdgeBlock.copy(gains)
    metrics.losses = EdgeBlock.copy(losses)
    metrics.slopes = EdgeBlock.copy(slopes)
    metrics.profileCounts = EdgeBlock.copy(profileCounts)
    metrics.elevationProfiles = EdgeBlock.copy(elevationProfiles)
    return metrics
  }

  /// The number of intervals in the elevation profile of an edge.
  private static func intervalCount(_ metres: Double) -> Int {
    let intervals = (metres / GraphFile.elevationProfileSpacingMetres).rounded(.up)
    return max(1, min(GraphFile.elevationProfileIntervalLimit, Int(intervals)))
  }

  /// Adds the elevations at the ends of intervals of equal length, and the slope of the steepest
  /// interval, to the hundredth of a percent. Of two equally steep ones the first counts.
  private mutating func addProfile(_ stations: UnsafeBufferPointer<WayLine.Station>) {
    let last = stations[stations.count - 1]
    let total = last.metres
    let intervals = Self.intervalCount(total)
    var station = 0
    var previous = Double(stations[0].elevation)
    var steepest = 0.0
    elevationProfiles.append(stations[0].elevation)
    for index in 1...intervals {
      let elevation: Double
      if index < intervals {
        let metres = total * Double(index) / Double(intervals)
        while station + 2 < stations.count, stations[station + 1].metres < metres { station += 1 }
        elevation = Self.elevation(at: metres, stations[station], stations[station + 1])
      } else {
        elevation = Double(last.elevation)
      }
      elevationProfiles.append(Float(elevation))
      if abs(elevation - previous) > abs(steepest) { steepest = elevation - previous }
      previous = elevation
    }
    let percent = total > 0 ? steepest / (total / Double(intervals)) * 100 : 0
    let limit = GraphFile.maximumSlope
    let slope = (min(max(percent, -limit), limit) * 100).rounded() / 100
    addProfile(slope: slope, count: UInt32(intervals + 1))
  }

  /// The elevation between two stations, interpolated linearly.
  @inline(__always)
  private static func elevation(
    at metres: Double, _ start: WayLine.Station, _ end: WayLine.Station
  ) -> Double {
    guard end.metres > start.metres else { return Double(end.elevation) }
    let share = (metres - start.metres) / (end.metres - start.metres)
    return Double(start.elevation) + share * (Double(end.elevation) - Double(start.elevation))
  }
}
