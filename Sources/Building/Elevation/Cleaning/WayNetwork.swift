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

  init(_ trails: TrailsFile) {
    nodeOffsets = [UInt32](repeating: 0, count: trails.nodeIDs.count + 1)
    segmentOfRef = [UInt32](repeating: Self.none, count: trails.refs.count)
    addSegments(trails)
    addNodeSegments()
  }

  private mutating func addSegments(_ trails: TrailsFile) {
    let nodes = trails.nodeIDs.count
    // A counting sort by the lower end; then the pairs of each node are sorted by the upper end.
    var starts = [UInt32](repeating: 0, count: nodes + 1)
    var kindsOfRefs = [ElevationKind](repeating: [], count: trails.refs.count)
    var kindsOfWays = ElevationKinds(trails)
    trails.refs.withUnsafeElements { refs in
      for way in trails.wayIDs.indices {
        let indices = trails.refs(ofWay: way)
        let kind = kindsOfWays.kind(ofWay: way)
        for index in indices.dropLast() where refs[index] != refs[index + 1] {
          starts[Int(min(refs[index], refs[index + 1]))] += 1
          kindsOfRefs[index] = kind
        }
      }
    }
    var total: UInt32 = 0
    for node in starts.indices { (starts[node], total) = (total, total + starts[node]) }
    var pairs = [UInt64](repeating: 0, count: Int(total))
    var ends = starts
    trails.refs.withUnsafeElements { refs in
      for way in trails.wayIDs.indices {
        for index in trails.refs(ofWay: way).dropLast() where refs[index] != refs[index + 1] {
          let low = Int(min(refs[index], refs[index + 1]))
          let high = max(refs[index], refs[index + 1])
          pairs[Int(ends[low])] = UInt64(high) << 32 | UInt64(index)
          ends[low] += 1
        }
      }
    }
    lower.reserveCapacity(pairs.count)
    upper.reserveCapacity(pairs.count)
    metres.reserveCapacity(pairs.count)
    kinds.reserveCapacity(pairs.count)
    for low in 0..<nodes where starts[low] < starts[low + 1] {
      let range = Int(starts[low])..<Int(starts[low + 1])
      if range.count > 1 { pairs[range].sort() }
      let first = lower.count
      for pair in pairs[range] {
        let high = UInt32(pair >> 32)
        let index = Int(pair & 0xFFFF_FFFF)
        if lower.count > first, upper.last == high {
          merge(kindsOfRefs[index])
        } else {
          lower.append(UInt32(low))
          upper.append(high)
          metres.append(
            haversineDistance(trails.coordinate(low).degrees, trails.coordinate(Int(high)).degrees))
          kinds.append(kindsOfRefs[index])
        }
        segmentOfRef[index] = UInt32(lower.count - 1)
      }
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
