// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Synchronization
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
  /// How many elevations each profile has.
  private(set) var profileCounts: [UInt32] = []
  /// See ``GraphFile/elevationProfiles``.
  private(set) var elevationProfiles: [Float] = []

  /// The points along the current edge that have an elevation (NaN if unknown), and their distance
  /// from its start.
  private var stations: [(metres: Double, elevation: Float)] = []

  /// Adds the edge between two refs of a way.
  ///
  /// Climb and descent are counted from one known elevation to the next, so that gain − loss is
  /// the difference between the first and the last known one whatever is missing between them.
  /// An edge gets an elevation profile only if no elevation is missing. Its elevations are taken
  /// from `budget`; once that is used up, profiles are left out.
  mutating func add(
    _ trails: TrailsFile, from start: Int, to end: Int, budget: borrowing Atomic<Int>
  ) {
    walk(trails, from: start, to: end)
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
    gains.append(gain)
    losses.append(loss)
    let count = isWhole ? intervalCount + 1 : 0
    if count > 0, budget.wrappingSubtract(count, ordering: .relaxed).newValue >= 0 {
      addProfile(intervals: count - 1)
    } else {
      slopes.append(.nan)
      profileCounts.append(0)
    }
  }

  /// Collects the stations of an edge, and adds its length.
  private mutating func walk(_ trails: TrailsFile, from start: Int, to end: Int) {
    var coordinate = trails.coordinate(Int(trails.refs[start])).degrees
    stations.removeAll(keepingCapacity: true)
    stations.append((0, trails.elevations?[Int(trails.refs[start])] ?? .nan))
    var metres = 0.0
    for index in (start + 1)..<(end + 1) {
      let node = Int(trails.refs[index])
      let next = trails.coordinate(node).degrees
      let length = haversineDistance(coordinate, next)
      let samples = trails.samples(afterRef: index - 1)
      if let elevations = trails.sampleElevations, !samples.isEmpty {
        let step = length / Double(samples.count + 1)
        for sample in samples {
          let ordinal = Double(sample - samples.lowerBound + 1)
          stations.append((metres + step * ordinal, elevations[sample]))
        }
      }
      metres += length
      coordinate = next
      stations.append((metres, trails.elevations?[node] ?? .nan))
    }
    distances.append(metres)
  }

  /// How many intervals the elevation profile of the current edge has.
  private var intervalCount: Int {
    let intervals = ((stations.last?.metres ?? 0) / GraphFile.elevationProfileSpacingMetres)
      .rounded(.up)
    return max(1, min(GraphFile.elevationProfileIntervalLimit, Int(intervals)))
  }

  /// Adds the elevations at the ends of intervals of equal length, and the slope of the steepest
  /// interval, to the hundredth of a percent. Of two equally steep ones the first counts.
  private mutating func addProfile(intervals: Int) {
    let total = stations.last?.metres ?? 0
    var station = 0
    var previous = 0.0
    var steepest = 0.0
    for index in 0..<(intervals + 1) {
      let elevation: Double
      switch index {
      case 0: elevation = Double(stations.first?.elevation ?? .nan)
      case intervals: elevation = Double(stations.last?.elevation ?? .nan)
      default:
        let metres = total * Double(index) / Double(intervals)
        while station + 2 < stations.count, stations[station + 1].metres < metres { station += 1 }
        elevation = self.elevation(at: metres, after: station)
      }
      elevationProfiles.append(Float(elevation))
      if index > 0, abs(elevation - previous) > abs(steepest) { steepest = elevation - previous }
      previous = elevation
    }
    let percent = total > 0 ? steepest / (total / Double(intervals)) * 100 : 0
    let limit = GraphFile.maximumSlope
    slopes.append((min(max(percent, -limit), limit) * 100).rounded() / 100)
    profileCounts.append(UInt32(intervals + 1))
  }

  /// The elevation between two stations, interpolated linearly.
  private func elevation(at metres: Double, after station: Int) -> Double {
    let start = stations[station]
    let end = stations[station + 1]
    guard end.metres > start.metres else { return Double(end.elevation) }
    let share = (metres - start.metres) / (end.metres - start.metres)
    return Double(start.elevation) + share * (Double(end.elevation) - Double(start.elevation))
  }
}
