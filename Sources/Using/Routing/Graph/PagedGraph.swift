// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The graph of one profile, read from the database on demand; the most recently used part stays in
/// memory.
///
/// A node gets an index at its first use. For one thread at a time.
final class PagedGraph: RoutingView {
  /// If more nodes than this, 64 bytes each, are known, the next search begins with none. A search
  /// that meets more keeps them until its end.
  static let keptNodes = 1 << 15

  let store: RoutingStore
  let database: RoutingStore
  let profile: String?
  let day: TravelDay?
  let timed: TimedPrices?
  private let withTraits: Bool
  private(set) var bound = CostBound(metre: 0)
  private var opening = -1
  /// The formula of the profile; nil until the first request.
  private var knownFormula: ProfileFormula?
  private var knownHazards: PagedHazards

  private var known = PagedArcs()

  /// - Parameter departure: The day that the store shows; nil for the day of the build.
  init(
    _ store: RoutingStore, profile: String?, withTraits: Bool, departure: Departure? = nil
  ) {
    self.store = store
    database = departure?.database ?? store
    self.profile = profile
    self.withTraits = withTraits
    day = departure?.day
    knownHazards = PagedHazards(on: departure?.day)
    timed = departure?.timed(profile: profile)
  }

  func begin() throws(RoutingError) {
    let current = try store.openings()
    guard current != opening || nodeCount > Self.keptNodes else { return }
    known.removeAll()
    if current != opening { (knownFormula, knownHazards) = (nil, PagedHazards(on: day)) }
    opening = -1
    bound = CostBound(
      metre: try store.minimumCostPerMetre(profile: profile),
      try store.climbCosts(profile: profile))
    opening = current
  }

  var nodeCount: Int { known.nodes.ids.count }

  func position(_ node: Int32) -> SpherePoint { known.nodes.positions[Int(node)] }

  func elevation(_ node: Int32) -> Double { known.nodes.elevations[Int(node)] }

  func arc(_ index: Int) -> Arc { known.arcs[index] }

  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> {
    let quick =
      withTraits
      ? known.find(node)
      : try known.findOrRead(
        node, store, profile: profile, withElevations: bound.needsElevations)
    if let quick { return quick }
    let edges = try store.searchEdges(
      from: known.nodes.ids[Int(node)], at: position(node).coordinate, profile: profile,
      withDescription: withTraits)
    for edge in edges { try check(edge.elevation, ofNode: edge.node) }
    let found = known.add(edges, to: node) { traits($0) }
    guard let found else { throw Self.tooManyNodes }
    return found
  }

  /// All traits if preferences need them, otherwise only whether it is a flight of steps.
  private func traits(_ edge: SearchEdge) -> EdgeTraits {
    if let description = edge.description { return EdgeTraits(description) }
    var traits = EdgeTraits()
    traits.isSteps = EdgeTraits.isSteps(highway: edge.highwayType)
    return traits
  }

  func index(ofNode id: Int64) throws(RoutingError) -> Int32 {
    if let index = known.nodes.index(ofNode: id) { return index }
    guard let node = try store.getNode(id) else {
      throw .databaseCorrupted("node \(id) is missing")
    }
    try check(node.elevation, ofNode: id)
    let index = known.nodes.index(ofNode: id, at: node.coordinate, elevation: node.elevation)
    guard let index else { throw Self.tooManyNodes }
    return index
  }

  /// Throws if an elevation is missing in a database that says what climbing costs.
  private func check(_ elevation: Double?, ofNode id: Int64) throws(RoutingError) {
    guard elevation == nil, bound.needsElevations else { return }
    throw .databaseCorrupted("node \(id) has no elevation")
  }

  private static let tooManyNodes = RoutingError.databaseUnusable("it has too many nodes")

  func nearestPointOnEdge(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> EdgePoint?
  {
    try store.nearestPointOnEdge(to: point, origin, radiusMetres: radiusMetres, profile: profile)
  }

  func knowsIslands() throws(RoutingError) -> Bool { try store.knowsIslands() }

  func island(ofNode id: Int64) throws(RoutingError) -> Island? {
    try store.island(ofNode: id, profile: profile)
  }

  func allEdges(at node: Int64) throws(RoutingError) -> [RoutingEdge] {
    try store.allEdges(at: node, profile: profile)
  }

  func nodeEdges(at node: Int64) throws(RoutingError) -> [NodeEdge] {
    try store.nodeEdges(at: node, profile: profile)
  }

  func barrierKind(ofNode id: Int64) throws(RoutingError) -> String? {
    try store.barrierKinds()[id]
  }

  func copies(ofNode id: Int64) throws(RoutingError) -> [Int64] {
    guard let place = try store.getNode(id)?.coordinate else { return [] }
    var copies: [Int64] = []
    for box in BoundingBox.around(place, radiusMetres: EdgePoint.nodeRadiusMetres) {
      copies += try store.getNodesInBoundingBox(box).map(\.id)
        .filter { RoutingNode.isSame($0, id) && $0 != id }
    }
    return copies.sorted()
  }

  func snapCandidates(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> [SnapCandidate]
  {
    try store.snapCandidates(to: point, origin, radiusMetres: radiusMetres, profile: profile)
  }

  func pointsOnEdges(near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> [SnapCandidate]
  {
    try store.pointsOnEdges(near: point, origin, radiusMetres: radiusMetres, profile: profile)
  }

  func node(_ index: Int32) throws(RoutingError) -> RoutingNode {
    let id = known.nodes.ids[Int(index)]
    guard let node = try store.getNode(id) else {
      throw .databaseCorrupted("node \(id) is missing")
    }
    return node
  }

  func edge(_ id: Int64) throws(RoutingError) -> RoutingEdge {
    guard let edge = try store.getEdge(id, profile: profile) else {
      throw .databaseCorrupted("edge \(id) is missing")
    }
    return edge
  }

  func measures(ofEdge id: Int64) throws(RoutingError) -> EdgeMeasures {
    EdgeMeasures(try edge(id))
  }

  func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits {
    try store.traits(ofEdge: id)
  }

  func travelTimes(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> TravelTimes {
    let known = try store.seconds(ofEdge: id, profile: profile)
    if let ahead = known.ahead, let back = known.back {
      return TravelTimes(ahead: ahead, back: back)
    }
    let edge = try edge(id)
    let back = edge.reversed()
    return TravelTimes(
      ahead: edge.duration ?? mode.seconds(edge), back: back.duration ?? mode.seconds(back))
  }

  func formula(mode: RoutingMode) throws(RoutingError) -> ProfileFormula {
    guard let profile else { return ProfileFormula(mode) }
    if let knownFormula { return knownFormula }
    let formula = try store.formula(ofProfile: profile)
    knownFormula = formula
    return formula
  }

  func hasElevationProfiles() throws(RoutingError) -> Bool { try store.hasElevationProfiles() }

  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    try store.elevationProfile(ofEdge: id)
  }

  func hazards(ofEdges edges: [RoutingEdge], mode: RoutingMode) throws(RoutingError)
    -> [(edge: Int, hazards: HazardsOfEdge)]
  {
    try knownHazards.hazards(store, ofEdges: edges, mode)
  }

  func regions(ofEdges ids: [Int64]) throws(RoutingError) -> RegionsOfEdges {
    try store.regions(ofEdges: ids)
  }
}
