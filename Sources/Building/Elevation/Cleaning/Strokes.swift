// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TrailData

/// The network as lines that a walker would regard as one path: at each node, the segments that
/// continue each other most directly are joined (“strokes”; Thomson and Richardson, “The ‘good
/// continuation’ principle of perceptual organization applied to the generalization of road
/// networks”, 1999).
///
/// A side path does not interrupt the stroke that it joins, wherever the ways are split.
struct Strokes {
  /// The cosine of the sharpest bend, 60°, at which two of several segments are joined.
  private static let leastCosine = 0.5
  /// At nodes with more segments than this no segments are joined.
  private static let largestDegree = 16

  /// The index of the first segment of each stroke in ``segments``, and finally the count.
  private(set) var offsets: [UInt32] = [0]
  /// The segments of the strokes in order.
  private(set) var segments: [UInt32] = []
  /// The first node of each stroke.
  private(set) var starts: [UInt32] = []
  private var ends: [UInt32] = []
  /// The length of each stroke in metres.
  private(set) var lengths: [Double] = []
  /// The longest stroke that passes through each node without ending there.
  private var through: [UInt32]

  init(_ network: WayNetwork, _ trails: TrailsFile) {
    through = [UInt32](repeating: .max, count: network.nodeCount)
    let mates = Self.mates(network, trails)
    var isTaken = [Bool](repeating: false, count: network.lower.count)
    for segment in network.lower.indices {
      for end in 0..<2 where mates[2 * segment + end] == WayNetwork.none && !isTaken[segment] {
        let start = end == 0 ? network.lower[segment] : network.upper[segment]
        trace(from: Int(start), along: segment, network, mates, &isTaken)
      }
    }
    // The remaining segments form rings.
    for segment in network.lower.indices where !isTaken[segment] {
      trace(from: Int(network.lower[segment]), along: segment, network, mates, &isTaken)
    }
    for stroke in starts.indices { markThrough(stroke, network) }
  }

  /// The segment that continues each segment at its lower (2·s) and upper end (2·s + 1).
  private static func mates(_ network: WayNetwork, _ trails: TrailsFile) -> [UInt32] {
    var mates = [UInt32](repeating: WayNetwork.none, count: 2 * network.lower.count)
    func join(_ first: UInt32, _ second: UInt32, _ node: Int) {
      mates[2 * Int(first) + (Int(network.lower[Int(first)]) == node ? 0 : 1)] = second
      mates[2 * Int(second) + (Int(network.lower[Int(second)]) == node ? 0 : 1)] = first
    }
    for node in 0..<network.nodeCount {
      let segments = network.segments(ofNode: node)
      guard segments.count > 1, segments.count <= largestDegree else { continue }
      if segments.count == 2 {
        join(segments[segments.startIndex], segments[segments.startIndex + 1], node)
        continue
      }
      for (first, second) in straightPairs(segments, node, network, trails) {
        join(first, second, node)
      }
    }
    return mates
  }

  /// Pairs of segments at a node that continue each other, straightest first.
  private static func straightPairs(
    _ segments: ArraySlice<UInt32>, _ node: Int, _ network: WayNetwork, _ trails: TrailsFile
  ) -> [(UInt32, UInt32)] {
    let directions = segments.map { segment in
      direction(
        trails.coordinate(node).degrees,
        trails.coordinate(network.other(Int(segment), node)).degrees)
    }
    var candidates: [(cosine: Double, first: Int, second: Int)] = []
    for first in directions.indices {
      for second in directions.indices where second > first {
        let cosine =
          -(directions[first].east * directions[second].east
          + directions[first].north * directions[second].north)
        if cosine >= leastCosine { candidates.append((cosine, first, second)) }
      }
    }
    candidates.sort { ($1.cosine, $0.first, $0.second) < ($0.cosine, $1.first, $1.second) }
    var isTaken = [Bool](repeating: false, count: segments.count)
    var pairs: [(UInt32, UInt32)] = []
    for pair in candidates where !isTaken[pair.first] && !isTaken[pair.second] {
      (isTaken[pair.first], isTaken[pair.second]) = (true, true)
      pairs.append(
        (segments[segments.startIndex + pair.first], segments[segments.startIndex + pair.second]))
    }
    return pairs
  }

  /// The direction from one point to another as a unit vector; zero if the points coincide.
  static func direction(_ start: Coordinate, _ end: Coordinate) -> (
    east: Double, north: Double
  ) {
    let shrinking = longitudeShrinking(atLatitude: start.latitude)
    var degreesEast = end.longitude - start.longitude
    if abs(degreesEast) > 180 { degreesEast -= degreesEast > 0 ? 360 : -360 }
    let east = degreesEast * shrinking
    let north = end.latitude - start.latitude
    let length = (east * east + north * north).squareRoot()
    return length > 0 ? (east / length, north / length) : (0, 0)
  }

  private mutating func trace(
    from start: Int, along first: Int, _ network: WayNetwork, _ mates: [UInt32],
    _ isTaken: inout [Bool]
  ) {
    var node = start
    var segment = first
    var length = 0.0
    while !isTaken[segment] {
      isTaken[segment] = true
      segments.append(UInt32(segment))
      length += network.metres[segment]
      node = network.other(segment, node)
      let next = mates[2 * segment + (Int(network.lower[segment]) == node ? 0 : 1)]
      guard next != WayNetwork.none else { break }
      segment = Int(next)
    }
    offsets.append(UInt32(segments.count))
    starts.append(UInt32(start))
    ends.append(UInt32(node))
    lengths.append(length)
  }

  private mutating func markThrough(_ stroke: Int, _ network: WayNetwork) {
    var node = Int(starts[stroke])
    for segment in segments(ofStroke: stroke).dropLast() {
      node = network.other(Int(segment), node)
      let other = through[node]
      if other == .max || lengths[stroke] > lengths[Int(other)] { through[node] = UInt32(stroke) }
    }
  }

  /// The segments of a stroke in order.
  func segments(ofStroke stroke: Int) -> ArraySlice<UInt32> {
    segments[Int(offsets[stroke])..<Int(offsets[stroke + 1])]
  }

  /// The strokes in the order in which their elevations are fixed: long ones first, and strokes
  /// that pass through a node before strokes that end there.
  func order() -> [Int] {
    let byLength = starts.indices.sorted { (-lengths[$0], $0) < (-lengths[$1], $1) }
    var isSeen = [Bool](repeating: false, count: starts.count)
    var order: [Int] = []
    order.reserveCapacity(starts.count)
    var pending: [(stroke: Int, isExpanded: Bool)] = []
    for first in byLength where !isSeen[first] {
      pending.append((first, false))
      while let (stroke, isExpanded) = pending.popLast() {
        if isExpanded {
          order.append(stroke)
          continue
        }
        // In a cycle of strokes that end on each other, the first one visited comes last.
        guard !isSeen[stroke] else { continue }
        isSeen[stroke] = true
        pending.append((stroke, true))
        for node in [ends[stroke], starts[stroke]] {
          let other = through[Int(node)]
          if other != .max, !isSeen[Int(other)] { pending.append((Int(other), false)) }
        }
      }
    }
    return order
  }
}
