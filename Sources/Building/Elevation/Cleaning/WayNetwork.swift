// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TrailData

/// The ways of a region as nodes and the straight segments between them, each segment once.
///
/// The ways themselves do not matter: where one ends and the next begins, in which direction they
/// run and whether two share a stretch does not affect any result.
struct WayNetwork: Sendable {
  /// Means no segment.
  static let none = UInt32.max

  /// The end of each segment with the lower node index.
  private(set) var lower: [UInt32] = []
  /// The end with the higher node index. Segments are sorted by both.
  private(set) var upper: [UInt32] = []
  /// The length of each segment in metres.
  private(set) var metres: [Double] = []
  /// What the ways along each segment say: a structure or bridge if all do, steep if any does.
  private(set) var kinds: [ElevationKind] = []
  /// The index of the first segment of each node in ``nodeSegments``, and finally the count.
  private(set) var nodeOffsets: [UInt32]
  /// The segments of each node, ascending.
  private(set) var nodeSegments: [UInt32] = []
  /// The segment from each ref of a way to the next; ``none`` after the last one and between equal
  /// nodes.
  private(set) var segmentOfRef: [UInt32]

  var nodeCount: Int { nodeOffsets.count - 1 }

  init(_ trails: TrailsFile, threads: Int = 1) {
    nodeOffsets = [UInt32](repeating: 0, count: trails.nodeIDs.count + 1)
    segmentOfRef = [UInt32](repeating: Self.none, count: trails.refs.count)
    addSegments(trails, threads)
    addNodeSegments()
  }

  private mutating func addSegments(_ trails: TrailsFile, _ threads: Int) {
    let nodes = trails.nodeIDs.count
    // A counting sort by the lower end; then the pairs of each node are sorted by the upper end.
    var starts = [UInt32](repeating: 0, count: nodes + 1)
    var kindsOfRefs = [ElevationKind](repeating: [], count: trails.refs.count)
    var kindsOfWays = ElevationKinds(trails)
    let (wayOffsets, refs) = (trails.refOffsets, trails.refs)
    for way in 0..<wayOffsets.count - 1 where wayOffsets[way] < wayOffsets[way + 1] {
      let kind = kindsOfWays.kind(ofWay: way)
      for index in Int(wayOffsets[way])..<Int(wayOffsets[way + 1]) - 1
      where refs[index] != refs[index + 1] {
        starts[Int(min(refs[index], refs[index + 1]))] += 1
        kindsOfRefs[index] = kind
      }
    }
    var total: UInt32 = 0
    for node in starts.indices { (starts[node], total) = (total, total + starts[node]) }
    var pairs = [UInt64](repeating: 0, count: Int(total))
    for way in 0..<wayOffsets.count - 1 where wayOffsets[way] < wayOffsets[way + 1] {
      for index in Int(wayOffsets[way])..<Int(wayOffsets[way + 1]) - 1
      where refs[index] != refs[index + 1] {
        let low = Int(min(refs[index], refs[index + 1]))
        pairs[Int(starts[low])] = UInt64(max(refs[index], refs[index + 1])) << 32 | UInt64(index)
        starts[low] += 1
      }
    }
    // Each node's start is now its end, which is the start of the next node.
    Self.sortPairs(&pairs, ends: starts, threads)
    lower.reserveCapacity(pairs.count)
    upper.reserveCapacity(pairs.count)
    kinds.reserveCapacity(pairs.count)
    var first = 0
    for low in 0..<nodes {
      let end = Int(starts[low])
      for position in first..<end {
        let high = UInt32(pairs[position] >> 32)
        let index = Int(pairs[position] & 0xFFFF_FFFF)
        if position > first, upper[upper.count - 1] == high {
          merge(kindsOfRefs[index])
        } else {
          lower.append(UInt32(low))
          upper.append(high)
          kinds.append(kindsOfRefs[index])
        }
        segmentOfRef[index] = UInt32(lower.count - 1)
      }
      first = end
    }
    measureSegments(trails, threads)
  }

  /// Sorts the pairs of each node, given where they end.
  private static func sortPairs(_ pairs: inout [UInt64], ends: [UInt32], _ threads: Int) {
    pairs.withUnsafeMutableBufferPointer { pairs in
      let shared = SharedBuffer(pairs)
      forEachPiece(of: ends.count, threads: threads) { nodes in
        var first = nodes.lowerBound > 0 ? Int(ends[nodes.lowerBound - 1]) : 0
        for node in nodes {
          let end = Int(ends[node])
          if end - first == 2 {
            if shared[first] > shared[first + 1] { shared.elements.swapAt(first, first + 1) }
          } else if end - first > 2 {
            var own = UnsafeMutableBufferPointer(rebasing: shared.elements[first..<end])
            own.sort()
          }
          first = end
        }
      }
    }
  }

  private mutating func measureSegments(_ trails: TrailsFile, _ threads: Int) {
    let (lower, upper, count) = (lower, upper, lower.count)
    metres = [Double](unsafeUninitializedCapacity: count) { metres, initialized in
      let shared = SharedBuffer(metres)
      forEachPiece(of: count, threads: threads) { segments in
        let nodes = NodeCoordinates(trails)
        for segment in segments {
          shared[segment] = haversineDistance(
            nodes[Int(lower[segment])], nodes[Int(upper[segment])])
        }
      }
      initialized = count
    }
  }

  /// Merges the kind of another way into that of the last segment.
  private mutating func merge(_ kind: ElevationKind) {
    let last = kinds.count - 1
    let structure = kinds[last].intersection(kind).intersection([.structure, .bridge])
    kinds[last] = kinds[last].union(kind).intersection(.steep).union(structure)
  }

  private mutating func addNodeSegments() {
    for segment in lower.indices {
      nodeOffsets[Int(lower[segment])] += 1
      nodeOffsets[Int(upper[segment])] += 1
    }
    var total: UInt32 = 0
    for node in nodeOffsets.indices {
      (nodeOffsets[node], total) = (total, total + nodeOffsets[node])
    }
    var ends = nodeOffsets
    nodeSegments = [UInt32](repeating: 0, count: Int(total))
    for segment in lower.indices {
      let (low, high) = (Int(lower[segment]), Int(upper[segment]))
      nodeSegments[Int(ends[low])] = UInt32(segment)
      ends[low] += 1
      nodeSegments[Int(ends[high])] = UInt32(segment)
      ends[high] += 1
    }
  }

  /// The segments that meet at a node.
  @inline(__always)
  func segments(ofNode node: Int) -> ArraySlice<UInt32> {
    nodeSegments[Int(nodeOffsets[node])..<Int(nodeOffsets[node + 1])]
  }

  /// The other end of a segment.
  @inline(__always)
  func other(_ segment: Int, _ node: Int) -> Int {
    Int(lower[segment]) == node ? Int(upper[segment]) : Int(lower[segment])
  }
}

/// The coordinates of the nodes of a file in degrees.
struct NodeCoordinates {
  private let latitudes: Column<Int32>
  private let longitudes: Column<Int32>

  init(_ trails: TrailsFile) { (latitudes, longitudes) = (trails.latitudes, trails.longitudes) }

  @inline(__always)
  subscript(node: Int) -> Coordinate {
    FixedCoordinate(latitude: latitudes[node], longitude: longitudes[node]).degrees
  }
}
