// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnSQLiteKit

/// The differences of a database on a day from the day of its build.
package struct DayCosts: Sendable {
  /// The differences for a profile.
  package struct Profile: Sendable {
    /// The prices of the edges whose access depends on times, by their ids.
    package var prices: [Int64: StoredRule.Price]
    /// Whether the passability of any of these edges differs from the day of the build, so that
    /// there may be other islands.
    package var changesPassage: Bool

    /// Describes a profile.
    package init(prices: [Int64: StoredRule.Price], changesPassage: Bool) {
      (self.prices, self.changesPassage) = (prices, changesPassage)
    }
  }

  /// By the index of the profile in `routing_profiles`.
  package var profiles: [Profile]

  /// Describes a day.
  package init(profiles: [Profile]) { self.profiles = profiles }
}

extension RoutingStore {
  /// The rules on times of the database in the order of their ids; nil if it has no such table.
  ///
  /// - Parameter edges: In several databases, edges whose rules are requested; nil for all.
  package func storedRules(ofEdges edges: [Int64]? = nil) throws(RoutingError) -> [StoredRule]? {
    if let joined { return try joined.storedRules(ofEdges: edges) }
    return try read { database throws(CairnError) in try database.storedRules() }
  }

  /// The tags of the sets of some rules, by set.
  package func tags(ofSets sets: Set<Int64>) throws(RoutingError) -> [Int64: [String: String]] {
    if let joined { return try joined.tags(ofSets: sets) }
    return try read { database throws(CairnError) in
      var tags: [Int64: [String: String]] = [:]
      for set in sets.sorted() { tags[set] = try database.tags(ofSet: set) }
      return tags
    }
  }

  /// The same database on a day: everything that depends on costs is as if built for it. Throws the
  /// errors of ``open()``.
  package func onDay(_ day: DayCosts) throws(RoutingError) -> RoutingStore {
    let store =
      try joined.map { joined throws(RoutingError) in RoutingStore(try joined.onDay(day)) }
      ?? onDayWhenOpened(day)
    try store.open()
    return store
  }
}

extension OpenDatabase {
  fileprivate func storedRules() throws(CairnError) -> [StoredRule]? {
    let columns = try connection.columns(ofTable: "routing_rules") ?? []
    guard ["id", "edges", "classes", "prices"].allSatisfy(columns.contains), !profiles.isEmpty
    else {
      return nil
    }
    var rules: [StoredRule] = []
    let row = try connection.prepare(
      "SELECT id, edges, classes, prices FROM routing_rules ORDER BY id")
    while try row.step() {
      let id = row.integer(0)
      let edges = try row.withBlob(1) { bytes throws(CairnError) -> [Int]? in
        PackedNumbers(bytes).map { numbers in (0..<numbers.count).map { numbers[$0] } }
      }
      guard let edges,
        let rule = StoredRule(
          .init(
            id: id, edges: edges,
            classes: try row.withBlob(2) { bytes throws(CairnError) in [UInt8](bytes) },
            prices: try row.withBlob(3) { bytes throws(CairnError) in [UInt8](bytes) }),
          profileCount: profiles.count)
      else { throw damage("rule \(id) is damaged") }
      rules.append(rule)
    }
    return rules
  }

  /// The price of an edge on the day of the store by a profile, nil for the core columns; nil if it
  /// is as in the build.
  @inline(__always)
  func dayPrice(_ source: CostSource, _ edge: Int64) -> StoredRule.Price? {
    guard let day else { return nil }
    return dayProfile(source.profile, of: day)?.prices[edge]
  }

  private func dayProfile(_ id: Int64?, of day: DayCosts) -> DayCosts.Profile? {
    let index = id.map { id in profiles.firstIndex { $0.id == id } } ?? 0
    return index.flatMap { day.profiles.indices.contains($0) ? day.profiles[$0] : nil }
  }

  /// The least cost per metre on the day of the store, given that of the build.
  func dayMinimum(_ stored: Double, _ source: CostSource) throws(CairnError) -> Double {
    guard let day, let profile = dayProfile(source.profile, of: day) else { return stored }
    var least = stored
    let row = try statement("SELECT distance FROM routing_edges WHERE id = ?")
    for (edge, price) in profile.prices {
      try row.bind(1, edge)
      if try row.step(), row.number(0) > 0 {
        least = min(least, min(price.cost, price.reverseCost) / row.number(0))
      }
      row.reset()
    }
    // 0 stands for an unknown bound, or for a profile that passes nothing on that day.
    return stored > 0 ? least : 0
  }

  /// What climbing costs at least on the day of the store, given that of the build.
  ///
  /// - Parameter perMetre: The least cost per metre on that day.
  func dayClimbCosts(_ stored: ClimbCosts, perMetre: Double, _ source: CostSource)
    throws(CairnError) -> ClimbCosts
  {
    guard let day, let profile = dayProfile(source.profile, of: day) else { return stored }
    var least = ClimbCosts.Least(perMetre: perMetre)
    let row = try statement(
      """
      SELECT e.distance, b.elevation - a.elevation FROM routing_edges e
      LEFT JOIN routing_nodes a ON a.id = e.from_node LEFT JOIN routing_nodes b ON b.id = e.to_node
      WHERE e.id = ?
      """)
    for (edge, price) in profile.prices {
      try row.bind(1, edge)
      if try row.step() {
        let (metres, rise) = (row.number(0), row.isNull(1) ? .nan : row.number(1))
        least.add(cost: price.cost, metres: metres, rise: rise)
        least.add(cost: price.reverseCost, metres: metres, rise: -rise)
      }
      row.reset()
    }
    return least.costs(atMost: stored)
  }

  /// The islands of a profile by their nodes on the day of the store; nil if they are as in the
  /// build.
  func dayIslands(_ id: Int64?) throws(CairnError) -> [Int64: Island]? {
    guard let day, let profile = dayProfile(id, of: day), profile.changesPassage else { return nil }
    let index = id ?? profiles.first?.id ?? 0
    if let known = knownDayIslands[index] { return known }
    let source = profiles.first { $0.id == index }?.costs ?? .core
    let islands = try findIslands(id == nil ? .core : source)
    knownDayIslands[index] = islands
    return islands
  }

  private func findIslands(_ source: CostSource) throws(CairnError) -> [Int64: Island] {
    var ids: [Int64] = []
    let node = try statement("SELECT id FROM routing_nodes ORDER BY id")
    while try node.step() { ids.append(node.integer(0)) }
    var edges: [RouteComponents.Edge] = []
    let row = try statement(
      "SELECT id, from_node, to_node, distance, \(Self.costColumns) FROM routing_edges e ORDER BY id"
    )
    while try row.step() {
      guard let from = ids.binarySearch(row.integer(1)), let to = ids.binarySearch(row.integer(2)),
        let costs = try costs(source, row, 4)
      else { continue }
      edges.append(
        RouteComponents.Edge(
          from: UInt32(from), to: UInt32(to), metres: try quantity(row, 3),
          isPassableAhead: costs.ahead.isFinite,
          isPassableBack: costs.back.isFinite && !costs.isOneway))
    }
    let threshold = try metadata()[RoutingMetadataKey.islandThreshold].flatMap { Double($0) }
    let components = RouteComponents(
      nodes: ids.count, edges: edges.count,
      islandMetres: threshold ?? RouteComponents.defaultIslandMetres
    ) { edges[$0] }
    var islands: [Int64: Island] = [:]
    for (node, component) in zip(components.islandNodes, components.islandComponents) {
      islands[ids[Int(node)]] = Island(component: Int64(component) + 1)
    }
    return islands
  }
}
