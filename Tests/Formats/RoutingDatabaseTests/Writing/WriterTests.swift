// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import SystemIO
import TestSupport
import Testing

@Suite("Writing a routing database")
struct WriterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a database of two nodes and some edges.
  private func write(edges count: Int, _ edges: @escaping RoutingDatabaseWriter.Rows) throws
    -> String
  {
    var writer = RoutingDatabaseWriter()
    writer.addNodes(count: 2) { rows, part throws(CairnError) in
      for row in rows {
        try part.addNode(
          id: Int64(row + 1), at: Coordinate(latitude: 47, longitude: 10), elevation: nil)
      }
    }
    writer.addEdges(count: count, edges)
    let path = folder.file("written.db")
    let output = try AtomicOutput(path, replacing: { _ in true })
    try DatabasePages(writer.content).writeAll(output.write(_:at:))
    try output.commit()
    return path
  }

  @Test("geometries keep their points, however many there are")
  func geometries() throws {
    // None, few, about as many as fit into a page, and far more.
    let counts = (0..<9000).map { $0 % 3 == 0 ? 0 : $0 % 500 == 7 ? 970 + $0 / 100 : $0 % 20 }
    let last = counts.max() ?? 0
    let latitudes = (0..<70_000).map { Int32($0 * 12_345) }
    let longitudes = (0..<70_000).map { Int32($0 * -23_456) }
    let path = try write(edges: counts.count + 1) { rows, part throws(CairnError) in
      try latitudes.withUnsafeBufferPointer { latitudes throws(CairnError) in
        try longitudes.withUnsafeBufferPointer { longitudes throws(CairnError) in
          for edge in rows {
            let count = edge < counts.count ? counts[edge] : latitudes.count
            var row = RoutingDatabaseWriter.Edge()
            (row.fromNode, row.toNode, row.osmWayID) = (1, 2, Int64(edge))
            try part.addEdge(
              row, id: edge + 1, latitudes: UnsafeBufferPointer(rebasing: latitudes[..<count]),
              longitudes: UnsafeBufferPointer(rebasing: longitudes[..<count]))
          }
        }
      }
    }
    #expect(last > 1000)
    let connection = try SQLiteConnection(path, .readOnly)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    #expect(try connection.integer("SELECT seq FROM sqlite_sequence") == Int64(counts.count + 1))
    let statement = try connection.prepare(
      "SELECT id, osm_way_id, geometry FROM routing_edges ORDER BY id")
    for (edge, count) in (counts + [latitudes.count]).enumerated() {
      #expect(try statement.step())
      #expect(statement.integer(0) == Int64(edge + 1) && statement.integer(1) == Int64(edge))
      #expect(statement.isNull(2) == (count == 0))
      let expected = EdgeGeometry.pack(
        (0..<count).map {
          FixedCoordinate(latitude: latitudes[$0], longitude: longitudes[$0]).degrees
        })
      let isEqual = try statement.withBlob(2) { bytes in bytes.elementsEqual(expected) }
      #expect(isEqual, "edge \(edge) of \(count) points")
    }
  }

  @Test("what the rows throw ends the writing, and leaves no database")
  func failing() throws {
    expectError(.database, .software) {
      try write(edges: 5000) { rows, part throws(CairnError) in
        // Twice the same id.
        for edge in rows {
          try part.addEdge(
            .init(), id: min(edge + 1, 4500), latitudes: .init(start: nil, count: 0),
            longitudes: .init(start: nil, count: 0))
        }
      }
    }
    #expect(try folder.contents.isEmpty)
  }
}
