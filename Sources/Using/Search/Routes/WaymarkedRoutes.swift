// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase

/// The waymarked routes of one or more databases.
public struct WaymarkedRoutes: Sendable {
  /// The routes, in the order of their ids.
  public let routes: [WaymarkedRoute]
  private let indices: [Int64: Int]

  /// The deepest nesting of relations that is followed.
  static let deepest = 16
  /// The most ways and relations of a route that are followed.
  static let mostMembers = 100_000

  /// Makes a set of routes; of several with the same id, the first counts.
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

  /// The route of a relation; nil if the databases do not have it.
  public func route(_ id: Int64) -> WaymarkedRoute? { indices[id].map { routes[$0] } }

  /// The routes that a text names: by the id of the relation, with or without `r` before it, by
  /// number and name, or by all of its words in these. If a text is a whole number or name, only
  /// those routes are returned.
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

  /// The ways of a route, including those of its parts.
  public struct Ways: Hashable, Sendable {
    /// A way of a route.
    public struct Way: Hashable, Sendable {
      /// The way, with its purpose in the whole route.
      public var member: RelationMember
      /// The relation to which it belongs.
      public var relation: Int64
    }

    /// The ways in their order.
    public var ways: [Way] = []
    /// The ways of parts that are only for the other direction.
    public var opposite: [Way] = []
    /// The parts of the route that have ways themselves, in order.
    public var parts: [Int64] = []
    /// The parts that the databases lack.
    public var missingParts: [Int64] = []
    /// The relations that contain themselves; the repetition is left out.
    public var cycles: [Int64] = []
    /// Whether there are more ways, or deeper nesting, than is followed.
    public var isCutShort = false
  }

  /// The ways of a route in the order of its members, with those of its parts in place.
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
