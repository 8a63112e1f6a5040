// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnSQLiteKit
import Glibc
import SystemIO

/// Random rows of the shape of routing_edges.
struct EdgeRows {
  static let table = """
    CREATE TABLE routing_edges (id INTEGER PRIMARY KEY, from_node INTEGER NOT NULL, \
    to_node INTEGER NOT NULL, distance REAL NOT NULL, elevation_gain REAL, elevation_loss REAL, \
    surface TEXT, highway_type TEXT, sac_scale TEXT, trail_visibility TEXT, name TEXT, \
    osm_way_id INTEGER, cost REAL NOT NULL, reverse_cost REAL NOT NULL, is_oneway INTEGER, \
    geometry BLOB)
    """
  static let fromIndex = "CREATE INDEX idx_edges_from ON routing_edges(from_node)"
  static let toIndex = "CREATE INDEX idx_edges_to ON routing_edges(to_node)"

  var from: [Int64] = []
  var to: [Int64] = []
  var numbers: [Double] = []
  var ways: [Int64] = []
  var highways: [Int] = []
  var points: [Int] = []
  let texts = ["path", "track", "residential", "footway", "unclassified"].map { Array($0.utf8) }
  let name = Array("Höhenweg zur Alten Hütte".utf8)
  let geometry = [UInt8]((0..<1024).map { UInt8(truncatingIfNeeded: $0 * 37) })

  init(count: Int) {
    var random = SplitMix64(seed: 1)
    var node: Int64 = 100_000_000
    for _ in 0..<count {
      node += Int64.random(in: 0...5000, using: &random)
      from.append(node)
      to.append(node + Int64.random(in: -100_000...100_000, using: &random))
      numbers.append(Double.random(in: 1...500, using: &random))
      ways.append(Int64.random(in: 1...1_200_000_000, using: &random))
      highways.append(Int.random(in: 0..<5, using: &random))
      points.append(Int.random(in: 0...12, using: &random))
    }
  }
}

func removeFile(_ path: String) { unlink(path) }

/// Rows first, then the indexes, without a journal.
func writeWithSQLite(_ rows: EdgeRows, _ path: String) throws(CairnError) {
  let connection = try SQLiteConnection(path, .build)
  try connection.execute("BEGIN")
  try connection.execute(EdgeRows.table)
  let places = Array(repeating: "?", count: 16).joined(separator: ",")
  let insert = try connection.prepare("INSERT INTO routing_edges VALUES (\(places))")
  for index in rows.from.indices {
    let number = rows.numbers[index]
    try insert.bind(1, Int64(index + 1))
    try insert.bind(2, rows.from[index])
    try insert.bind(3, rows.to[index])
    try insert.bind(4, number)
    try insert.bind(5, number / 7)
    try insert.bind(6, 0.0)
    try insert.bind(8, String(decoding: rows.texts[rows.highways[index]], as: UTF8.self))
    if index % 4 == 0 {
      try insert.bind(11, String(decoding: rows.name, as: UTF8.self))
    } else {
      try insert.bindNull(11)
    }
    try insert.bind(12, rows.ways[index])
    try insert.bind(13, number * 1.3)
    try insert.bind(14, number * 1.7)
    try insert.bind(15, 0 as Int64)
    try rows.geometry.withUnsafeBufferPointer { bytes throws(CairnError) in
      try insert.bindBlob(
        16, UnsafeRawBufferPointer(start: bytes.baseAddress, count: 8 * rows.points[index]))
    }
    try insert.step()
    insert.reset()
  }
  try connection.execute(EdgeRows.fromIndex)
  try connection.execute(EdgeRows.toIndex)
  try connection.execute("COMMIT")
  connection.close()
}

func writePages(_ rows: EdgeRows, _ path: String) throws(CairnError) {
  let output = try AtomicOutput(path, replacing: { _ in true })
  var content = DatabaseContent()
  content.addTable("routing_edges", sql: EdgeRows.table, columns: 16) {
    _, tree throws(CairnError) in
    for index in rows.from.indices { try rows.add(index, to: &tree) }
  }
  for (name, sql, keys) in [
    ("idx_edges_from", EdgeRows.fromIndex, rows.from), ("idx_edges_to", EdgeRows.toIndex, rows.to),
  ] {
    content.add(
      .init(name, of: "routing_edges", sql: sql, columns: 2)
    ) {
      _, tree throws(CairnError) in
      for index in KeyOrder.ascending(keys) {
        tree.record.add(keys[Int(index)])
        tree.record.add(Int64(index) + 1)
        try tree.endRow()
      }
    }
  }
  try DatabasePages(content).writeAll(output.write(_:at:))
  // Without flushing to disk, as with SQLite.
  try rename(output.temporaryPath, to: path)
}

extension EdgeRows {
  func add(_ index: Int, to tree: inout TreePart) throws(CairnError) {
    let number = numbers[index]
    tree.record.addNull()
    tree.record.add(from[index])
    tree.record.add(to[index])
    tree.record.add(number)
    tree.record.add(number / 7)
    tree.record.add(0.0)
    tree.record.addNull()
    texts[highways[index]].withUnsafeBytes { tree.record.addText($0) }
    tree.record.addNull()
    tree.record.addNull()
    if index % 4 == 0 {
      name.withUnsafeBytes { tree.record.addText($0) }
    } else {
      tree.record.addNull()
    }
    tree.record.add(ways[index])
    tree.record.add(number * 1.3)
    tree.record.add(number * 1.7)
    tree.record.add(0 as Int64)
    geometry.withUnsafeBytes {
      tree.record.addBlob(UnsafeRawBufferPointer(rebasing: $0[..<(8 * points[index])]))
    }
    try tree.endRow(Int64(index + 1))
  }
}

private func rename(_ one: String, to other: String) throws(CairnError) {
  guard Glibc.rename(one, other) == 0 else {
    throw CairnError(.database, .ioError, "cannot rename \(one)")
  }
}

/// Throws if SQLite finds anything wrong.
func check(_ path: String, count: Int) throws(CairnError) {
  let connection = try SQLiteConnection(path, .readOnly)
  defer { connection.close() }
  let found = try connection.text("PRAGMA integrity_check") ?? ""
  let rows = try connection.integer("SELECT count(*) FROM routing_edges NOT INDEXED") ?? 0
  guard found == "ok", rows == Int64(count) else {
    throw CairnError(.database, .software, "\(path): \(found), \(rows) rows")
  }
}
