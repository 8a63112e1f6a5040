// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

extension OpenDatabase {
  /// The place of the costs in the database.
  enum CostSource: Sendable {
    /// The core columns of `routing_edges`, `is_oneway` included.
    case core
    /// The same columns, for the first profile; its times are in blocks.
    case first(Int64)
    /// Blocks of a profile; see ``CostBlock``.
    case blocks(Int64)
    /// The table `routing_costs` of version 2, with a row for each edge and profile.
    case rows(Int64)

    /// The profile, nil for the core columns.
    var profile: Int64? {
      switch self {
      case .core: nil
      case .first(let profile), .blocks(let profile), .rows(let profile): profile
      }
    }
  }

  /// The costs of an edge.
  struct Costs {
    /// In the direction of the row; infinite if it is impassable.
    var ahead: Double
    /// In the other direction.
    var back: Double
    /// Whether only the direction of its row is passable, whatever ``back`` is.
    var isOneway: Bool

    init(ahead: Double, back: Double) {
      self.ahead = ahead
      self.back = back
      isOneway = ahead.isFinite && back.isInfinite
    }
  }

  /// The columns of an edge `e` that ``costs(_:_:_:)`` reads.
  static let costColumns = "e.cost, e.reverse_cost, e.is_oneway IS NOT 0"

  /// The costs of the edge of the current row, whose first column is the id, from ``costColumns``
  /// that begin at a column; nil if the profile has no costs for it.
  func costs(_ source: CostSource, _ row: SQLiteStatement, _ column: Int32) throws(CairnError)
    -> Costs?
  {
    if day != nil, let price = dayPrice(source, row.integer(0)) {
      return Costs(ahead: price.cost, back: price.reverseCost)
    }
    switch source {
    case .core:
      var costs = Costs(ahead: try cost(row, column), back: try cost(row, column + 1))
      costs.isOneway = row.integer(column + 2) != 0
      return costs
    case .first:
      return Costs(ahead: try cost(row, column), back: try cost(row, column + 1))
    case .blocks, .rows: return try costsBeside(source, ofEdge: row.integer(0))
    }
  }

  /// The same for an edge by its id, with the columns of its row.
  func costs(_ source: CostSource, ofEdge edge: Int64, _ core: GraphPages.CoreCosts)
    throws(CairnError) -> Costs?
  {
    if day != nil, let price = dayPrice(source, edge) {
      return Costs(ahead: price.cost, back: price.reverseCost)
    }
    switch source {
    case .core:
      var costs = Costs(ahead: core.ahead, back: core.back)
      costs.isOneway = core.isOneway
      return costs
    case .first: return Costs(ahead: core.ahead, back: core.back)
    case .blocks, .rows: return try costsBeside(source, ofEdge: edge)
    }
  }

  /// The costs of an edge outside its row.
  private func costsBeside(_ source: CostSource, ofEdge edge: Int64) throws(CairnError) -> Costs? {
    switch source {
    case .core, .first: return nil
    case .blocks(let profile):
      let numbers = try numbers(&costCache, "costs", profile, edge)
      return try numbers.map { numbers throws(CairnError) in
        try costs(ofEdge: edge, numbers.ahead, numbers.back)
      }
    case .rows(let profile):
      let found = try statement(
        "SELECT edge, cost, reverse_cost FROM routing_costs WHERE profile = ? AND edge = ?")
      try found.bind(1, profile)
      try found.bind(2, edge)
      guard try found.step() else { return nil }
      return Costs(ahead: try cost(found, 1), back: try cost(found, 2))
    }
  }

  /// The seconds of an edge in both directions; nil if impassable or unknown.
  func seconds(_ source: CostSource, ofEdge edge: Int64) throws(CairnError) -> (
    ahead: Double?, back: Double?
  ) {
    if case .core = source { return (nil, nil) }
    if let price = dayPrice(source, edge) { return price.seconds }
    switch source {
    case .core: return (nil, nil)
    case .first(let profile), .blocks(let profile):
      guard let numbers = try numbers(&durationCache, "durations", profile, edge) else {
        return (nil, nil)
      }
      return (try seconds(ofEdge: edge, numbers.ahead), try seconds(ofEdge: edge, numbers.back))
    case .rows(let profile):
      let found = try statement(
        "SELECT edge, duration, reverse_duration FROM routing_costs WHERE profile = ? AND edge = ?")
      try found.bind(1, profile)
      try found.bind(2, edge)
      guard try found.step() else { return (nil, nil) }
      return (try seconds(found, 1), try seconds(found, 2))
    }
  }

  /// The two numbers of an edge in a column of `routing_cost_blocks`; nil if there is no such row.
  private func numbers(
    _ cache: inout BlockCache<[UInt8]>, _ column: String, _ profile: Int64, _ edge: Int64
  ) throws(CairnError) -> (ahead: Double, back: Double)? {
    guard
      let (block, index) = RoutingSchema.position(
        ofEdge: edge, per: RoutingSchema.edgesPerBlock),
      let id = CostBlock.id(profile: profile, block: block)
    else { return nil }
    let bytes = try cache.content(id) { () throws(CairnError) in
      try blob("SELECT \(column) FROM routing_cost_blocks WHERE id = ?", id)
    }
    guard let bytes else { return nil }
    guard let numbers = bytes.withUnsafeBytes({ CostBlock.numbers($0, index) }) else {
      throw damage("edge \(edge) is missing in its block of \(column)")
    }
    return numbers
  }

  /// The blob that a query returns for an id; nil if there is no row or it is NULL.
  func blob(_ sql: String, _ id: Int64) throws(CairnError) -> [UInt8]? {
    let row = try statement(sql)
    defer { row.reset() }
    try row.bind(1, id)
    guard try row.step(), !row.isNull(0) else { return nil }
    return try row.withBlob(0) { bytes throws(CairnError) in [UInt8](bytes) }
  }

  private func costs(ofEdge edge: Int64, _ ahead: Double, _ back: Double) throws(CairnError)
    -> Costs
  {
    for cost in [ahead, back] where !Self.isCost(cost) {
      throw damage("edge \(edge) has an invalid cost: \(cost)")
    }
    return Costs(ahead: ahead, back: back)
  }

  private func seconds(ofEdge edge: Int64, _ seconds: Double) throws(CairnError) -> Double? {
    if seconds == .infinity { return nil }
    guard Self.isQuantity(seconds) else {
      throw damage("edge \(edge) has an invalid time: \(seconds)")
    }
    return seconds
  }

  /// Seconds of an edge; nil if a direction is impassable.
  private func seconds(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Double? {
    row.isNull(column) || row.number(column).isInfinite ? nil : try quantity(row, column)
  }

  /// Calls `body` with the costs and times of all edges by a profile, in the order of edges.
  func forEachCost(
    _ source: CostSource, _ body: (RoutingStore.EdgeCost) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    switch source {
    case .core: return
    case .rows(let profile):
      try forEachRow(
        """
        SELECT edge, cost, reverse_cost, duration, reverse_duration FROM routing_costs
        WHERE profile = \(profile) ORDER BY edge
        """
      ) { database, row throws(RoutingError) in
        let cost: RoutingStore.EdgeCost
        do throws(CairnError) {
          cost = RoutingStore.EdgeCost(
            edge: row.integer(0), costs: (try database.cost(row, 1), try database.cost(row, 2)),
            duration: try database.seconds(row, 3), reverseDuration: try database.seconds(row, 4))
        } catch { throw RoutingError(reading: error) }
        try body(cost)
      }
    case .first(let profile), .blocks(let profile):
      guard let first = CostBlock.id(profile: profile, block: 0) else { return }
      var isFirst = false
      if case .first = source { isFirst = true }
      try forEachRow(
        """
        SELECT id, costs, durations FROM routing_cost_blocks
        WHERE id BETWEEN \(first) AND \(first | 0xFFFF_FFFF) ORDER BY id
        """
      ) { database, row throws(RoutingError) in
        // A block without costs belongs to edges without costs, except in the first profile.
        if row.isNull(1), !isFirst { return }
        let block = row.integer(0) &- first
        var failure: RoutingError?
        do throws(CairnError) {
          try row.withBlob(1) { costs throws(CairnError) in
            try row.withBlob(2) { durations throws(CairnError) in
              do throws(RoutingError) {
                try database.forEachCost(
                  block, isFirst ? nil : costs, durations
                ) { cost throws(RoutingError) in try body(database.onDay(cost, source)) }
              } catch { failure = error }
            }
          }
        } catch { throw RoutingError(reading: error) }
        if let failure { throw failure }
      }
    }
  }

  /// The costs of an edge on the day of the store.
  private func onDay(_ cost: RoutingStore.EdgeCost, _ source: CostSource) -> RoutingStore.EdgeCost {
    guard let price = dayPrice(source, cost.edge) else { return cost }
    var cost = cost
    cost.costs = (price.cost, price.reverseCost)
    (cost.duration, cost.reverseDuration) = price.seconds
    return cost
  }

  private func forEachCost(
    _ block: Int64, _ costs: UnsafeRawBufferPointer?, _ durations: UnsafeRawBufferPointer,
    _ body: (RoutingStore.EdgeCost) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    let count = durations.count / CostBlock.bytesPerEdge
    let first = block &* Int64(RoutingSchema.edgesPerBlock) &+ 1
    guard durations.count % CostBlock.bytesPerEdge == 0, count <= RoutingSchema.edgesPerBlock,
      costs.map({ $0.count == durations.count }) ?? true
    else {
      throw .databaseCorrupted("the block of costs from edge \(first) has an invalid length")
    }
    for index in 0..<count {
      let edge = first &+ Int64(index)
      guard let times = CostBlock.numbers(durations, index) else { return }
      var cost = RoutingStore.EdgeCost(edge: edge)
      do throws(CairnError) {
        cost.duration = try seconds(ofEdge: edge, times.ahead)
        cost.reverseDuration = try seconds(ofEdge: edge, times.back)
        if let costs, let (ahead, back) = CostBlock.numbers(costs, index) {
          if !Self.isCost(ahead) || !Self.isCost(back) {
            _ = try self.costs(ofEdge: edge, ahead, back)
          }
          cost.costs = (ahead, back)
        }
      } catch { throw RoutingError(reading: error) }
      try body(cost)
    }
  }
}
