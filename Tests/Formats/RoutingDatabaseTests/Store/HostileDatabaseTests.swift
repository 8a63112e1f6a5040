// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import TestSupport
import Testing

@Suite("Files that are not routing databases")
struct NoDatabaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ path: String) -> RoutingError? {
    do throws(RoutingError) { try RoutingStore(path: path).open() } catch { return error }
    return nil
  }

  @Test("a missing file and a folder cannot be read")
  func unreadable() {
    #expect(error(folder.file("absent.db")) == .databaseUnreadable("no such file"))
    #expect(error(folder.path) == .databaseUnreadable("is a folder, not a file"))
  }

  @Test("one that another program is writing is locked, and a command may try again")
  func locked() throws {
    let path = try plainDatabase(in: folder, filledBy: [])
    let other = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try other.execute("BEGIN EXCLUSIVE")
    #expect(error(path) == .databaseLocked("database is locked"))
    #expect(error(path)?.exitCode == .temporaryFailure)
    try other.execute("COMMIT")
    #expect(error(path) == nil)
  }

  @Test("an empty file and a text file are not databases")
  func unusable() throws {
    let empty = try folder.write("", to: "empty.db")
    #expect(error(empty) == .databaseUnusable("is empty"))
    let page = try folder.write(String(repeating: "<html>", count: 100), to: "page.db")
    #expect(error(page) == .databaseUnusable("is not an SQLite database"))
  }

  @Test("a database of another kind lacks the tables")
  func otherDatabase() throws {
    let path = folder.file("tiles.mbtiles")
    try changeDatabase(path, ["CREATE TABLE tiles(zoom_level INTEGER)"])
    #expect(error(path) == .databaseUnusable("has no table routing_edges"))
  }

  @Test("a missing column is named with its table")
  func missingColumn() throws {
    let path = try plainDatabase(
      in: folder, filledBy: ["ALTER TABLE routing_edges DROP COLUMN sac_scale"])
    #expect(error(path) == .databaseUnusable("has no column routing_edges.sac_scale"))
  }

  @Test("a view instead of a table is refused, since it could compute for ever")
  func view() throws {
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        "DROP TABLE routing_metadata",
        """
        CREATE VIEW routing_metadata AS
        WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n)
        SELECT key, key AS value FROM n
        """,
      ])
    #expect(error(path) == .databaseUnusable("has no table routing_metadata"))
  }

  @Test(
    "a truncated database is damaged and does not trap", arguments: [60, 700, 4096, 9000])
  func cutOff(bytes: Int) throws {
    let whole = try bytesOfFile(try village.routingDatabase(in: folder))
    let path = try folder.write(Array(whole.prefix(bytes)), to: "cut.db")
    #expect(error(path)?.description.hasPrefix("the routing database is damaged: ") == true)
  }

  @Test("a database with any byte changed gives a result or an error")
  func changedBytes() throws {
    let whole = try bytesOfFile(try village.routingDatabase(in: folder))
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let store = RoutingStore(path: try folder.write(bytes, to: "changed.db"))
      do throws(RoutingError) {
        try store.open()
        for node in 1...5 as ClosedRange<Int64> { _ = try store.getEdgesFrom(node) }
        _ = try store.passableLines(touching: .world, profile: nil, except: [])
        _ = try store.metadata()
      } catch { #expect(!error.description.isEmpty) }
    }
  }
}

@Suite("A plain database with invalid values")
struct HostileRowsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store on two nodes and an edge between them, changed by a statement.
  private func store(_ change: String...) throws -> RoutingStore {
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        "INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.001, 10, NULL)",
        "INSERT INTO routing_edges(from_node, to_node, distance, cost, reverse_cost) "
          + "VALUES (1, 2, 111.2, 120, 120)",
      ] + change)
    let store = RoutingStore(path: path)
    try store.open()
    return store
  }

  /// The damage that a reader reports, or nil if it succeeds or throws another error.
  private func damage(_ read: () throws(RoutingError) -> some Any) -> String? {
    do throws(RoutingError) { _ = try read() } catch {
      if case .databaseCorrupted(let reason) = error { return reason }
    }
    return nil
  }

  @Test("unchanged it is readable, with defaults of 0, NULL and two-way")
  func plain() throws {
    let store = try store()
    #expect(try store.profileNames().isEmpty)
    #expect(try store.metadata().isEmpty)
    #expect(try store.minimumCostPerMetre() == 0)
    let edge = try #require(try store.getEdge(1))
    #expect(edge.elevationGain == 0 && edge.elevationLoss == 0)
    #expect(edge.surface == nil && edge.geometry.isEmpty && edge.osmWayID == nil)
    #expect(try store.getEdgesFrom(2).map(\.toNode) == [1])
  }

  @Test(
    "an edge with an invalid value is damage",
    arguments: [
      "distance = 'far'", "distance = -1", "distance = 9e999", "distance = 1e300",
      "elevation_gain = 'high'", "elevation_gain = -3", "elevation_loss = 9e999",
      "elevation_loss = x'00'", "cost = 'much'", "cost = 0", "cost = -5", "cost = 1e300",
      "reverse_cost = -9e999", "reverse_cost = 'x'", "geometry = x'000000'",
      "geometry = x'0000C07F0000C07F'", "geometry = 'text'",
    ])
  func edges(change: String) throws {
    let store = try store("UPDATE routing_edges SET \(change)")
    let reason = damage { () throws(RoutingError) in try store.getEdge(1) }
    #expect(reason?.contains("edge 1") == true)
  }

  @Test(
    "a node with an invalid coordinate or elevation is damage",
    arguments: [
      "latitude = 'north'", "latitude = 91", "longitude = -181", "latitude = 9e999",
      "elevation = 'high'", "elevation = 9e999", "elevation = -30000",
    ])
  func nodes(change: String) throws {
    let store = try store("UPDATE routing_nodes SET \(change) WHERE id = 1")
    let reason = damage { () throws(RoutingError) in try store.getNode(1) }
    #expect(reason?.contains("node 1") == true)
  }

  @Test("a NULL gain counts as 0")
  func nullClimb() throws {
    let store = try store("UPDATE routing_edges SET elevation_gain = NULL, elevation_loss = NULL")
    #expect(try store.getEdge(1)?.elevationGain == 0)
  }

  @Test("an edge that is not clearly two-way is a one-way", arguments: ["1", "NULL", "'x'"])
  func oneway(mark: String) throws {
    let store = try store("UPDATE routing_edges SET is_oneway = \(mark)")
    #expect(try store.getEdgesFrom(1).count == 1)
    #expect(try store.getEdgesFrom(2).isEmpty)
    #expect(try store.searchEdges(from: 2).isEmpty)
  }

  @Test(
    "an invalid least cost per metre counts as unknown",
    arguments: ["-1", "inf", "nan", "x", ""])
  func minimumCost(text: String) throws {
    let store = try store("INSERT INTO routing_metadata VALUES ('min_cost_per_metre', '\(text)')")
    #expect(try store.minimumCostPerMetre() == 0)
  }

  @Test("errors can be printed whatever values they carry")
  func descriptions() {
    let point = Coordinate(latitude: .nan, longitude: .infinity)
    for metres in [0, 12_345.6, .infinity, .nan, 1e300, -1] {
      let errors: [RoutingError] = [
        .noNearbyNode(point, radiusMetres: metres),
        .noRouteFound(exploredNodes: .max, closestApproachMetres: metres),
      ]
      for error in errors { #expect(!error.description.isEmpty) }
    }
  }
}
