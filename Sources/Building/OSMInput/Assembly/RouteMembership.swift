// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Which waymarked routes follow which ways.
///
/// A way belongs to the routes that it is a member of, and to every route that one of those is a
/// part of, however deep. Relations may contain each other in any way: what is searched is bounded
/// by the size of the input.
struct RouteMembership: Sendable {
  /// OpenStreetMap ids of the routes, ascending.
  let ids: [Int64]
  private let relations: CandidateRelations
  /// The routes as places among the relations.
  private let places: [Int]
  /// Where the routes of each way begin in `routes`, and at last the end.
  private var offsets: [Int]
  private var routes: [UInt32] = []

  /// - Parameters:
  ///   - relations: All relations.
  ///   - versions: The places of the relations that count, by their ids.
  ///   - ways: The ways that count, as places among `wayCount`, by their ids.
  ///   - wayIDs: The ids of `ways`.
  init(
    _ relations: CandidateRelations, versions: [Int], ways: [Int], wayIDs: SortedIDs,
    wayCount: Int, _ warnings: inout WarningTally
  ) {
    self.relations = relations
    places = versions.filter { relations.uses[$0] == .route }
    ids = places.map { relations.ids[$0] }
    offsets = [Int](repeating: 0, count: wayCount + 1)
    let parents = RouteParents(relations, places, SortedIDs(ascending: ids))
    var pairs = parents.memberships(wayIDs, isInherited: true, &warnings)
    if pairs == nil {
      warnings.add("routes-nested-beyond-reason", "\(ids.count) routes: only direct members count")
      pairs = parents.memberships(wayIDs, isInherited: false, &warnings)
    }
    fill(pairs ?? [], ways)
  }

  /// Takes in pairs of a way, as a place in `ways`, in the upper half and a route in the lower one.
  private mutating func fill(_ pairs: [UInt64], _ ways: [Int]) {
    var distinct = pairs.map { UInt64(ways[Int($0 >> 32)]) << 32 | $0 & 0xffff_ffff }
    distinct.sort()
    var previous: UInt64?
    for pair in distinct where pair != previous {
      previous = pair
      routes.append(UInt32(truncatingIfNeeded: pair))
      offsets[Int(pair >> 32) + 1] += 1
    }
    for way in 1..<offsets.count { offsets[way] += offsets[way - 1] }
  }

  /// The routes of a way, as places in ``ids``, ascending.
  func routes(ofWay way: Int) -> ArraySlice<UInt32> { routes[offsets[way]..<offsets[way + 1]] }

  /// The tags of a route, in the order of the file.
  func tags(of route: Int) -> ArraySlice<PooledTag> { relations.tags(of: places[route]) }
}

/// Which routes are parts of which others.
private struct RouteParents {
  /// What routes may hand on to others besides what their own members cost: a way of a real route
  /// is part of two or three larger ones.
  private static let inheritedPerMember = 8
  private static let inheritedAtLeast = 1_000_000

  private let relations: CandidateRelations
  private let places: [Int]
  private let ids: SortedIDs
  private var offsets: [Int]
  private var parents: [Int]
  private var budget: Int

  init(_ relations: CandidateRelations, _ places: [Int], _ ids: SortedIDs) {
    self.relations = relations
    self.places = places
    self.ids = ids
    var links: [(part: Int, whole: Int)] = []
    var members = 0
    for (route, place) in places.enumerated() {
      members += relations.ways(of: place).count + relations.relations(of: place).count
      for relation in relations.relations(of: place) {
        if let part = ids.place(of: relation) { links.append((part, route)) }
      }
    }
    offsets = [Int](repeating: 0, count: places.count + 1)
    for link in links { offsets[link.part + 1] += 1 }
    for route in places.indices { offsets[route + 1] += offsets[route] }
    var next = offsets
    parents = [Int](repeating: 0, count: links.count)
    for link in links {
      parents[next[link.part]] = link.whole
      next[link.part] += 1
    }
    // Each member took a byte of the input, so that nothing overflows.
    budget = max(Self.inheritedAtLeast, members * Self.inheritedPerMember)
  }

  /// Pairs of a way, as a place in `wayIDs`, and a route that follows it; nil if routes inherit
  /// from each other beyond reason.
  func memberships(
    _ wayIDs: SortedIDs, isInherited: Bool, _ warnings: inout WarningTally
  ) -> [UInt64]? {
    var pairs: [UInt64] = []
    var search = AncestorSearch(count: places.count)
    var cycles: [Int64] = []
    var spent = 0
    for (route, place) in places.enumerated() {
      var followers = [route]
      if isInherited, offsets[route] < offsets[route + 1] {
        guard let isCycle = search.run(from: route, offsets, parents, &spent, budget) else {
          return nil
        }
        if isCycle { cycles.append(ids.ids[route]) }
        followers += search.found
      }
      for member in relations.ways(of: place) {
        guard let way = wayIDs.place(of: member) else { continue }
        spent += followers.count - 1
        if spent > budget { return nil }
        for follower in followers { pairs.append(UInt64(way) << 32 | UInt64(follower)) }
      }
    }
    for id in cycles { warnings.add("route-cycle", "relation \(id) is a part of itself") }
    return pairs
  }
}

/// Finds the routes that a route is a part of, each once.
private struct AncestorSearch {
  /// What the last search found, without the route that it began at.
  private(set) var found: [Int] = []
  private var stack: [Int] = []
  /// The last search that came to each route.
  private var visits: [Int]
  private var number = 0

  init(count: Int) { visits = [Int](repeating: 0, count: count) }

  /// Searches upward from a route; tells whether it came back to it, or nil if `spent` would
  /// exceed `budget`.
  mutating func run(
    from start: Int, _ offsets: [Int], _ parents: [Int], _ spent: inout Int, _ budget: Int
  ) -> Bool? {
    found.removeAll(keepingCapacity: true)
    number += 1
    visits[start] = number
    stack.append(start)
    var isCycle = false
    while let route = stack.popLast() {
      for parent in parents[offsets[route]..<offsets[route + 1]] {
        spent += 1
        if spent > budget { return nil }
        if parent == start { isCycle = true }
        if visits[parent] == number { continue }
        visits[parent] = number
        found.append(parent)
        stack.append(parent)
      }
    }
    return isCycle
  }
}
