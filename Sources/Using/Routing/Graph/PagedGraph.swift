// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The graph of one profile, read from the database on demand; the most recently used part stays in
/// memory.
///
/// A node gets an index at its first use. Arcs are cached in two pages: each request finds its arcs
/// in the newer page or moves them there, and when that is full the older page is dropped, so the
/// least recently used arcs go first. For one thread at a time.
final class PagedGraph: RoutingView {
  /// The number of arcs of a page, 24 bytes each.
  static let arcsPerPage = 1 << 15
  /// If more nodes than this, 56 bytes each, are known, the next search begins with none. A search
  /// that meets more keeps them until its end.
  static let keptNodes = 1 << 15

  let store: RoutingStore
  let profile: String?
  let day: TravelDay?
  let timed: TimedPrices?
  private let withTraits: Bool
  private(set) var bound = CostBound(metre: 0)
  private var opening = -1
  /// The formula of the profile; nil until the first request.
  private var knownFormula: ProfileFormula?
  private var knownHazards: PagedHazards

  private var nodes = PagedNodes()
  /// The arcs being read.
  private var readArcs: [SearchArc] = []
  private var newArcs: [Arc] = []
  private var oldArcs: [Arc] = []
  private var page: Int32 = 0

  /// - Parameter departure: The day that the store shows; nil for the day of the build.
  init(
    _ store: RoutingStore, profile: String?, withTraits: Bool, departure: Departure? = nil
  ) {
    self.store = store
    self.profile = profile
    self.withTraits = withTraits
    day = departure?.day
    knownHazards = PagedHazards(on: departure?.day)
    timed = departure?.timed(profile: profile)
  }

  func begin() throws(RoutingError) {
    let current = try store.openings()
    guard current != opening || nodes.ids.count > Self.keptNodes else { return }
    forget()
    if current != opening { (knownFormula, knownHazards) = (nil, PagedHazards(on: day)) }
    opening = -1
    bound = CostBound(metre: try store.minimumCostPerMetre(profile: profile))
    opening = current
  }

  private func forget() {
    nodes = PagedNodes()
    newArcs.removeAll(keepingCapacity: true)
    oldArcs = []
    page = 0
  }

  var nodeCount: Int { nodes.ids.count }

  func position(_ node: Int32) -> SpherePoint { nodes.positions[Int(node)] }

  /// Always 0: the database does not have the least cost of climbing, so the bound ignores
  /// elevations.
  func elevation(_ node: Int32) -> Double { 0 }

  func arc(_ index: Int) -> Arc { newArcs[index] }

  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> {
    let list = nodes.lists[Int(node)]
    if list.page == page, list.start >= 0 {
      return Int(list.start)..<Int(list.start) + Int(list.count)
    }
    if list.page == page - 1, list.page >= 0 {
      let old = Int(list.start)..<Int(list.start) + Int(list.count)
      // Beginning a new page would drop the arcs that are about to be copied.
      if newArcs.count + old.count <= Self.arcsPerPage {
        let start = newArcs.count
        newArcs += oldArcs[old]
        return keep(node, from: start)
      }
    }
    if !withTraits, let quick = try quickArcs(from: node) { return quick }
    let edges = try store.searchEdges(
      from: nodes.ids[Int(node)], at: nodes.positions[Int(node)].coordinate, profile: profile,
      withDescription: withTraits)
    turnPage(for: edges.count)
    let start = newArcs.count
    for edge in edges {
      newArcs.append(
        Arc(
          cost: edge.cost, edge: edge.id, node: try index(ofNode: edge.node, at: edge.coordinate),
          isReversed: edge.isReversed, traits: traits(edge)))
    }
    return keep(node, from: start)
  }

  /// The same without the traits that preferences need; nil if it cannot be read quickly.
  private func quickArcs(from node: Int32) throws(RoutingError) -> Range<Int>? {
    var found: [SearchArc] = []
    swap(&found, &readArcs)
    defer { swap(&found, &readArcs) }
    let isRead = try store.readArcs(
      from: nodes.ids[Int(node)], profile: profile, into: &found,
      mark: EdgeTraits.isSteps(highway:))
    guard isRead else { return nil }
    turnPage(for: found.count)
    let start = newArcs.count
    for arc in found {
      var traits = EdgeTraits()
      if arc.isMarked { traits.isSteps = true }
      guard let end = try quickIndex(ofNode: arc.node) else {
        newArcs.removeLast(newArcs.count - start)
        return nil
      }
      newArcs.append(
        Arc(
          cost: arc.cost, edge: arc.id, node: end, isReversed: arc.isReversed, traits: traits))
    }
    return keep(node, from: start)
  }

  /// The index of a node; nil if it cannot be read quickly.
  private func quickIndex(ofNode id: Int64) throws(RoutingError) -> Int32? {
    if let known = nodes.index(ofNode: id) { return known }
    guard let place = try store.quickPlace(ofNode: id) else { return nil }
    return try index(ofNode: id, at: place)
  }

  /// Begins a new page of arcs if the current one has too little room.
  private func turnPage(for count: Int) {
    guard newArcs.count + count > Self.arcsPerPage, !newArcs.isEmpty else { return }
    swap(&newArcs, &oldArcs)
    newArcs.removeAll(keepingCapacity: true)
    page += 1
  }

  /// All traits if preferences need them, otherwise only whether it is a flight of steps.
  private func traits(_ edge: SearchEdge) -> EdgeTraits {
    if let description = edge.description { return EdgeTraits(description) }
    var traits = EdgeTraits()
    traits.isSteps = EdgeTraits.isSteps(highway: edge.highwayType)
    return traits
  }

  private func keep(_ node: Int32, from start: Int) -> Range<Int> {
    nodes.lists[Int(node)] = PagedNodes.ArcList(
      page: page, start: Int32(start), count: Int32(newArcs.count - start))
    return start..<newArcs.count
  }

  func index(ofNode id: Int64) throws(RoutingError) -> Int32 {
    if let known = nodes.index(ofNode: id) { return known }
    guard let node = try store.getNode(id) else {
      throw .databaseCorrupted("node \(id) is missing")
    }
    return try index(ofNode: id, at: node.coordinate)
  }

  private func index(ofNode id: Int64, at coordinate: Coordinate) throws(RoutingError) -> Int32 {
    guard let index = nodes.index(ofNode: id, at: coordinate) else {
      throw .databaseUnusable("it has too many nodes")
    }
    return index
  }

  func nearestPointOnEdge(to point: Coordinate, radiusMetres: Double) throws(RoutingError)
    -> EdgePoint?
  {
    try store.nearestPointOnEdge(to: point, radiusMetres: radiusMetres, profile: profile)
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

  func snapCandidates(to point: Coordinate, radiusMetres: Double) throws(RoutingError)
    -> [SnapCandidate]
  {
    try store.snapCandidates(to: point, radiusMetres: radiusMetres, profile: profile)
  }

  func pointsOnEdges(near point: Coordinate, radiusMetres: Double) throws(RoutingError)
    -> [SnapCandidate]
  {
    try store.pointsOnEdges(near: point, radiusMetres: radiusMetres, profile: profile)
  }

  func node(_ index: Int32) throws(RoutingError) -> RoutingNode {
    guard let node = try store.getNode(nodes.ids[Int(index)]) else {
      throw .databaseCorrupted("node \(nodes.ids[Int(index)]) is missing")
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
    let formula = store.formula(ofProfile: profile)
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
