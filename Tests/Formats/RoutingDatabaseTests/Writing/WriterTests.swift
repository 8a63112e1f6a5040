// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit
import TestSupport
import Testing

@Suite("Writing a routing database")
struct WriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(edges: Int) throws -> (writer: RoutingDatabaseWriter, path: String) {
    let path = try folder.write([UInt8](), to: "written.db")
    let writer = try RoutingDatabaseWriter(path, nodeCount: 2, edgeCount: edges, profileCount: 0)
    for id: Int64 in [1, 2] {
      try writer.addNode(id: id, at: Coordinate(latitude: 47, longitude: 10), elevation: nil)
    }
    try writer.finishNodes()
    return (writer, path)
  }

  /// A coordinate that depends on the edge and the index of the point.
  private func point(_ edge: Int, _ index: Int) -> Coordinate {
    Coordinate(latitude: Double(edge) / 4, longitude: Double(index % 1024) / 8)
  }

  @Test("geometries keep their points, however many one statement inserts")
  func geometries() throws {
    // Some statements of 64 edges, and a few edges more: without points, with few, and with so
    // many that they do not fit into the buffer of a statement.
    let counts = (0..<200).map { $0 % 3 == 0 ? 0 : $0 % 50 == 7 ? 70_000 : $0 }
    let path = try write(counts)
    let statement = try SQLiteConnection(path, .readOnly).prepare(
      "SELECT id, osm_way_id, geometry FROM routing_edges ORDER BY id")
    for (edge, count) in counts.enumerated() {
      #expect(try statement.step())
      #expect(statement.integer(0) == Int64(edge + 1) && statement.integer(1) == Int64(edge))
      #expect(statement.isNull(2) == (count == 0))
      let expected = EdgeGeometry.pack((0..<count).map { point(edge, $0) })
      let isEqual = try statement.withBlob(2) { bytes in bytes.elementsEqual(expected) }
      #expect(isEqual, "edge \(edge) of \(count) points")
    }
  }

  /// Writes edges with these numbers of points.
  private func write(_ counts: [Int]) throws -> String {
    let (writer, path) = try writer(edges: counts.count)
    for (edge, count) in counts.enumerated() {
      var row = RoutingDatabaseWriter.Edge()
      (row.fromNode, row.toNode, row.osmWayID) = (1, 2, Int64(edge))
      try writer.addEdge(row, points: 0..<count) { point(edge, $0) }
    }
    try writer.finishEdges()
    try writer.finish(metadata: [])
    return path
  }

  @Test("missing edges are reported when the edges are finished")
  func missing() throws {
    let (writer, _) = try writer(edges: 65)
    for _ in 0..<64 { try writer.addEdge(.init(), points: 0..<0) { point(0, $0) } }
    expectError(.database, .software) { try writer.finishEdges() }
  }
}
