// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import TrailData

/// What becomes an edge: the nodes of a way between two of its refs.
struct WayPiece {
  /// The index of its first ref in the trails' refs.
  var first: Int
  /// The index of its last ref; for a barrier the same as ``first``.
  var last: Int
  /// Which copy of its first node it begins at, 0 for the node itself.
  var firstCopy: UInt32 = 0
  /// Which copy of its last node it ends at.
  var lastCopy: UInt32 = 0
}

/// Cuts ways into pieces: at junctions, at barriers, and where a piece gets too long.
///
/// A barrier that not everybody passes separates the pieces that meet there. The first piece that
/// begins or ends at it keeps the node; each further one gets a copy of the node at the same
/// coordinate, and a piece of zero length leads from the copy to the node: that is the barrier,
/// which a profile may pass or not. The result depends only on the order of the ways and of their
/// nodes.
struct WayCutter {
  /// The greatest length of an edge in metres. A single segment between two nodes is never cut.
  static let greatestMetres = 65_000.0
  /// The greatest number of points between the ends of an edge.
  static let greatestPointCount = 10_000

  /// The pieces so far, in the order of the ways and along each of them.
  private(set) var pieces: [WayPiece] = []
  /// The indices of the pieces that are barriers, ascending, and those of their barrier nodes.
  private(set) var barriers: [(piece: Int, node: Int)] = []
  /// How many pieces begin or end at each barrier node.
  private(set) var endCounts: [UInt32]

  private let trails: TrailsFile
  private let nodes: BarrierNodes
  private let marks: JunctionMarks

  init(_ trails: TrailsFile, _ nodes: BarrierNodes) {
    self.trails = trails
    self.nodes = nodes
    marks = JunctionMarks(trails, barriers: nodes)
    endCounts = [UInt32](repeating: 0, count: nodes.nodes.count)
  }

  /// Cuts a way. Pieces that repeat a single node are left out.
  mutating func cut(way: Int) {
    let refs = trails.refs(ofWay: way)
    guard var start = refs.first else { return }
    var hasLeft = false
    var detour = Detour()
    for index in refs.dropFirst() {
      let node = trails.refs[index]
      guard hasLeft || node != trails.refs[start] else {
        start = index
        continue
      }
      hasLeft = true
      detour.add(trails.coordinate(Int(trails.refs[index - 1])), trails.coordinate(Int(node)))
      guard marks.isJunction(node) else { continue }
      if detour.mayExceed(Self.greatestMetres) || index - start > Self.greatestPointCount + 1 {
        addInParts(from: start, to: index)
      } else {
        add(from: start, to: index)
      }
      start = index
      hasLeft = false
      detour = Detour()
    }
  }

  /// Adds a piece that may be too long, cutting it before each node that would make it so.
  private mutating func addInParts(from first: Int, to last: Int) {
    var start = first
    var metres = 0.0
    for index in (first + 1)...last {
      let (previous, node) = (Int(trails.refs[index - 1]), Int(trails.refs[index]))
      let segment = haversineDistance(
        trails.coordinate(previous).degrees, trails.coordinate(node).degrees)
      let isTooLong =
        metres + segment > Self.greatestMetres || index - start > Self.greatestPointCount + 1
      if isTooLong, trails.refs[start] != trails.refs[index - 1] {
        add(from: start, to: index - 1)
        start = index - 1
        metres = 0
      }
      metres += segment
    }
    add(from: start, to: last)
  }

  private mutating func add(from first: Int, to last: Int) {
    let (firstCopy, firstBarrier) = copy(at: first)
    let (lastCopy, lastBarrier) = copy(at: last)
    if firstCopy > 0 {
      barriers.append((pieces.count, firstBarrier))
      pieces.append(WayPiece(first: first, last: first, lastCopy: firstCopy))
    }
    pieces.append(WayPiece(first: first, last: last, firstCopy: firstCopy, lastCopy: lastCopy))
    if lastCopy > 0 {
      barriers.append((pieces.count, lastBarrier))
      pieces.append(WayPiece(first: last, last: last, firstCopy: lastCopy))
    }
  }

  /// The copy that the next end at a ref gets, and the index of the barrier node.
  private mutating func copy(at index: Int) -> (copy: UInt32, barrier: Int) {
    let node = trails.refs[index]
    guard marks.isBarrier(node) else { return (0, 0) }
    let barrier = nodes.index(of: node)
    defer { endCounts[barrier] += 1 }
    return (endCounts[barrier], barrier)
  }
}

/// An upper bound of a length without trigonometry: along the meridian and the equator.
private struct Detour {
  private static let metresPerUnit =
    earthRadiusMetres * Double.pi / 180 / FixedCoordinate.unitsPerDegree
  private static let unitsOfTurn: Int64 = 3_600_000_000

  private var units: Int64 = 0

  @inline(__always)
  mutating func add(_ from: FixedCoordinate, _ to: FixedCoordinate) {
    let east = abs(Int64(to.longitude) - Int64(from.longitude))
    units += abs(Int64(to.latitude) - Int64(from.latitude)) + min(east, Self.unitsOfTurn - east)
  }

  @inline(__always)
  func mayExceed(_ metres: Double) -> Bool { Double(units) * Self.metresPerUnit > metres }
}
