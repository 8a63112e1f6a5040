// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules

/// Lists of arcs, one for each node, in one array (compressed sparse rows).
package struct ArcTable: Sendable {
  /// For each node the index of its first arc, and at the end the number of arcs.
  package let starts: [Int32]
  /// The arcs of all nodes; those of one node in the order of their edges, with the direction of
  /// the row first.
  package let arcs: [Arc]

  /// The indices of a node's arcs.
  @inline(__always)
  package func range(_ node: Int32) -> Range<Int> {
    Int(starts[Int(node)])..<Int(starts[Int(node) + 1])
  }
}

/// The graph of one profile in memory. Immutable: any number of threads may search it.
public final class ProfileGraph: Sendable {
  /// Nodes, edges and lines.
  public let network: RoadNetwork
  /// The name of the profile; nil for the core columns.
  public let profile: String?
  /// The mode that the profile is made for; nil for the core columns.
  public let mode: RoutingMode?
  /// The passable arcs that lead away from each node.
  package let outgoing: ArcTable
  /// A lower bound of the cost of every arc.
  package let bound: CostBound
  /// The cost of each edge by its index; infinite if it is impassable.
  package let costs: [Double]
  /// The costs in the other direction.
  package let reverseCosts: [Double]
  /// The formula of the profile; nil for the core columns.
  private let formula: ProfileFormula?
  private let durations: [Double]
  private let reverseDurations: [Double]
  /// For each node the id of its island; −1 for the network.
  let islands: [Int32]
  private let hasIslandTable: Bool
  /// Whether any node lies on an island.
  let hasIslands: Bool
  let day: TravelDay?
  let timed: TimedPrices?
  /// The index of the profile in the database; nil if the database does not have it.
  private let indexInRules: Int?

  /// Reads the costs of a profile (nil: the core columns) for a network of the same
  /// database. Throws `RoutingError.profileNotAvailable(_:available:)` if it has none.
  public convenience init(_ network: RoadNetwork, profile: String?, reading store: RoutingStore)
    throws(RoutingError)
  {
    let mode = try profile.flatMap { name throws(RoutingError) in try store.mode(ofProfile: name) }
    let columns = try CostColumns(of: network, profile: profile, reading: store)
    var islands = [Int32](repeating: -1, count: network.nodeIDs.count)
    for (id, island) in try store.islandNodes(profile: profile) {
      if let node = network.index(ofNode: id) { islands[Int(node)] = island.id }
    }
    self.init(
      network,
      Origin(
        profile: profile, mode: mode,
        formula: try profile.map { name throws(RoutingError) in
          try store.formula(ofProfile: name)
        },
        indexInRules: network.rules?.index(ofProfile: profile)), columns, islands: islands,
      knowsIslands: try store.knowsIslands())
  }

  /// Costs and times of all edges of a network by their indices.
  package struct CostColumns: Sendable {
    /// Costs in the direction of the row; infinite if an edge is impassable.
    package var costs: [Double]
    /// Costs in the other direction.
    package var reverseCosts: [Double]
    /// Seconds in the direction of the row; NaN if they are unknown. Empty for the core columns.
    package var durations: [Double] = []
    /// Seconds in the other direction.
    package var reverseDurations: [Double] = []

    /// Takes costs without times.
    package init(costs: [Double], reverseCosts: [Double]) {
      (self.costs, self.reverseCosts) = (costs, reverseCosts)
    }

    /// Reads the costs and times of a profile (nil: the core columns) for the edges of a network.
    init(of network: RoadNetwork, profile: String?, reading store: RoutingStore)
      throws(RoutingError)
    {
      costs = network.edges.map(\.cost)
      reverseCosts = network.edges.map(\.reverseCost)
      guard let profile else {
        for (edge, row) in network.edges.enumerated() where row.isOneway {
          reverseCosts[edge] = .infinity
        }
        return
      }
      durations = [Double](repeating: .nan, count: costs.count)
      reverseDurations = durations
      if try !store.sharesCoreCosts(profile: profile) {
        // An edge without costs in the profile is impassable.
        costs = [Double](repeating: .infinity, count: costs.count)
        reverseCosts = costs
      }
      var (costs, reverseCosts) = (costs, reverseCosts)
      var (durations, reverseDurations) = (durations, reverseDurations)
      try store.forEachCost(profile: profile) { row in
        guard let edge = network.index(ofEdge: row.edge) else { return }
        if let known = row.costs { (costs[edge], reverseCosts[edge]) = (known.ahead, known.back) }
        durations[edge] = row.duration ?? .nan
        reverseDurations[edge] = row.reverseDuration ?? .nan
      }
      (self.costs, self.reverseCosts) = (costs, reverseCosts)
      (self.durations, self.reverseDurations) = (durations, reverseDurations)
    }
  }

  /// Makes a graph of a profile that the database need not have.
  ///
  /// - Parameters:
  ///   - columns: Its costs and times.
  ///   - islands: For each node the id of its island; −1 for the network.
  ///   - definition: All parameters of the profile, as in `routing_profiles`.
  package convenience init(
    _ network: RoadNetwork, profile: String, mode: RoutingMode, _ columns: CostColumns,
    islands: [Int32], definition: String
  ) {
    let formula = ProfileFormula(definition: definition)
    self.init(
      network, Origin(profile: profile, mode: mode, formula: formula), columns, islands: islands,
      knowsIslands: true)
  }

  /// The profile and the day of the costs.
  private struct Origin {
    var profile: String?
    var mode: RoutingMode?
    var formula: ProfileFormula?
    var indexInRules: Int?
    var day: TravelDay?
    var timed: TimedPrices?
  }

  private init(
    _ network: RoadNetwork, _ origin: Origin, _ columns: CostColumns, islands: [Int32],
    knowsIslands: Bool
  ) {
    self.network = network
    (profile, mode, formula) = (origin.profile, origin.mode, origin.formula)
    (indexInRules, day, timed) = (origin.indexInRules, origin.day, origin.timed)
    (costs, reverseCosts) = (columns.costs, columns.reverseCosts)
    (durations, reverseDurations) = (columns.durations, columns.reverseDurations)
    self.islands = islands
    hasIslandTable = knowsIslands
    hasIslands = islands.contains { $0 >= 0 }
    outgoing = Self.table(network, costs, reverseCosts)
    bound = Self.bound(network, outgoing)
  }

  /// The graph on a day; itself if nothing differs. Throws `RoutingError.rulesNotAvailable(_:)` if
  /// the database has no rules on times, or not the profile.
  public func on(_ day: TravelDay) throws(RoutingError) -> ProfileGraph {
    guard let rules = network.rules, let indexInRules else {
      throw .rulesNotAvailable(day.description)
    }
    let changes = rules.changes(on: day, profile: indexInRules)
    let timed = TimedPrices(rules, profile: indexInRules, on: day, changes)
    var columns = CostColumns(costs: costs, reverseCosts: reverseCosts)
    (columns.durations, columns.reverseDurations) = (durations, reverseDurations)
    for (id, price) in changes.prices {
      guard let edge = network.index(ofEdge: id) else { continue }
      (columns.costs[edge], columns.reverseCosts[edge]) = (price.cost, price.reverseCost)
      guard profile != nil else { continue }
      columns.durations[edge] = price.seconds.ahead ?? .nan
      columns.reverseDurations[edge] = price.seconds.back ?? .nan
    }
    let isOther = changes.changesPassage || self.day != nil
    let islands = isOther ? network.islands(columns) : self.islands
    let origin = Origin(
      profile: profile, mode: mode, formula: formula, indexInRules: indexInRules, day: day,
      timed: timed)
    return ProfileGraph(
      network, origin, columns, islands: islands, knowsIslands: hasIslandTable)
  }

  private static func table(_ network: RoadNetwork, _ costs: [Double], _ reverseCosts: [Double])
    -> ArcTable
  {
    var starts = [Int32](repeating: 0, count: network.nodeIDs.count + 1)
    func forEach(_ body: (_ node: Int32, _ other: Int32, _ edge: Int, _ isReversed: Bool) -> Void) {
      for (index, edge) in network.edges.enumerated() {
        if costs[index].isFinite { body(edge.from, edge.to, index, false) }
        if reverseCosts[index].isFinite { body(edge.to, edge.from, index, true) }
      }
    }
    forEach { node, _, _, _ in starts[Int(node) + 1] += 1 }
    for node in 1..<starts.count { starts[node] += starts[node - 1] }
    var next = starts
    let none = Arc(cost: 1, edge: 0, node: 0, isReversed: false, traits: EdgeTraits())
    var arcs = [Arc](repeating: none, count: Int(starts[starts.count - 1]))
    forEach { node, other, edge, isReversed in
      arcs[Int(next[Int(node)])] = Arc(
        cost: isReversed ? reverseCosts[edge] : costs[edge], edge: network.edges[edge].id,
        node: other, isReversed: isReversed, traits: network.edges[edge].traits)
      next[Int(node)] += 1
    }
    return ArcTable(starts: starts, arcs: arcs)
  }

  /// A lower bound of the cost of every arc: by its length, and for the rest of the cost by the
  /// rise between its ends. Elevations count only if they are known at all nodes with an arc.
  private static func bound(_ network: RoadNetwork, _ table: ArcTable) -> CostBound {
    func forEach(_ body: (_ cost: Double, _ metres: Double, _ rise: Double) -> Void) {
      for node in network.nodeIDs.indices {
        for arc in table.arcs[table.range(Int32(node))] {
          let other = Int(arc.node)
          body(
            arc.cost, network.positions[node].chordMetres(to: network.positions[other]),
            network.nodeElevations[other] - network.nodeElevations[node])
        }
      }
    }
    var metre = Double.infinity
    forEach { cost, metres, _ in if metres > 0 { metre = min(metre, cost / metres) } }
    guard metre.isFinite else { return CostBound(metre: 0) }
    var climbs = ClimbCosts.Least(perMetre: metre)
    forEach { cost, metres, rise in climbs.add(cost: cost, metres: metres, rise: rise) }
    return CostBound(metre: metre, climbs.costs)
  }
}

extension ProfileGraph: RoutingView {
  var database: RoutingStore { network.database }

  var nodeCount: Int { network.nodeIDs.count }

  @inline(__always)
  func position(_ node: Int32) -> SpherePoint { network.positions[Int(node)] }

  @inline(__always)
  func elevation(_ node: Int32) -> Double { network.nodeElevations[Int(node)] }

  @inline(__always)
  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> { outgoing.range(node) }

  @inline(__always)
  func arc(_ index: Int) -> Arc { outgoing.arcs[index] }

  func begin() throws(RoutingError) {}

  func nearestPointOnEdge(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> EdgePoint?
  {
    nearestPoint(to: point, origin, radiusMetres: radiusMetres)
  }

  func knowsIslands() throws(RoutingError) -> Bool { hasIslandTable }

  func island(ofNode id: Int64) throws(RoutingError) -> Island? {
    let known = islands[Int(try index(ofNode: id))]
    return known >= 0 ? Island(id: known) : nil
  }

  func allEdges(at node: Int64) throws(RoutingError) -> [RoutingEdge] {
    let index = try index(ofNode: node)
    return network.incidence.edges(at: index).flatMap { edge -> [RoutingEdge] in
      let ends = network.edges[edge]
      var row = network.edge(edge)
      (row.cost, row.reverseCost) = (costs[edge], reverseCosts[edge])
      row.isOneway = row.cost.isFinite && row.reverseCost.isInfinite
      return (ends.from == index ? [row] : []) + (ends.to == index ? [row.reversed()] : [])
    }
  }

  func nodeEdges(at node: Int64) throws(RoutingError) -> [NodeEdge] {
    let index = try index(ofNode: node)
    var found: [NodeEdge] = []
    for number in network.incidence.edges(at: index) {
      let row = network.edges[number]
      let edge = NodeEdge(
        id: row.id, toNode: network.nodeIDs[Int(row.to)], distance: row.distance,
        costs: (costs[number], reverseCosts[number]), osmWayID: row.osmWayID,
        isBarrier: row.distance == 0 && row.from != row.to)
      if row.from == index { found.append(edge) }
      if row.to == index {
        found.append(edge.reversed(toNode: network.nodeIDs[Int(row.from)]))
      }
    }
    return found
  }

  func barrierKind(ofNode id: Int64) throws(RoutingError) -> String? { network.barrierKinds[id] }

  func copies(ofNode id: Int64) throws(RoutingError) -> [Int64] {
    let place = network.node(try index(ofNode: id)).coordinate
    return network.incidence.copies(ofNode: id).filter { copy in
      guard copy != id, let other = network.index(ofNode: copy) else { return false }
      return haversineDistance(place, network.node(other).coordinate) <= EdgePoint.nodeRadiusMetres
    }
  }

  func index(ofNode id: Int64) throws(RoutingError) -> Int32 {
    guard let index = network.index(ofNode: id) else {
      throw .databaseCorrupted("node \(id) is missing")
    }
    return index
  }

  func node(_ index: Int32) throws(RoutingError) -> RoutingNode { network.node(index) }

  private func index(ofEdge id: Int64) throws(RoutingError) -> Int {
    guard let index = network.index(ofEdge: id) else {
      throw .databaseCorrupted("edge \(id) is missing")
    }
    return index
  }

  func edge(_ id: Int64) throws(RoutingError) -> RoutingEdge {
    let index = try index(ofEdge: id)
    var edge = network.edge(index)
    guard profile != nil else { return edge }
    (edge.cost, edge.reverseCost) = (costs[index], reverseCosts[index])
    edge.isOneway = edge.cost.isFinite && edge.reverseCost.isInfinite
    edge.duration = durations[index].isNaN ? nil : durations[index]
    edge.reverseDuration = reverseDurations[index].isNaN ? nil : reverseDurations[index]
    return edge
  }

  /// The seconds of an edge in one direction; if missing in the database, by the rule of a mode.
  func seconds(_ index: Int, isReversed: Bool, mode: RoutingMode) -> Double {
    let known = isReversed ? reverseDurations : durations
    if profile != nil, !known[index].isNaN { return known[index] }
    let edge = network.edges[index]
    return mode.seconds(
      distance: edge.distance,
      gain: isReversed ? edge.elevationLoss : edge.elevationGain)
  }

  func measures(ofEdge id: Int64) throws(RoutingError) -> EdgeMeasures {
    let index = try index(ofEdge: id)
    let edge = network.edges[index]
    return EdgeMeasures(
      distance: edge.distance, gain: edge.elevationGain, loss: edge.elevationLoss,
      cost: costs[index], reverseCost: reverseCosts[index],
      isFerry: network.highway(index) == TagSelection.ferryRoute)
  }

  func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits {
    network.edges[try index(ofEdge: id)].traits
  }

  func travelTimes(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> TravelTimes {
    let index = try index(ofEdge: id)
    return TravelTimes(
      ahead: seconds(index, isReversed: false, mode: mode),
      back: seconds(index, isReversed: true, mode: mode))
  }

  func formula(mode: RoutingMode) throws(RoutingError) -> ProfileFormula {
    formula ?? ProfileFormula(mode)
  }

  func hasElevationProfiles() throws(RoutingError) -> Bool { network.hasElevationProfiles }

  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    try network.elevations(try index(ofEdge: id))
  }

  func hazards(ofEdges edges: [RoutingEdge], mode: RoutingMode) throws(RoutingError)
    -> [(edge: Int, hazards: HazardsOfEdge)]
  {
    var found: [(edge: Int, hazards: HazardsOfEdge)] = []
    for (edge, id) in edges.lazy.map(\.id).enumerated() {
      let index = try index(ofEdge: id)
      let slope = network.edges[index].traits.slopePercent
      if slope <= SteepSlope.noticePercent, network.hazards.isQuiet(index) { continue }
      var hazards = network.hazards.hazards(index, id: id, mode, on: day)
      hazards.slopePercent = slope
      found.append((edge, hazards))
    }
    return found
  }

  func regions(ofEdges ids: [Int64]) throws(RoutingError) -> RegionsOfEdges {
    network.regions(ofEdges: ids)
  }
}
