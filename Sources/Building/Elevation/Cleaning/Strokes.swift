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

  /// A node at which a stroke may meet itself or another one.
  struct Passage {
    /// How many segments of the stroke lie before it.
    let position: UInt32
    /// The index of the node in ``Strokes/junctions``.
    let junction: UInt32
  }

  /// The index of the first segment of each stroke in ``segments``, and finally the count.
  private(set) var offsets: [UInt32] = [0]
  /// The segments of the strokes in order.
  private(set) var segments: [UInt32] = []
  /// The length of each stroke in metres.
  private(set) var lengths: [Double] = []
  /// The nodes at which strokes begin, end or may meet. All other nodes are passed by one stroke,
  /// once.
  private(set) var junctions: [UInt32] = []
  /// The index of the first passage of each stroke in ``passages``, and finally the count.
  private var passageOffsets: [UInt32] = [0]
  /// The junctions along each stroke. The first one is its start, the last one its end.
  private var passages: [Passage] = []

  var count: Int { lengths.count }

  init(_ network: WayNetwork, _ trails: TrailsFile, threads: Int = 1) {
    let mates = Self.mates(network, trails, threads)
    segments.reserveCapacity(network.lower.count)
    var isTaken = [Bool](repeating: false, count: network.lower.count)
    var junctionOfNode = [UInt32](repeating: .max, count: network.nodeCount)
    for segment in network.lower.indices {
      for end in 0..<2 where mates[2 * segment + end] == WayNetwork.none && !isTaken[segment] {
        let start = end == 0 ? network.lower[segment] : network.upper[segment]
        trace(from: Int(start), along: segment, network, mates, &isTaken, &junctionOfNode)
      }
    }
    // The remaining segments form rings.
    for segment in network.lower.indices where !isTaken[segment] {
      let start = Int(network.lower[segment])
      trace(from: start, along: segment, network, mates, &isTaken, &junctionOfNode)
    }
  }

  /// The segment that continues each segment at its lower (2·s) and upper end (2·s + 1).
  private static func mates(_ network: WayNetwork, _ trails: TrailsFile, _ threads: Int) -> [UInt32]
  {
    var mates = [UInt32](repeating: WayNetwork.none, count: 2 * network.lower.count)
    mates.withUnsafeMutableBufferPointer { mates in
      // Each end of a segment belongs to one node.
      let shared = SharedBuffer(mates)
      forEachPiece(of: network.nodeCount, threads: threads) { nodes in
        var pairs = StraightPairs(trails)
        for node in nodes {
          pairs.find(node, network)
          for (first, second) in pairs.found {
            shared[2 * Int(first) + (Int(network.lower[Int(first)]) == node ? 0 : 1)] = second
            shared[2 * Int(second) + (Int(network.lower[Int(second)]) == node ? 0 : 1)] = first
          }
        }
      }
    }
    return mates
  }

  /// Finds the segments at a node that continue each other. It is made once for many nodes, because
  /// allocating memory for each would take most of the time.
  private struct StraightPairs {
    /// The pairs that were found, straightest first.
    private(set) var found: [(UInt32, UInt32)] = []
    private let coordinates: NodeCoordinates
    private var directions: [(east: Double, north: Double)] = []
    private var candidates: [(cosine: Double, first: Int, second: Int)] = []

    init(_ trails: TrailsFile) { coordinates = NodeCoordinates(trails) }

    mutating func find(_ node: Int, _ network: WayNetwork) {
      found.removeAll(keepingCapacity: true)
      let offset = Int(network.nodeOffsets[node])
      let count = Int(network.nodeOffsets[node + 1]) - offset
      guard count > 1, count <= largestDegree else { return }
      if count == 2 {
        found.append((network.nodeSegments[offset], network.nodeSegments[offset + 1]))
        return
      }
      directions.removeAll(keepingCapacity: true)
      candidates.removeAll(keepingCapacity: true)
      for index in 0..<count {
        let other = network.other(Int(network.nodeSegments[offset + index]), node)
        directions.append(direction(coordinates[node], coordinates[other]))
      }
      for first in 0..<count {
        for second in first + 1..<count {
          let cosine =
            -(directions[first].east * directions[second].east
            + directions[first].north * directions[second].north)
          if cosine >= leastCosine { candidates.append((cosine, first, second)) }
        }
      }
      if candidates.count > 1 {
        candidates.sort { ($1.cosine, $0.first, $0.second) < ($0.cosine, $1.first, $1.second) }
      }
      var isTaken: UInt32 = 0
      for pair in candidates {
        let both: UInt32 = 1 << pair.first | 1 << pair.second
        guard isTaken & both == 0 else { continue }
        isTaken |= both
        found.append(
          (
            network.nodeSegments[offset + pair.first], network.nodeSegments[offset + pair.second]
          ))
      }
    }
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
    _ isTaken: inout [Bool], _ junctionOfNode: inout [UInt32]
  ) {
    var node = start
    var segment = first
    var length = 0.0
    var position: UInt32 = 0
    addPassage(node, position, &junctionOfNode)
    while true {
      isTaken[segment] = true
      segments.append(UInt32(segment))
      position += 1
      length += network.metres[segment]
      let isLower = Int(network.lower[segment]) == node
      node = Int(isLower ? network.upper[segment] : network.lower[segment])
      let next = mates[2 * segment + (isLower ? 1 : 0)]
      guard next != WayNetwork.none, !isTaken[Int(next)] else { break }
      if network.nodeOffsets[node + 1] - network.nodeOffsets[node] > 2 {
        addPassage(node, position, &junctionOfNode)
      }
      segment = Int(next)
    }
    addPassage(node, position, &junctionOfNode)
    offsets.append(UInt32(segments.count))
    passageOffsets.append(UInt32(passages.count))
    lengths.append(length)
  }

  private mutating func addPassage(
    _ node: Int, _ position: UInt32, _ junctionOfNode: inout [UInt32]
  ) {
    if junctionOfNode[node] == .max {
      junctionOfNode[node] = UInt32(junctions.count)
      junctions.append(UInt32(node))
    }
    passages.append(Passage(position: position, junction: junctionOfNode[node]))
  }

  /// The segments of a stroke in order.
  func segments(ofStroke stroke: Int) -> ArraySlice<UInt32> {
    segments[Int(offsets[stroke])..<Int(offsets[stroke + 1])]
  }

  /// The junctions along a stroke, with its start and its end.
  func passages(ofStroke stroke: Int) -> ArraySlice<Passage> {
    passages[Int(passageOffsets[stroke])..<Int(passageOffsets[stroke + 1])]
  }

  /// The longest stroke that passes through each junction without ending there; `UInt32.max` if
  /// there is none.
  private func longestThroughStrokes() -> [UInt32] {
    var through = [UInt32](repeating: .max, count: junctions.count)
    for stroke in 0..<count {
      for passage in passages(ofStroke: stroke).dropFirst().dropLast() {
        let other = through[Int(passage.junction)]
        if other == .max || lengths[stroke] > lengths[Int(other)] {
          through[Int(passage.junction)] = UInt32(stroke)
        }
      }
    }
    return through
  }

  /// The strokes in the order in which their elevations are fixed: long ones first, and strokes
  /// that pass through a node before strokes that end there.
  func order() -> [Int] {
    let through = longestThroughStrokes()
    let byLength = (0..<count).sorted { (-lengths[$0], $0) < (-lengths[$1], $1) }
    var isSeen = [Bool](repeating: false, count: count)
    var order: [Int] = []
    order.reserveCapacity(count)
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
        for end in [passageOffsets[stroke + 1] - 1, passageOffsets[stroke]] {
          let other = through[Int(passages[Int(end)].junction)]
          if other != .max, !isSeen[Int(other)] { pending.append((Int(other), false)) }
        }
      }
    }
    return order
  }
  /// The strokes in rounds: those of a round share no node, and those that share one are in the
  /// order of ``order()``. So the strokes of a round can be cleaned at the same time.
  func rounds() -> [[UInt32]] {
    var nextRounds = [UInt32](repeating: 0, count: junctions.count)
    var rounds: [[UInt32]] = []
    for stroke in order() {
      let passages = passages(ofStroke: stroke)
      var round: UInt32 = 0
      for passage in passages { round = max(round, nextRounds[Int(passage.junction)]) }
      for passage in passages { nextRounds[Int(passage.junction)] = round + 1 }
      if round == rounds.count { rounds.append([]) }
      rounds[Int(round)].append(UInt32(stroke))
    }
    return rounds
  }
}
