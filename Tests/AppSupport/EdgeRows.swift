// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The tables of version 2 that had a row for each edge, as views have it now.
private let edgeTables = [
  "routing_costs": """
  CREATE TABLE routing_costs (
      profile INTEGER NOT NULL REFERENCES routing_profiles(id),
      edge INTEGER NOT NULL REFERENCES routing_edges(id),
      cost REAL NOT NULL,
      reverse_cost REAL NOT NULL,
      duration REAL NOT NULL,
      reverse_duration REAL NOT NULL,
      PRIMARY KEY (profile, edge)
  ) WITHOUT ROWID
  """,
  "routing_elevation": """
  CREATE TABLE routing_elevation (
      edge INTEGER PRIMARY KEY REFERENCES routing_edges(id),
      max_slope REAL NOT NULL,
      profile BLOB NOT NULL
  )
  """,
  "routing_edge_tags": """
  CREATE TABLE routing_edge_tags (
      edge INTEGER PRIMARY KEY REFERENCES routing_edges(id),
      tagset INTEGER NOT NULL,
      barrier INTEGER
  )
  """,
]

private let blockTables = [
  "routing_costs": "routing_cost_blocks", "routing_elevation": "routing_elevation_blocks",
  "routing_edge_tags": "routing_tagset_blocks",
]

/// Makes a database of version 2 of one of today's: with a row for each edge and profile.
package func makeVersion2(_ path: String) throws {
  let connection = try SQLiteConnection(path, .build)
  defer { connection.close() }
  try unpackBlocks(connection)
  try connection.execute("DROP VIEW routing_bytes")
  try connection.execute("DROP TABLE routing_way_blocks")
  try connection.execute("DROP TABLE routing_graph_blocks")
  try connection.execute("PRAGMA user_version = 2")
  try connection.execute("UPDATE routing_metadata SET value = '2' WHERE key = 'version'")
}

/// Lists the edges of each way as they are.
private func listWays(_ connection: SQLiteConnection) throws {
  let row = try connection.prepare(
    "SELECT osm_way_id, id FROM routing_edges WHERE osm_way_id <> 0 ORDER BY osm_way_id, id")
  var edges: [(way: Int64, id: Int64)] = []
  while try row.step() { edges.append((row.integer(0), row.integer(1))) }
  try connection.execute("DELETE FROM routing_way_blocks")
  let blocks = WayBlockRows(edgeCount: edges.count) {
    edges[$0].way
  } edge: {
    edges[$0].id
  }
  for row in blocks.rows {
    let insertion = try connection.prepare("INSERT INTO routing_way_blocks VALUES (?, ?)")
    try insertion.bind(1, row.way)
    try row.edges.withUnsafeBytes { try insertion.bindBlob(2, $0) }
    _ = try insertion.step()
  }
}

/// Rewrites the blocks of the graph of a small database, whose nodes are in one block; leaves them if an
/// edge has no node.
private func rewriteGraph(_ connection: SQLiteConnection) throws {
  let row = try connection.prepare(
    "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id")
  var nodes: [GraphBlockRows.Node] = []
  while try row.step() {
    let place = Coordinate(latitude: row.number(1), longitude: row.number(2))
    nodes.append(
      .init(
        id: row.integer(0),
        position: FixedCoordinate(place) ?? FixedCoordinate(latitude: 0, longitude: 0),
        elevation: row.isNumber(3) ? Float(row.number(3)) : .nan))
  }
  let indices = Dictionary(uniqueKeysWithValues: zip(nodes.map(\.id), nodes.indices))
  let edge = try connection.prepare(
    "SELECT from_node, to_node, distance, geometry FROM routing_edges ORDER BY id")
  var edges: [(GraphBlockRows.Edge, points: [UInt64])] = []
  while try edge.step() {
    guard let from = indices[edge.integer(0)], let to = indices[edge.integer(1)] else { return }
    let points = try edge.withBlob(3) { bytes in
      stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
    edges.append((.init(from: UInt32(from), to: UInt32(to), metres: edge.number(2)), points))
  }
  guard nodes.count <= PlaceOrder.nodesPerBlock else { return }
  let order = PlaceOrder(nodeCount: nodes.count, edgeCount: edges.count) {
    nodes[$0].position
  } from: { _ in
    0
  }
  let rows = GraphBlockRows(order, node: { [nodes] in nodes[$0] }, edges: edges.map(\.0)) {
    $0.extend(bits: edges[$1].points)
  }
  try connection.execute("DELETE FROM routing_graph_blocks")
  for row in 0..<rows.count {
    let insertion = try connection.prepare("INSERT INTO routing_graph_blocks VALUES (?, ?)")
    try insertion.bind(1, GraphDirectory.row + Int64(row))
    try rows.bytes(ofRow: row).withUnsafeBytes { try insertion.bindBlob(2, $0) }
    _ = try insertion.step()
  }
}

/// Runs a statement that may change `routing_costs`, `routing_elevation` and `routing_edge_tags` as if
/// they were tables. What is derived from nodes and edges is derived anew.
func changeEdgeRows(_ connection: SQLiteConnection, _ statement: String) throws {
  let views = try edgeTables.keys.sorted().filter { name in
    guard statement.replacing(blockTables[name] ?? "", with: "").contains(name) else {
      return false
    }
    let query = "SELECT count(*) FROM sqlite_master WHERE type = 'view' AND name = '\(name)'"
    return try !statement.contains("VIEW") && connection.integer(query) == 1
  }
  try unpackBlocks(connection, of: views)
  try connection.execute(statement)
  let changesWays =
    statement.contains("UPDATE routing_edges SET osm_way_id")
    || statement.contains("INSERT INTO routing_edges")
  if changesWays, try connection.columns(ofTable: "routing_way_blocks") != nil {
    try listWays(connection)
  }
  let changesGraph = ["routing_nodes", "routing_edges"].contains { table in
    ["UPDATE \(table)", "INSERT INTO \(table)", "DELETE FROM \(table)"].contains {
      statement.contains($0)
    }
  }
  if changesGraph, try connection.columns(ofTable: "routing_graph_blocks") != nil {
    try rewriteGraph(connection)
  }
  for name in views {
    guard try connection.columns(ofTable: name) != nil else { continue }
    let table = blockTables[name] ?? ""
    let sql = RoutingSchema.extensionTables.first { $0.contains(table) } ?? ""
    try connection.execute(sql)
    switch name {
    case "routing_costs": try packCosts(connection)
    case "routing_elevation": try packElevations(connection)
    default: try packTagSets(connection)
    }
    try connection.execute("DROP TABLE \(name)")
    let view = RoutingSchema.extensionViews.first { $0.name == name }
    try connection.execute(view?.sql ?? "")
  }
}

private func unpackBlocks(_ connection: SQLiteConnection, of names: [String]? = nil) throws {
  for name in names ?? edgeTables.keys.sorted() {
    try connection.execute("CREATE TABLE unpacked AS SELECT * FROM \(name)")
    try connection.execute("DROP VIEW \(name)")
    try connection.execute(edgeTables[name] ?? "")
    try connection.execute("INSERT INTO \(name) SELECT * FROM unpacked")
    try connection.execute("DROP TABLE unpacked")
    try connection.execute("DROP TABLE \(blockTables[name] ?? "")")
  }
}

private func edgeCount(_ connection: SQLiteConnection) throws -> Int {
  Int(try connection.integer("SELECT coalesce(max(id), 0) FROM routing_edges") ?? 0)
}

private func insert(
  _ connection: SQLiteConnection, _ table: String, _ id: Int64, _ blobs: [[UInt8]?]
)
  throws
{
  let statement = try connection.prepare(
    "INSERT INTO \(table) VALUES (?\(blobs.map { _ in ",?" }.joined()))")
  try statement.bind(1, id)
  for (index, blob) in blobs.enumerated() {
    if let blob {
      try blob.withUnsafeBufferPointer {
        try statement.bindBlob(Int32(index + 2), UnsafeRawBufferPointer($0))
      }
    } else {
      try statement.bindNull(Int32(index + 2))
    }
  }
  try statement.step()
}

/// Packs the rows as they are: an edge without one has NaN.
private func packCosts(_ connection: SQLiteConnection) throws {
  let edges = try edgeCount(connection)
  let row = try connection.prepare(
    """
    SELECT c.profile, c.edge, c.cost, c.reverse_cost, c.duration, c.reverse_duration,
      c.cost IS e.cost AND c.reverse_cost IS e.reverse_cost
    FROM routing_costs c LEFT JOIN routing_edges e ON e.id = c.edge ORDER BY c.profile, c.edge
    """)
  struct Block {
    var numbers: [Float]
    var isShared = true
  }
  var blocks: [Int64: Block] = [:]
  while try row.step() {
    let (profile, edge) = (row.integer(0), Int(row.integer(1)))
    let number = (edge - 1) / RoutingSchema.edgesPerBlock
    let first = number * RoutingSchema.edgesPerBlock
    let id = profile << 32 | Int64(number)
    let count = max(0, min(RoutingSchema.edgesPerBlock, edges - first))
    var block = blocks[id] ?? Block(numbers: Array(repeating: .nan, count: 4 * count))
    if !(profile == 1 && row.integer(6) == 1) { block.isShared = false }
    for column in 0..<4 {
      let index = 4 * (edge - 1 - first) + column
      guard index < block.numbers.count, row.isNumber(Int32(2 + column)) else { continue }
      block.numbers[index] = Float(row.number(Int32(2 + column)))
    }
    blocks[id] = block
  }
  for (id, block) in blocks.sorted(by: { $0.key < $1.key }) {
    func bytes(_ column: Int) -> [UInt8] {
      let words = stride(from: column, to: block.numbers.count, by: 4).map {
        CostBlock.bits(block.numbers[$0], block.numbers[$0 + 1])
      }
      return words.withUnsafeBytes { [UInt8]($0) }
    }
    try insert(connection, "routing_cost_blocks", id, [block.isShared ? nil : bytes(0), bytes(2)])
  }
}

private func packElevations(_ connection: SQLiteConnection) throws {
  let edges = try edgeCount(connection)
  let row = try connection.prepare(
    "SELECT max_slope, profile FROM routing_elevation WHERE edge = ?")
  for first in stride(from: 0, to: edges, by: ElevationBlock.edges) {
    var (slopes, ends, profiles): ([Double?], [Int], [UInt8]) = ([], [], [])
    for edge in first..<min(first + ElevationBlock.edges, edges) {
      row.reset()
      try row.bind(1, Int64(edge + 1))
      var slope: Double?
      if try row.step() {
        slope = row.number(0)
        try row.withBlob(1) { profiles += $0 }
      }
      slopes.append(slope)
      ends.append(profiles.count)
    }
    if slopes.allSatisfy({ $0 == nil }) { continue }
    try insert(
      connection, "routing_elevation_blocks", Int64(first / ElevationBlock.edges),
      [ElevationBlock.packSlopes(slopes), PackedNumbers.pack(ends), profiles])
  }
}

private func packTagSets(_ connection: SQLiteConnection) throws {
  let edges = try edgeCount(connection)
  let row = try connection.prepare("SELECT tagset, barrier FROM routing_edge_tags WHERE edge = ?")
  for first in stride(from: 0, to: edges, by: RoutingSchema.edgesPerBlock) {
    var (sets, barriers): ([Int], [Int]) = ([], [])
    for edge in first..<min(first + RoutingSchema.edgesPerBlock, edges) {
      row.reset()
      try row.bind(1, Int64(edge + 1))
      let isKnown = try row.step()
      // A set that cannot be packed becomes one that does not exist.
      func number(_ column: Int32) -> Int {
        isKnown ? min(Int(row.integer(column)), Int(UInt32.max)) : 0
      }
      sets.append(number(0))
      barriers.append(number(1))
    }
    try insert(
      connection, "routing_tagset_blocks", Int64(first / RoutingSchema.edgesPerBlock),
      [
        PackedNumbers.pack(sets),
        barriers.allSatisfy { $0 == 0 } ? nil : PackedNumbers.pack(barriers),
      ])
  }
}
