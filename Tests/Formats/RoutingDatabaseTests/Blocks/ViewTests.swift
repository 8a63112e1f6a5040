// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import TestSupport
import Testing

@testable import CairnRoutingDatabase

@Suite("Views that unpack blocks")
struct ViewTests {
  /// A database of some edges without anything else, and two profiles.
  private func database(edges: Int, in folder: TemporaryFolder) throws -> String {
    let path = folder.file("views.db")
    let schema = RoutingSchema.coreTables + RoutingSchema.extensionTables
    try changeDatabase(path, schema + RoutingSchema.extensionViews.map(\.sql))
    try changeDatabase(
      path,
      [
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(edges))
        INSERT INTO routing_edges(id, from_node, to_node, distance, cost, reverse_cost)
        SELECT i, 1, 2, 3, i, i + 0.5 FROM n
        """,
        "INSERT INTO routing_profiles VALUES (1, 'b', '', '', 1), (2, 'a', '', '', 1)",
      ])
    return path
  }

  private func insert(_ path: String, _ table: String, _ id: Int64, _ blobs: [[UInt8]?]) throws {
    let connection = try SQLiteConnection(path, .build)
    let places = blobs.map { _ in ",?" }.joined()
    let statement = try connection.prepare("INSERT INTO \(table) VALUES (?\(places))")
    try statement.bind(1, id)
    for (index, blob) in blobs.enumerated() {
      guard let blob else { continue }
      try blob.withUnsafeBufferPointer {
        try statement.bindBlob(Int32(index + 2), UnsafeRawBufferPointer($0))
      }
    }
    try statement.step()
  }

  private func bytes(_ numbers: [Float]) -> [UInt8] {
    stride(from: 0, to: numbers.count, by: 2).map { CostBlock.bits(numbers[$0], numbers[$0 + 1]) }
      .withUnsafeBytes { [UInt8]($0) }
  }

  @Test("numbers of all sizes are the same in SQL, and infinity is infinite")
  func floats() throws {
    let folder = try TemporaryFolder()
    let path = try database(edges: 2300, in: folder)
    var random = SeededGenerator(seed: 3)
    let fixed: [Float] = [
      0, 1, 1.5, .infinity, CostBlock.least, CostBlock.greatest, 8_388_607, 8_388_608, 16_777_216,
      0.1, 65_535, 255, 256, 1 - 0x1p-24, 1 + 0x1p-23, 0x1.FFFFFEp61,
    ]
    let numbers = (0..<(4 * 2300)).map { index in
      if index < fixed.count { return fixed[index] }
      let mantissa = Float.random(in: 1..<2, using: &random)
      return Float(
        sign: .plus, exponent: Int.random(in: -32...61, using: &random), significand: mantissa)
    }
    for block in 0..<3 {
      let part = Array(numbers[(4000 * block)..<min(4000 * (block + 1), numbers.count)])
      let (costs, seconds) = (Array(part[..<(part.count / 2)]), Array(part[(part.count / 2)...]))
      try insert(
        path, "routing_cost_blocks", 2 << 32 | Int64(block), [bytes(costs), bytes(seconds)])
      try insert(path, "routing_cost_blocks", 1 << 32 | Int64(block), [nil, bytes(seconds)])
    }
    let row = try SQLiteConnection(path, .readOnly).prepare("SELECT * FROM routing_costs")
    for profile in 1...2 {
      for edge in 0..<2300 {
        try #require(try row.step())
        let (block, index) = edge.quotientAndRemainder(dividingBy: 1000)
        let count = min(1000, 2300 - 1000 * block)
        let first = 4000 * block + 2 * index
        let costs =
          profile == 1
          ? [Double(edge + 1), Double(edge) + 1.5] : [first, first + 1].map { Double(numbers[$0]) }
        let seconds = [first, first + 1].map { Double(numbers[$0 + 2 * count]) }
        let found = (2..<6).map { row.number($0) }
        #expect(row.integer(0) == profile && row.integer(1) == edge + 1)
        #expect(found == costs + seconds, "profile \(profile), edge \(edge + 1)")
      }
    }
    #expect(try !row.step())
  }

  @Test("numbers of two and of four bytes, and edges that a block lacks")
  func widths() throws {
    let folder = try TemporaryFolder()
    let path = try database(edges: 40, in: folder)
    let sets = [70_000, 1, 4_294_967_295, 65_535]
    try insert(
      path, "routing_tagset_blocks", 0,
      [PackedNumbers.pack(sets), PackedNumbers.pack([0, 258, 0, 7])])
    #expect(
      try rows(of: path, "SELECT * FROM routing_edge_tags") == [
        ["1", "70000", nil], ["2", "1", "258"], ["3", "4294967295", nil], ["4", "65535", "7"],
      ])
    let profile = [UInt8](repeating: 3, count: 70_000)
    let wide = ElevationBlock.packSlopes([-1e6, nil, 0.25])
    try insert(
      path, "routing_elevation_blocks", 0,
      [wide, PackedNumbers.pack([69_000, 69_000, 70_000]), profile])
    try insert(
      path, "routing_elevation_blocks", 1,
      [
        ElevationBlock.packSlopes([nil, -327.67, 12.5]), PackedNumbers.pack([0, 2, 3]),
        [0, 9, 255],
      ])
    #expect(
      try rows(
        of: path,
        "SELECT edge, max_slope, length(profile), hex(substr(profile, 1, 2)) FROM routing_elevation"
      ) == [
        ["1", "-1000000.0", "69000", "0303"], ["3", "0.25", "1000", "0303"],
        ["34", "-327.67", "2", "0009"], ["35", "12.5", "1", "FF"],
      ])
  }
}
