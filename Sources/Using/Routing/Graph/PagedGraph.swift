// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// The graph of one profile straight from the database, with what was read last in memory.
///
/// Nodes get numbers as they are come across. Their arcs lie in two pages: what is asked for is in
/// the newer one or is moved there, and when that is full the older one is dropped, so that what
/// was not used for long goes first. For one thread at a time.
final class PagedGraph: RoutingView {
  /// How many arcs a page holds, 24 bytes each.
  static let arcsPerPage = 1 << 15
  /// Above how many nodes, 56 bytes each, a new search begins with none. A search that sees more
  /// keeps them till its end.
  static let keptNodes = 1 << 15

  private struct ArcList {
    var page: Int32 = -1
    var start: Int32 = 0
    var count: Int32 = 0
  }

  let store: RoutingStore
  let profile: String?
  private let withTraits: Bool
  private(set) var bound = CostBound(metre: 0)
  private var opening = -1

  private var ids: [Int64] = []
  private var positions: [SpherePoint] = []
  private var lists: [ArcList] = []
  /// Numbers of nodes by their ids: a table with gaps, −1 where there is none.
  private var slots: [Int32] = []
  private var newArcs: [Arc] = []
  private var oldArcs: [Arc] = []
  private var page: Int32 = 0

  init(_ store: RoutingStore, profile: String?, withTraits: Bool) {
    self.store = store
    self.profile = profile
    self.withTraits = withTraits
  }

  func begin() throws(RoutingError) {
    let current = try store.openings()
    guard current != opening || ids.count > Self.keptNodes else { return }
    forget()
    opening = -1
    bound = CostBound(metre: try store.minimumCostPerMetre(profile: profile))
    opening = current
  }

  private func forget() {
    ids = []
    positions = []
    lists = []
    slots = Array(repeating: -1, count: 1 << 10)
    newArcs.removeAll(keepingCapacity: true)
    oldArcs = []
    page = 0
  }

  var nodeCount: Int { ids.count }

  func position(_ node: Int32) -> SpherePoint { positions[Int(node)] }

  /// The database does not say what climbing costs at the least.
  func elevation(_ node: Int32) -> Double { 0 }

  func arc(_ place: Int) -> Arc { newArcs[place] }

  func arcs(from node: Int32) throws(RoutingError) -> Range<Int> {
    let list = lists[Int(node)]
    if list.page == page, list.start >= 0 {
      return Int(list.start)..<Int(list.start) + Int(list.count)
    }
    if list.page == page - 1, list.page >= 0 {
      let old = Int(list.start)..<Int(list.start) + Int(list.count)
      // Turning the page would drop what is about to be copied.
      if newArcs.count + old.count <= Self.arcsPerPage {
        let start = newArcs.count
        newArcs += oldArcs[old]
        return keep(node, from: start)
      }
    }
    let edges = try store.searchEdges(
      from: ids[Int(node)], profile: profile, withDescription: withTraits)
    if newArcs.count + edges.count > Self.arcsPerPage, !newArcs.isEmpty {
      swap(&newArcs, &oldArcs)
      newArcs.removeAll(keepingCapacity: true)
      page += 1
    }
    let start = newArcs.count
    for edge in edges {
      newArcs.append(
        Arc(
          cost: edge.cost, edge: edge.id, node: try number(edge.node, at: edge.coordinate),
          isReversed: edge.isReversed, traits: traits(edge)))
    }
    return keep(node, from: start)
  }

  /// All traits where preferences ask for them, otherwise whether it is a flight of steps.
  private func traits(_ edge: SearchEdge) -> EdgeTraits {
    if let description = edge.description { return EdgeTraits(description) }
    var traits = EdgeTraits()
    traits.isSteps = EdgeTraits.isSteps(highway: edge.highwayType)
    return traits
  }

  private func keep(_ node: Int32, from start: Int) -> Range<Int> {
    lists[Int(node)] = ArcList(
      page: page, start: Int32(start), count: Int32(newArcs.count - start))
    return start..<newArcs.count
  }

  func number(ofNode id: Int64) throws(RoutingError) -> Int32 {
    if let known = lookUp(id).number { return known }
    guard let node = try store.getNode(id) else {
      throw .databaseCorrupted("node \(id) is missing")
    }
    return try number(id, at: node.coordinate)
  }

  private func number(_ id: Int64, at coordinate: Coordinate) throws(RoutingError) -> Int32 {
    let (known, slot) = lookUp(id)
    if let known { return known }
    guard let number = Int32(exactly: ids.count) else {
      throw .databaseUnusable("it has more nodes than can be counted")
    }
    ids.append(id)
    positions.append(SpherePoint(coordinate))
    lists.append(ArcList())
    slots[slot] = number
    if ids.count * 2 > slots.count { growSlots() }
    return number
  }

  /// The number of an id, and its slot or the one where it belongs.
  private func lookUp(_ id: Int64) -> (number: Int32?, slot: Int) {
    // Fibonacci hashing: the golden ratio spreads ids that lie close together.
    let mixed = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: mixed >> 32) & mask
    while slots[slot] >= 0 {
      if ids[Int(slots[slot])] == id { return (slots[slot], slot) }
      slot = (slot + 1) & mask
    }
    return (nil, slot)
  }

  private func growSlots() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (number, id) in ids.enumerated() { slots[lookUp(id).slot] = Int32(number) }
  }

  func nearestPointOnEdge(to point: Coordinate, radiusMetres: Double) throws(RoutingError)
    -> EdgePoint?
  {
    try store.nearestPointOnEdge(to: point, radiusMetres: radiusMetres, profile: profile)
  }

  func node(_ number: Int32) throws(RoutingError) -> RoutingNode {
    guard let node = try store.getNode(ids[Int(number)]) else {
      throw .databaseCorrupted("node \(ids[Int(number)]) is missing")
    }
    return node
  }

  func edge(_ id: Int64) throws(RoutingError) -> RoutingEdge {
    guard let edge = try store.getEdge(id, profile: profile) else {
      throw .databaseCorrupted("edge \(id) is missing")
    }
    return edge
  }

  func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits {
    try store.traits(ofEdge: id)
  }

  func travelTimes(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> TravelTimes {
    let edge = try edge(id)
    let back = edge.reversed()
    return TravelTimes(
      ahead: edge.duration ?? mode.seconds(edge), back: back.duration ?? mode.seconds(back))
  }

  func hasElevationProfiles() throws(RoutingError) -> Bool { try store.hasElevationProfiles() }

  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    try store.elevationProfile(ofEdge: id)
  }
}
