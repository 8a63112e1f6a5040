// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TrailData

/// The waymarked routes that follow each way.
///
/// A way belongs to its own routes and, recursively, to the routes that contain those. Relations
/// may contain each other arbitrarily, so the search is limited in proportion to the size of the
/// input.
struct RouteMembership: Sendable {
  /// The warning that the routes of an input are nested so deeply that only direct members count.
  static let tooDeepWarning = "routes-nested-too-deeply"

  /// OpenStreetMap ids of the routes, ascending.
  let ids: [Int64]
  private let relations: CandidateRelations
  /// The routes as indices into the relations.
  private let relationIndices: [Int]
  /// The start of each way's routes in `routes`, and finally the end.
  private var offsets: [Int]
  private var routes: [UInt32] = []

  /// - Parameters:
  ///   - relations: All relations.
  ///   - versions: The indices of the latest versions of the relations, in the order of their ids.
  ///   - ways: The indices of the latest versions of the ways, in the order of their ids, of which
  ///     some may be equal; below `wayCount`.
  ///   - wayIDs: The ids of `ways`.
  init(
    _ relations: CandidateRelations, versions: [Int], ways: [Int], wayIDs: SortedIDs,
    wayCount: Int, _ warnings: inout WarningTally
  ) {
    self.relations = relations
    relationIndices = versions.filter { relations.uses[$0] == .route }
    ids = relationIndices.map { relations.ids[$0] }
    offsets = [Int](repeating: 0, count: wayCount + 1)
    let parents = RouteParents(relations, relationIndices, SortedIDs(ascending: ids))
    var pairs = parents.memberships(wayIDs, isInherited: true, &warnings)
    if pairs == nil {
      warnings.add(Self.tooDeepWarning, "\(ids.count) routes: only direct members count")
      pairs = parents.memberships(wayIDs, isInherited: false, &warnings)
    }
    fill(pairs ?? [], ways)
  }

  /// Adds pairs of a way, as an index into `ways`, in the upper half and a route in the lower one.
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

  /// The routes of a way, as indices into ``ids``, ascending.
  func routes(ofWay way: Int) -> ArraySlice<UInt32> { routes[offsets[way]..<offsets[way + 1]] }

  /// The members of a route, in the order of its relation.
  func members(of route: Int) -> [RouteMember] { relations.members(of: relationIndices[route]) }

  /// The tags of a route, in the order of the file.
  func tags(of route: Int) -> ArraySlice<PooledTag> { relations.tags(of: relationIndices[route]) }
}

/// The parent routes of routes.
private struct RouteParents {
  /// The limit of memberships that are inherited: ways of real routes belong to two or three larger
  /// ones.
  private static let inheritedPerMember = 8
  private static let inheritedAtLeast = 1_000_000

  private let relations: CandidateRelations
  private let relationIndices: [Int]
  private let ids: SortedIDs
  private var offsets: [Int]
  private var parents: [Int]
  private var budget: Int

  init(_ relations: CandidateRelations, _ relationIndices: [Int], _ ids: SortedIDs) {
    self.relations = relations
    self.relationIndices = relationIndices
    self.ids = ids
    var links: [(part: Int, whole: Int)] = []
    var members = 0
    for (route, index) in relationIndices.enumerated() {
      members += relations.ways(of: index).count + relations.relations(of: index).count
      for relation in relations.relations(of: index) {
        if let part = ids.index(of: relation) { links.append((part, route)) }
      }
    }
    offsets = [Int](repeating: 0, count: relationIndices.count + 1)
    for link in links { offsets[link.part + 1] += 1 }
    for route in relationIndices.indices { offsets[route + 1] += offsets[route] }
    var next = offsets
    parents = [Int](repeating: 0, count: links.count)
    for link in links {
      parents[next[link.part]] = link.whole
      next[link.part] += 1
    }
    // Cannot overflow: each member took at least a byte of the input.
    budget = max(Self.inheritedAtLeast, members * Self.inheritedPerMember)
  }

  /// Pairs of a way, as an index into `wayIDs`, and a route that follows it; nil if the routes are
  /// nested too deeply.
  func memberships(
    _ wayIDs: SortedIDs, isInherited: Bool, _ warnings: inout WarningTally
  ) -> [UInt64]? {
    var pairs: [UInt64] = []
    var ancestors = AncestorSearch(count: relationIndices.count)
    var cycles: [Int64] = []
    var spent = 0
    for (route, index) in relationIndices.enumerated() {
      var followers = [route]
      if isInherited, offsets[route] < offsets[route + 1] {
        guard let isCycle = ancestors.run(from: route, offsets, parents, &spent, budget) else {
          return nil
        }
        if isCycle { cycles.append(ids.ids[route]) }
        followers += ancestors.found
      }
      for member in relations.ways(of: index) {
        guard var way = wayIDs.index(of: member) else { continue }
        while way > 0, wayIDs.ids[way - 1] == member { way -= 1 }
        while way < wayIDs.ids.count, wayIDs.ids[way] == member {
          spent += followers.count - 1
          if spent > budget { return nil }
          for follower in followers { pairs.append(UInt64(way) << 32 | UInt64(follower)) }
          way += 1
        }
      }
    }
    for id in cycles { warnings.add("route-cycle", "relation \(id) contains itself") }
    return pairs
  }
}

/// Finds the routes that contain a route, each once.
private struct AncestorSearch {
  /// The result of the last search, without the route that it started from.
  private(set) var found: [Int] = []
  private var stack: [Int] = []
  /// The last search that visited each route.
  private var visits: [Int]
  private var search = 0

  init(count: Int) { visits = [Int](repeating: 0, count: count) }

  /// Searches upwards from a route. Returns whether the route contains itself, or nil if `spent`
  /// would exceed `budget`.
  mutating func run(
    from start: Int, _ offsets: [Int], _ parents: [Int], _ spent: inout Int, _ budget: Int
  ) -> Bool? {
    found.removeAll(keepingCapacity: true)
    search += 1
    visits[start] = search
    stack.append(start)
    var isCycle = false
    while let route = stack.popLast() {
      for parent in parents[offsets[route]..<offsets[route + 1]] {
        spent += 1
        if spent > budget { return nil }
        if parent == start { isCycle = true }
        if visits[parent] == search { continue }
        visits[parent] = search
        found.append(parent)
        stack.append(parent)
      }
    }
    return isCycle
  }
}
