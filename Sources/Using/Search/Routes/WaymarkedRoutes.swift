// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase

/// The waymarked routes of one or several databases.
public struct WaymarkedRoutes: Sendable {
  /// The routes, in the order of their ids.
  public let routes: [WaymarkedRoute]
  private let indices: [Int64: Int]

  /// So many relations inside each other are followed.
  static let deepest = 16
  /// So many ways and relations of a route are followed.
  static let mostMembers = 100_000

  /// Makes a set of routes; of several with one id the first counts.
  public init(_ routes: [WaymarkedRoute]) {
    var known: [Int64: Int] = [:]
    var all: [WaymarkedRoute] = []
    for route in routes.enumerated().sorted(by: {
      ($0.element.id, $0.offset) < ($1.element.id, $1.offset)
    }) where known[route.element.id] == nil {
      known[route.element.id] = all.count
      all.append(route.element)
    }
    (self.routes, indices) = (all, known)
  }

  /// The route of a relation; nil where the databases do not have it.
  public func route(_ id: Int64) -> WaymarkedRoute? { indices[id].map { routes[$0] } }

  /// The routes that a text names: by the id of the relation, with or without `r` before it, by number
  /// and name, or by all words of it in these. Whole numbers and names come alone.
  public func routes(named text: String) -> [WaymarkedRoute] {
    let digits = text.hasPrefix("r") ? text.dropFirst() : text[...]
    if let id = Int64(digits), let route = route(id) { return [route] }
    let wanted = FoldedName(text)
    guard !wanted.isEmpty else { return [] }
    let exact = routes.filter { route in
      [route.ref, route.name].contains { $0.map { FoldedName($0).text == wanted.text } ?? false }
    }
    guard exact.isEmpty else { return exact }
    let words = wanted.words
    return routes.filter { route in
      let own = FoldedName("\(route.ref ?? "") \(route.name ?? "")").words
      return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
  }

  /// The ways that a route consists of, with those of its parts.
  public struct Ways: Hashable, Sendable {
    /// A way of a route.
    public struct Way: Hashable, Sendable {
      /// The way, with what it is for in the whole route.
      public var member: RelationMember
      /// The relation that it is a member of.
      public var relation: Int64
    }

    /// The ways in their order.
    public var ways: [Way] = []
    /// The ways of parts that are only for the other direction.
    public var opposite: [Way] = []
    /// The relations that are parts of the route and have ways themselves, in their order.
    public var parts: [Int64] = []
    /// The parts that the databases do not have.
    public var missingParts: [Int64] = []
    /// The relations that contain themselves; what would be repeated is left out.
    public var cycles: [Int64] = []
    /// Whether there are more ways, or they are nested more deeply, than are followed.
    public var isCutShort = false
  }

  /// The ways of a route in the order of its members, those of its parts in their place.
  public func ways(of route: WaymarkedRoute) -> Ways {
    struct Level {
      var route: WaymarkedRoute
      var next = 0
      var purpose = RelationMember.Purpose.main
      var isOpposite = false
    }
    var found = Ways()
    var steps = 0
    var path = [Level(route: route)]
    var inside: Set<Int64> = [route.id]
    while let level = path.last {
      guard level.next < level.route.members.count else {
        inside.remove(level.route.id)
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      steps += 1
      guard steps <= Self.mostMembers else {
        found.isCutShort = true
        break
      }
      var member = level.route.members[level.next]
      if level.purpose != .main { member.purpose = level.purpose }
      guard member.isRelation else {
        let way = Ways.Way(member: member, relation: level.route.id)
        if level.isOpposite { found.opposite.append(way) } else { found.ways.append(way) }
        if found.parts.last != level.route.id, level.route.id != route.id {
          found.parts.append(level.route.id)
        }
        continue
      }
      guard let part = self.route(member.id) else {
        found.missingParts.append(member.id)
        continue
      }
      guard inside.insert(member.id).inserted else {
        found.cycles.append(member.id)
        continue
      }
      guard path.count < Self.deepest else {
        inside.remove(member.id)
        found.isCutShort = true
        continue
      }
      path.append(
        Level(
          route: part, purpose: member.purpose,
          isOpposite: level.isOpposite || member.direction == .backward))
    }
    return found
  }
}
