// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// The edges of some ways, a row of `routing_way_blocks`: for each way, ascending, the difference of its
/// id from the one before, the number of its edges, and the difference of each edge's id from the one
/// before, all as varints. Edges are listed in the order along the way. The first way has the row's id.
package enum WayBlock {
  /// The number of ways in a row; the last one may have fewer.
  static let ways = 256

  /// Calls `body` with each way and each of its edges. Returns false, after some of them, if the blob is
  /// damaged.
  ///
  /// - Parameter first: The id of the row.
  package static func forEach<Failure>(
    _ bytes: UnsafeRawBufferPointer, first: Int64,
    _ body: (_ way: Int64, _ edge: Int64) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var reader = ByteReader(bytes)
    var (way, edge) = (first, Int64(0))
    var isFirst = true
    while !reader.isAtEnd {
      guard let step = reader.varint(), (step == 0) == isFirst,
        let step = Int64(exactly: step), let count = reader.count(), count > 0
      else { return false }
      let (next, overflows) = way.addingReportingOverflow(step)
      if overflows { return false }
      (way, isFirst) = (next, false)
      for _ in 0..<count {
        guard let step = reader.varint() else { return false }
        edge &+= unzigzag(step)
        try body(way, edge)
      }
    }
    return true
  }
}

/// The rows of `routing_way_blocks`.
package struct WayBlockRows: Sendable {
  package private(set) var rows: [(way: Int64, edges: [UInt8])] = []

  /// Lists edges that are in the order of ways and along each of them.
  ///
  /// - Parameters:
  ///   - way: The id of an edge's way by the index of the edge; ascending.
  ///   - edge: The id of the edge.
  package init(edgeCount: Int, way: (Int) -> Int64, edge: (Int) -> Int64) {
    var writer = ByteWriter()
    var first = 0
    var (ways, lastWay, lastEdge) = (0, Int64(0), Int64(0))
    while first < edgeCount {
      let id = way(first)
      var end = first + 1
      while end < edgeCount, way(end) == id { end += 1 }
      if ways % WayBlock.ways == 0 {
        if ways > 0 { rows[rows.count - 1].edges = writer.bytes }
        rows.append((id, []))
        writer = ByteWriter()
        (lastWay, lastEdge) = (id, 0)
      }
      writer.add(UInt64(bitPattern: id &- lastWay))
      writer.add(count: end - first)
      for index in first..<end {
        let edge = edge(index)
        writer.add(signed: edge &- lastEdge)
        lastEdge = edge
      }
      (lastWay, first) = (id, end)
      ways += 1
    }
    if ways > 0 { rows[rows.count - 1].edges = writer.bytes }
  }
}
