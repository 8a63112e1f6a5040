// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit
import SystemIO
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("Databases written as pages, and by SQLite")
struct DatabaseBuilderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func builder(_ path: String) throws -> DatabaseBuilder {
    let graph = try GraphFile(path)
    let profiles = [CostProfile.hiking, .cycling]
    var costs = profiles.map { EdgeCosts(graph, $0) }
    let prices = RulePrices(graph, profiles)
    let folding = BarrierFolding(graph, costs, prices)
    for profile in costs.indices {
      for edge in folding.leftOutEdges { costs[profile].close(Int(edge)) }
    }
    let components = costs.map { RouteComponents(graph, $0, folding, islandMetres: 5000) }
    return DatabaseBuilder(
      graph: graph, profiles: profiles, costs: costs, components: components, prices: prices,
      folding: folding,
      islandMetres: 5000, accessDate: nil, createdAt: nil)
  }

  private func write(
    _ builder: DatabaseBuilder, threads: Int, _ partSizes: RoutingDatabaseWriter.PartSizes,
    to path: String
  ) throws {
    let output = try AtomicOutput(path, replacing: { _ in true })
    try builder.write(threads: threads, partSizes: partSizes, output.write(_:at:))
    try output.commit()
  }

  /// Writes the database of a graph as pages and by SQLite, and compares everything in them.
  private func expectEqual(
    _ graph: String, partSizes: RoutingDatabaseWriter.PartSizes = .standard, _ comment: Comment
  ) throws {
    let builder = try builder(graph)
    let folder = try TemporaryFolder()
    let (path, other) = (folder.file("pages.routing.db"), folder.file("other.routing.db"))
    try write(builder, threads: 1, partSizes, to: path)
    for threads in [2, 5] {
      try write(builder, threads: threads, partSizes, to: other)
      #expect(try bytesOfFile(other) == bytesOfFile(path), comment)
    }
    let reference = folder.file("reference.routing.db")
    try builder.writeWithSQLite(to: reference)
    try expectEqual(path, reference, comment)
    let pages = try SQLiteConnection(path, .readOnly)
    #expect(try pages.text("PRAGMA integrity_check") == "ok", comment)
    #expect(try pages.text("PRAGMA foreign_key_check") == nil, comment)
    let copy = folder.file("copy.routing.db")
    try pages.execute("VACUUM INTO '\(copy)'")
    try expectEqual(copy, reference, comment)
  }

  private func expectEqual(_ path: String, _ reference: String, _ comment: Comment) throws {
    let (one, other) = (
      try SQLiteConnection(path, .readOnly), try SQLiteConnection(reference, .readOnly)
    )
    for pragma in ["application_id", "user_version", "page_size", "encoding"] {
      #expect(
        try one.text("PRAGMA \(pragma)") == other.text("PRAGMA \(pragma)"), comment)
    }
    let schema = "SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_schema"
    try expectEqual(one, other, schema, comment)
    for table in try rows(of: reference, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
      let name = try #require(table[0])
      let columns = try #require(try other.columns(ofTable: name))
      let row = columns.map { "typeof(\($0)) || quote(\($0))" }.joined(separator: " || ',' || ")
      try expectEqual(one, other, "SELECT \(row) FROM \(name)", "\(comment): \(name)")
    }
    // The rows by way of the indexes.
    for (table, index) in [
      ("routing_nodes", "idx_nodes_lat_lon"), ("routing_edges", "idx_edges_from"),
      ("routing_edges", "idx_edges_to"),
    ] {
      let order = try #require(
        try other.text("SELECT group_concat(name) FROM pragma_index_info('\(index)')"))
      try expectEqual(
        one, other, "SELECT id FROM \(table) INDEXED BY \(index) ORDER BY \(order), id",
        "\(comment): \(index)")
    }
  }

  private func expectEqual(
    _ one: SQLiteConnection, _ other: SQLiteConnection, _ query: String, _ comment: Comment
  ) throws {
    let (rows, expected) = (try one.prepare(query), try other.prepare(query))
    while try expected.step() {
      guard try rows.step(), rows.text(0) == expected.text(0) else {
        Issue.record("\(comment): not \(expected.text(0) ?? "nothing")")
        return
      }
    }
    #expect(try !rows.step(), "\(comment): more rows than SQLite wrote")
  }

  @Test("the database of a village has the rows that SQLite wrote, and the same schema")
  func village() throws {
    try expectEqual(try TestSupport.village.graphFile(in: folder), "village")
  }

  @Test("a graph without edges, and one without nodes, too")
  func empty() throws {
    for (nodes, edges) in [(0, 0), (1, 0), (1, 1), (2, 1)] {
      let graph = try GraphContent.random(nodes: nodes, edges: edges, seed: 1, in: folder)
      try expectEqual(graph, "\(nodes) nodes, \(edges) edges")
    }
  }

  @Test("every number of edges up to that of some pages, with barriers left out")
  func fewEdges() throws {
    for edges in Array(2...40) + [80, 120, 160] {
      let graph = try GraphContent.random(
        nodes: edges + 3, edges: edges, barriers: edges / 4, seed: UInt64(edges), in: folder)
      try expectEqual(graph, "\(edges) edges")
    }
  }

  // One and two parts of edges, of nodes, of blocks of elevations, of index entries, of blocks of
  // costs. The parts are small so that few rows are many parts; standard ones are those of Andorra.
  @Test(
    "numbers of rows around those of a part",
    arguments: [128, 256, 512, 992, 1000, 1024, 1984, 2000, 2048])
  func parts(size: Int) throws {
    for offset in [-1, 0, 1] {
      let graph = try GraphContent.random(
        nodes: size - offset, edges: size + offset, barriers: offset == 1 ? 9 : 0, seed: 5,
        in: folder)
      try expectEqual(graph, partSizes: .small, "\(size) + \(offset)")
    }
  }

  @Test("the sample data")
  func sample() throws {
    try expectEqual(
      try graphFile(
        of: packageRoot + "/sample-data/valley.osm.pbf", hgt: packageRoot + "/sample-data/hgt",
        in: folder), "sample data")
  }

  @Test("Andorra", .enabled(if: sharedData("andorra.osm.pbf") != nil))
  func andorra() throws {
    let extract = try #require(sharedData("andorra.osm.pbf"))
    try expectEqual(
      try graphFile(of: extract, hgt: try #require(sharedData("hgt")), in: folder), "Andorra")
  }

  @Test("an error of the output ends the writing on every thread, whenever it comes")
  func failing() throws {
    let graph = try GraphContent.random(nodes: 9000, edges: 9000, seed: 2, in: folder)
    let builder = try builder(graph)
    let all = WorkQueue(count: .max)
    try builder.write(threads: 1) { _, _ in _ = all.next() }
    let count = try #require(all.next())
    for threads in [1, 2, 4] {
      for allowed in 0..<count {
        let output = try AtomicOutput(folder.file("broken.routing.db"), replacing: { _ in true })
        let writes = WorkQueue(count: allowed)
        expectError("test", .ioError) {
          try builder.write(threads: threads) { bytes, offset throws(CairnError) in
            guard writes.next() != nil else { throw CairnError("test", .ioError, "disk full") }
            try output.write(bytes, at: offset)
          }
          return ()
        }
      }
    }
    #expect(try !folder.contents.contains { $0.contains("broken") })
  }
}
