// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The columns of a file that hot loops read, as plain pointers, and the file, which keeps them
/// valid. Opening the file has checked that ways have their refs and refs their nodes.
///
/// The nodes and ways of the margin come after those of the region. Without a margin the columns are
/// those of the file, otherwise copies.
struct MapColumns: @unchecked Sendable {
  let trails: TrailsFile
  /// 10⁻⁷ degrees north of each node.
  let latitudes: UnsafeBufferPointer<Int32>
  /// 10⁻⁷ degrees east of each node.
  let longitudes: UnsafeBufferPointer<Int32>
  /// The start of each way's refs, and finally the end.
  let refOffsets: UnsafeBufferPointer<UInt32>
  /// The nodes of all ways.
  let refs: UnsafeBufferPointer<UInt32>
  /// The copies; nil without a margin.
  private let joined: JoinedColumns?

  init(_ trails: TrailsFile) {
    self.trails = trails
    joined = trails.margin.flatMap { $0.wayCount > 0 ? JoinedColumns(trails, $0) : nil }
    latitudes =
      joined.map { UnsafeBufferPointer($0.latitudes.elements) }
      ?? trails.latitudes.withUnsafeElements { $0 }
    longitudes =
      joined.map { UnsafeBufferPointer($0.longitudes.elements) }
      ?? trails.longitudes.withUnsafeElements { $0 }
    refOffsets =
      joined.map { UnsafeBufferPointer($0.refOffsets.elements) }
      ?? trails.refOffsets.withUnsafeElements { $0 }
    refs =
      joined.map { UnsafeBufferPointer($0.refs.elements) }
      ?? trails.refs.withUnsafeElements { $0 }
  }

  /// Whether the columns are copies.
  var isJoined: Bool { joined != nil }
  var wayCount: Int { refOffsets.count - 1 }
  /// The number of nodes of the region.
  var regionNodeCount: Int { trails.nodeIDs.count }
  /// The number of ways of the region.
  var regionWayCount: Int { trails.wayIDs.count }
  /// The number of refs of the region's ways.
  var regionRefCount: Int { trails.refs.count }

  /// The refs of a way.
  @inline(__always)
  func refs(ofWay way: Int) -> Range<Int> { Int(refOffsets[way])..<Int(refOffsets[way + 1]) }

  /// The coordinate of a node.
  @inline(__always)
  func coordinate(_ node: UInt32) -> FixedCoordinate {
    FixedCoordinate(latitude: latitudes[Int(node)], longitude: longitudes[Int(node)])
  }

  /// The order of nodes: their OpenStreetMap ids, whether or not they belong to the region.
  @inline(__always)
  func idOrder(_ node: UInt32) -> UInt32 {
    joined.map { $0.idOrder.elements[Int(node)] } ?? node
  }

  /// Releases the memory of coordinates, which are hardly read any more.
  func releaseCoordinates() {
    trails.latitudes.releasePages()
    trails.longitudes.releasePages()
  }
}

/// The columns of a region and those of its margin as one.
private final class JoinedColumns: Sendable {
  let latitudes: Numbers<Int32>
  let longitudes: Numbers<Int32>
  let refOffsets: Numbers<UInt32>
  let refs: Numbers<UInt32>
  /// The position of each node in the order of ids.
  let idOrder: Numbers<UInt32>

  init(_ trails: TrailsFile, _ margin: Margin) {
    latitudes = Self.joined(trails.latitudes, margin.latitudes)
    longitudes = Self.joined(trails.longitudes, margin.longitudes)
    refs = Self.joined(trails.refs, margin.refs)
    let (ways, refCount) = (trails.wayIDs.count, UInt32(trails.refs.count))
    refOffsets = Numbers(count: ways + margin.wayCount + 1)
    for way in 0..<ways { refOffsets.elements[way] = trails.refOffsets[way] }
    for (way, offset) in margin.refOffsets.enumerated() {
      refOffsets.elements[ways + way] = refCount + offset
    }
    let (own, others) = (trails.nodeIDs, margin.nodeIDs)
    idOrder = Numbers(count: own.count + others.count)
    var (node, other) = (0, 0)
    for position in idOrder.elements.indices {
      if other == others.count || node < own.count && own[node] < others[other] {
        idOrder.elements[node] = UInt32(position)
        node += 1
      } else {
        idOrder.elements[own.count + other] = UInt32(position)
        other += 1
      }
    }
  }

  private static func joined<Element>(_ first: Column<Element>, _ second: Column<Element>)
    -> Numbers<Element>
  {
    let numbers = Numbers<Element>(count: first.count + second.count)
    first.withUnsafeElements { _ = numbers.elements.update(fromContentsOf: $0) }
    second.withUnsafeElements {
      _ = UnsafeMutableBufferPointer(rebasing: numbers.elements[first.count...])
        .update(fromContentsOf: $0)
    }
    return numbers
  }
}
