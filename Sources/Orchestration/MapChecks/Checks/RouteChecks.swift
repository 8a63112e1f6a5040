// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnRouting
import CairnTagRules
import TrailData

/// Waymarked routes whose ways do not join, or are out of order.
struct RouteChecks {
  /// A relation with more members is left out.
  private static let mostMembers = 20_000
  /// The most nodes of all routes together; a small file can name millions.
  private static let mostNodes = 50_000_000

  private let map: CheckedMap

  init(_ map: CheckedMap) { self.map = map }

  func findings() throws(RoutingError) -> [MapFinding] {
    var found: [MapFinding] = []
    var nodes = 0
    let offsets = map.content.routeMemberOffsets
    guard offsets.count == map.content.routeIDs.count + 1 else { return [] }
    for route in map.content.routeIDs.indices {
      let members = map.content.routeMembers[Int(offsets[route])..<Int(offsets[route + 1])]
      // A list of the ways there and back has no single order.
      guard members.count <= Self.mostMembers, members.allSatisfy({ $0.role.direction == .both })
      else { continue }
      nodes += members.reduce(0) {
        $0 + (map.wholeWay($1.id).map { map.ways[$0].range.count } ?? 1)
      }
      if nodes > Self.mostNodes { break }
      let segments = segments(members.filter { $0.role.purpose == .main })
      guard segments.count > 1 else { continue }
      let order = try CourseOrder(segments) { one, other throws(RoutingError) in
        haversineDistance(map.point(UInt32(one)), map.point(UInt32(other)))
      }
      found += findings(route, breaks(segments, order.pieces))
    }
    return found
  }

  /// The ways of a route that are whole in the file as segments, which know their place in the relation.
  private func segments(_ members: [RouteMember]) -> [CourseSegment] {
    var segments: [CourseSegment] = []
    var step: Int64 = 0
    for (index, member) in members.enumerated() {
      guard !member.isRelation, let way = map.wholeWay(member.id) else { continue }
      let nodes = map.refs[map.ways[way].range]
      let line = map.line(way)
      segments.append(
        CourseSegment(
          way: index,
          steps: nodes.dropLast().map { _ in
            step += 1
            return CourseStep(edge: step)
          }, nodes: nodes.map { Int64($0) },
          metres: zip(line, line.dropFirst()).map { segmentMetres($0, $1) }, direction: .both))
    }
    return segments
  }

  /// A gap between two consecutive ways of a relation.
  private struct Break {
    /// The ends that are nearest to each other.
    var from: UInt32
    var to: UInt32
    var metres: Double
    /// Whether other ways of the route join them.
    var isJoined: Bool
  }

  private func breaks(_ segments: [CourseSegment], _ pieces: [CourseChain]) -> [Break] {
    var pieceOfSegment: [Int: Int] = [:]
    for (index, piece) in pieces.enumerated() {
      for link in piece.links { pieceOfSegment[link.segment] = index }
    }
    return segments.indices.dropFirst().compactMap { index in
      let (one, other) = (segments[index - 1], segments[index])
      // Ways outside the file may be between them, and a branch is listed where it leaves.
      guard other.way == one.way + 1, let piece = pieceOfSegment[index - 1],
        let next = pieceOfSegment[index], Set(one.nodes).isDisjoint(with: other.nodes)
      else { return nil }
      // A round trip with a single gap has its ends there.
      let links = pieces[piece].links
      let isRound = links.last?.segment == index - 1 && links.first?.segment == index
      let ends = [one.nodes.first, one.nodes.last].compactMap { $0 }.flatMap { start in
        [other.nodes.first, other.nodes.last].compactMap { $0 }.map { end in
          let (from, to) = (UInt32(start), UInt32(end))
          return Break(
            from: from, to: to, metres: haversineDistance(map.point(from), map.point(to)),
            isJoined: piece == next && !isRound)
        }
      }
      let nearest = ends.min { $0.metres < $1.metres }
      return nearest.flatMap { map.isComplete(at: $0.from) && map.isComplete(at: $0.to) ? $0 : nil }
    }
  }

  /// The findings about a route: its first gap, and the first place where its ways are out of
  /// order.
  private func findings(_ route: Int, _ breaks: [Break]) -> [MapFinding] {
    let tags = CheckedMap.tags(map.content.routeTags, route, map.strings)
    let name = tags["name"] ?? tags["ref"] ?? "without a name"
    return [false, true].compactMap { isJoined in
      let own = breaks.filter { $0.isJoined == isJoined }
      guard let first = own.first else { return nil }
      return MapFinding(
        kind: isJoined ? .routeOrder : .routeGap,
        objects: [MapObject(type: .relation, id: map.content.routeIDs[route])],
        others: [map.node(first.from), map.node(first.to)], place: map.point(first.from),
        text: isJoined
          ? "the ways of route “\(name)” are out of order at \(counted(own.count, "place"))"
          : "route “\(name)” has \(counted(own.count, "gap")); the first one is "
            + "\(grouped(Int(first.metres.rounded()))) m")
    }
  }
}
