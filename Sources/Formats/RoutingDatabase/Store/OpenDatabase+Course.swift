// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

extension OpenDatabase {
  /// The layout of the tables with a value for each edge.
  enum Layout {
    /// There are none.
    case none
    /// A row for each edge, as in version 2.
    case rows
    /// Rows for blocks of edges.
    case blocks

    /// The layout of a database with one of two tables, each with at least these columns.
    ///
    /// - Parameter tables: The columns of all tables.
    init(
      _ tables: [String: [String]], blocks: String, _ blockColumns: [String], rows: String,
      _ rowColumns: [String]
    ) {
      func has(_ table: String, _ columns: [String]) -> Bool {
        columns.allSatisfy(tables[table, default: []].contains)
      }
      self = has(blocks, blockColumns) ? .blocks : has(rows, rowColumns) ? .rows : .none
    }
  }

  /// The largest slope of an edge in percent; nil if it is unknown.
  func slope(ofEdge edge: Int64) throws(CairnError) -> Double? {
    switch elevationLayout {
    case .none: return nil
    case .rows:
      let row = try statement("SELECT max_slope FROM routing_elevation WHERE edge = ?")
      try row.bind(1, edge)
      return try row.step() && row.isNumber(0) ? row.number(0) : nil
    case .blocks:
      return try withNumbers(
        &slopeCache, "slopes", of: "routing_elevation_blocks", edge, per: ElevationBlock.edges
      ) { ElevationBlock.slope($0, $1) }
    }
  }

  /// The tag set of an edge's way; nil if it is unknown.
  func tagSet(ofEdge edge: Int64) throws(CairnError) -> Int64? {
    switch tagLayout {
    case .none: return nil
    case .rows:
      let row = try statement("SELECT tagset FROM routing_edge_tags WHERE edge = ?")
      try row.bind(1, edge)
      return try row.step() && row.isInteger(0) ? row.integer(0) : nil
    case .blocks:
      return try withNumbers(
        &tagSetCache, "tagsets", of: "routing_tagset_blocks", edge,
        per: RoutingSchema.edgesPerBlock
      ) { Int64($0[$1]) }
    }
  }

  /// The tag set of the barrier that an edge represents; nil if it represents none.
  func barrierTagSet(ofEdge edge: Int64) throws(CairnError) -> Int64? {
    switch tagLayout {
    case .none: return nil
    case .rows:
      let row = try statement("SELECT barrier FROM routing_edge_tags WHERE edge = ?")
      try row.bind(1, edge)
      return try row.step() && row.isInteger(0) ? row.integer(0) : nil
    case .blocks:
      var cache = BlockCache<[UInt8]>(slots: 1)
      let set = try withNumbers(
        &cache, "barriers", of: "routing_tagset_blocks", edge, per: RoutingSchema.edgesPerBlock
      ) { Int64($0[$1]) }
      return set == 0 ? nil : set
    }
  }

  /// Calls `body` with the numbers of an edge's block in a column, and the edge's index there; nil
  /// if there is no such row, NULL in it, or no such edge.
  private func withNumbers<Number>(
    _ cache: inout BlockCache<[UInt8]>, _ column: String, of table: String, _ edge: Int64,
    per edges: Int, _ body: (PackedNumbers, Int) -> Number?
  ) throws(CairnError) -> Number? {
    guard let (block, index) = RoutingSchema.position(ofEdge: edge, per: edges) else { return nil }
    let bytes = try cache.content(block) { () throws(CairnError) in
      try blob("SELECT \(column) FROM \(table) WHERE block = ?", block)
    }
    guard let bytes else { return nil }
    // The outer nil stands for a damaged blob.
    let number: Number?? = bytes.withUnsafeBytes { bytes in
      guard let numbers = PackedNumbers(bytes) else { return nil }
      return .some(index < numbers.count ? body(numbers, index) : nil)
    }
    guard let number else { throw damage("the block of \(column) of edge \(edge) is damaged") }
    return number
  }

  /// The course of an edge; its length, gain and loss are in the columns of a row from one on.
  func course(ofEdge edge: Int64, _ row: SQLiteStatement, _ column: Int32) throws(CairnError)
    -> EdgeCourse
  {
    var slope = try slope(ofEdge: edge)
    if slope == nil {
      let metres = row.number(column)
      let climb = max(row.number(column + 1), row.number(column + 2))
      slope = metres > 0 ? climb / metres * 100 : 0
    }
    let tags = try routeTags()
    let set = tags.isEmpty ? nil : try tagSet(ofEdge: edge)
    return EdgeCourse(
      slopePercent: slope ?? 0, isHikingRoute: set.map(tags.hiking.contains) ?? false,
      isCyclingRoute: set.map(tags.cycling.contains) ?? false)
  }
}
