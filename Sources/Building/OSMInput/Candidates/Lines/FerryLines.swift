// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// Ferry lines and their ways: a way takes the tags that it lacks from its line, and a share of the
/// line's duration.
///
/// A line is a relation, whose ways are known before the coordinates of their nodes, which say how
/// its duration is shared. So ``find(_:in:)`` selects the ways, and ``tags(metres:_:)`` gives them
/// their tags later.
struct FerryLines: Sendable {
  /// A tag as text.
  typealias Tag = (key: String, value: String)

  /// A way as a part of a line.
  struct Part: Sendable {
    /// The index of the line.
    var line: Int
    /// The direction in which the line follows it.
    var direction: RouteMember.Role.Direction
    /// Whether the line's duration includes it; that of an alternative course does not.
    var isMain: Bool
  }

  /// A way of lines.
  struct Way: Sendable {
    var id: Int64
    /// The tags of its own, `route=ferry` among them.
    var tags: [Tag]
    /// The lines that use it, at least one.
    var parts: [Part]
    /// How many times it is among ``CandidateWays/lines``: once for each line, within limits.
    var copies: Int
  }

  /// The most lines of a way of which it may have the tags. Without a limit, a small file could have
  /// any number of ways.
  static let mostCopies = 8

  /// The tags of each line.
  private(set) var lines: [[Tag]] = []
  /// The ways, in the order of their ids.
  private(set) var ways: [Way] = []

  /// Selects the ways of lines; the second result has each of them, as often as lines use it,
  /// without tags.
  ///
  /// - Parameters:
  ///   - order: The lines among the relations of which `found` takes the tags.
  static func find(_ order: [Int], in found: borrowing FoundObjects) -> (FerryLines, WayBatch) {
    var lines = FerryLines()
    var batch = WayBatch()
    lines.lines = order.map { found.texts(found.tagSources.tags(of: $0)) }
    var members: [(way: Int64, line: Int, role: RouteMember.Role)] = []
    var drawn = DrawnWays(found)
    for (line, relation) in order.enumerated() {
      let listed = found.tagSources.members(of: relation).filter { drawn.find($0.id, found) }
      let direction = direction(ofLine: lines.lines[line])
      for (index, member) in listed.enumerated() {
        var role = member.role
        if role.direction == .both, direction != .both {
          role.direction = drawn.direction(of: index, in: listed, direction)
        }
        members.append((member.id, line, role))
      }
    }
    members.sort { ($0.way, $0.line) < ($1.way, $1.line) }
    for member in members {
      guard let way = drawn[member.way], way.isLine(member.role) else { continue }
      if lines.ways.last?.id != member.way {
        lines.ways.append(Way(id: member.way, tags: way.tags, parts: [], copies: 0))
      }
      lines.ways[lines.ways.count - 1].add(member.line, member.role)
    }
    for index in lines.ways.indices {
      let way = lines.ways[index]
      lines.ways[index].copies = min(way.parts.count, mostCopies)
      for _ in 0..<lines.ways[index].copies {
        batch.add(refs: drawn.refs(ofWay: way.id, found))
        batch.endWay(id: way.id)
      }
    }
    return (lines, batch)
  }

  /// The direction of a line along the list of its ways, by its `oneway`.
  static func direction(ofLine tags: [Tag]) -> RouteMember.Role.Direction {
    switch tags.last(where: { $0.key == "oneway" })?.value {
    case "yes", "true", "1": .forward
    case "-1", "reverse": .backward
    default: .both
    }
  }
}

extension FerryLines.Way {
  /// Adds a membership; a way that a line lists for either direction is for both.
  fileprivate mutating func add(_ line: Int, _ role: RouteMember.Role) {
    guard let last = parts.last, last.line == line else {
      parts.append(
        .init(line: line, direction: role.direction, isMain: role.purpose == .main))
      return
    }
    if last.direction != role.direction { parts[parts.count - 1].direction = .both }
    if role.purpose == .main { parts[parts.count - 1].isMain = true }
  }
}

/// The members of lines as they are drawn, each looked up once.
private struct DrawnWays {
  struct Drawn {
    var tags: [FerryLines.Tag]
    var isFerry: Bool
    var isArea: Bool
    var first: Int64
    var last: Int64
    /// Its index among the routable ways or the areas.
    var index: Int

    /// Whether it is the course of a ferry as a member with a role. A closed way is an area unless it
    /// says otherwise.
    func isLine(_ role: RouteMember.Role) -> Bool {
      isFerry || !isArea || role.direction != .both
    }
  }

  private let routable: LastWays
  private let areas: LastWays
  private let own: LastWays
  private var known: [Int64: Drawn?] = [:]

  init(_ found: borrowing FoundObjects) {
    (routable, areas) = (LastWays(found.ways), LastWays(found.areas))
    own = LastWays(found.ownTags)
  }

  subscript(id: Int64) -> Drawn? { known[id] ?? nil }

  /// Looks a way up; returns whether it may be one of a line.
  mutating func find(_ id: Int64, _ found: borrowing FoundObjects) -> Bool {
    if let drawn = known[id] { return drawn != nil }
    let drawn = look(id, found)
    known[id] = .some(drawn)
    return drawn != nil
  }

  private func look(_ id: Int64, _ found: borrowing FoundObjects) -> Drawn? {
    if let index = routable.index(of: id), !found.ways.tags(of: index).isEmpty {
      let tags = found.texts(found.ways.tags(of: index))
      // What else can be walked or ridden on is no water.
      guard tags.contains(where: { $0 == ("route", TagSelection.ferryRoute) }) else { return nil }
      return drawn(tags, isFerry: true, found.ways.refIDs(of: index, found.nodePools), index)
    }
    guard let index = areas.index(of: id) else { return nil }
    let refs = found.areas.refIDs(of: index, found.nodePools)
    var tags = own.index(of: id).map { found.texts(found.ownTags.tags(of: $0)) } ?? []
    guard !refs.isEmpty, !tags.contains(where: { $0.key == "highway" || $0 == ("area", "yes") })
    else { return nil }
    tags.removeAll { $0.key == "route" }
    tags.append(("route", TagSelection.ferryRoute))
    return drawn(tags, isFerry: false, refs, index)
  }

  private func drawn(_ tags: [FerryLines.Tag], isFerry: Bool, _ refs: [Int64], _ index: Int)
    -> Drawn?
  {
    guard let first = refs.first, let last = refs.last else { return nil }
    return Drawn(
      tags: tags, isFerry: isFerry, isArea: refs.count >= 4 && first == last, first: first,
      last: last, index: index)
  }

  func refs(ofWay id: Int64, _ found: borrowing FoundObjects) -> [Int64] {
    guard let way = self[id] else { return [] }
    return way.isFerry
      ? found.ways.refIDs(of: way.index, found.nodePools)
      : found.areas.refIDs(of: way.index, found.nodePools)
  }

  /// The direction of a way in which a line goes that has one along its list: as its end joins the next
  /// way, or its beginning the one before. As drawn if neither does.
  func direction(of index: Int, in list: [RouteMember], _ line: RouteMember.Role.Direction)
    -> RouteMember.Role.Direction
  {
    guard let way = self[list[index].id] else { return .both }
    func joins(_ node: Int64, _ other: Int) -> Bool {
      guard list.indices.contains(other), let way = self[list[other].id] else { return false }
      return way.first == node || way.last == node
    }
    let (next, previous) = (index + 1, index - 1)
    let joinsNext = (first: joins(way.first, next), last: joins(way.last, next))
    let joinsLast = (first: joins(way.first, previous), last: joins(way.last, previous))
    let isTurned =
      joinsNext.first != joinsNext.last
      ? joinsNext.first
      : joinsLast.first != joinsLast.last && joinsLast.last
    return isTurned == (line == .backward) ? .forward : .backward
  }
}

extension FoundObjects {
  /// Tags as texts.
  fileprivate func texts(_ tags: some Sequence<PooledTag>) -> [FerryLines.Tag] {
    tags.map { tag in
      (
        String(decoding: pool.text(Int(tag.key)), as: UTF8.self),
        String(decoding: pool.text(Int(tag.value)), as: UTF8.self)
      )
    }
  }
}
