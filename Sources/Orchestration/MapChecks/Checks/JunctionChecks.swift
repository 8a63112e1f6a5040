// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnRouting
import CairnTagRules
import TrailData

/// Ways that come near each other, or cross, without a common node.
struct JunctionChecks {
  /// The distance to another way within which an end was meant to be joined to it.
  static let nearMetres = 4.0
  /// The distance within which the end leads to the other way, so that it is a spur of it.
  private static let spurMetres = 30.0
  private static let mostSpurNodes = 256
  /// The greatest length of a line beyond a common node.
  private static let overshootMetres = 10.0
  /// The most segments examined around one, so that a scribble does not take hours.
  private static let mostCandidates = 4096
  /// The most crossings of two ways that are examined.
  private static let mostTries = 16

  private let map: CheckedMap
  /// The segments of ways for walkers, by their first ref.
  private let segments: [Int]
  private let grid: SegmentGrid

  init(_ map: CheckedMap) {
    self.map = map
    let segments = map.ways.flatMap { way in
      Self.isJoinable(way.nature) ? Array(way.range.dropLast()) : []
    }
    self.segments = segments
    grid = SegmentGrid(around: map.points, edges: segments.count) { segment, body in
      body(map.point(map.refs[segments[segment]]))
      body(map.point(map.refs[segments[segment] + 1]))
    }
  }

  private static func isJoinable(_ nature: CheckedMap.Way.Nature) -> Bool {
    nature.contains(.walkable) && nature.isDisjoint(with: [.indoor, .area])
  }

  /// Whether two ways are on the same level, as far as tagged.
  private func areLevel(_ one: Int, _ other: Int) -> Bool {
    let (one, other) = (map.ways[one], map.ways[other])
    return one.layer == other.layer
      && one.nature.contains(.structure) == other.nature.contains(.structure)
  }

  // MARK: Loose ends

  func looseEnds() -> [MapFinding] {
    var found: [MapFinding] = []
    // If several ends of two ways are near each other, they are joined at once.
    var pairs: Set<[Int]> = []
    for (index, way) in map.ways.enumerated() where Self.isJoinable(way.nature) {
      for ref in [way.range.lowerBound, way.range.upperBound - 1] {
        let node = map.refs[ref]
        guard map.refs(at: node).count == 1, map.isComplete(at: node),
          !Self.endsOnPurpose(map.tags(ofNode: node)),
          let (other, metres) = nearest(to: node, of: index),
          pairs.insert([min(index, other), max(index, other)]).inserted
        else { continue }
        found.append(
          MapFinding(
            kind: .looseEnd, objects: [map.node(node)],
            others: [map.object(index), map.object(other)],
            place: map.point(node),
            text:
              "way \(way.id) ends \(decimal(metres, 1)) m from way \(map.ways[other].id) without "
              + "joining it"))
      }
    }
    return found
  }

  private static func endsOnPurpose(_ tags: WayTags) -> Bool {
    tags["noexit"] == "yes" || tags["entrance"] != nil || tags["door"] != nil
      || tags["barrier"] != nil || tags["highway"] == "elevator"
  }

  /// The nearest way and its distance, unless the end belongs to a spur of it.
  private func nearest(to node: UInt32, of way: Int) -> (Int, Double)? {
    let point = map.point(node)
    let projection = LineProjection(point)
    var best: (way: Int, metres: Double)?
    for box in BoundingBox.around(point, radiusMetres: Self.nearMetres) {
      grid.forEach(in: box, most: Self.mostCandidates) { segment in
        let ref = segments[segment]
        let other = Int(map.wayOfRef[ref])
        let ends = [map.refs[ref], map.refs[ref + 1]]
        guard other != way, areLevel(way, other),
          let position = projection.nearest(on: ends.map(map.point)),
          position.distanceMetres <= Self.nearMetres
        else { return }
        if let best, (best.metres, best.way) <= (position.distanceMetres, other) { return }
        best = (other, position.distanceMetres)
      }
    }
    guard let best, !isSpur(from: node, to: best.way) else { return nil }
    return best
  }

  /// Whether a node of a way can be reached from an end after a few metres.
  private func isSpur(from start: UInt32, to way: Int) -> Bool {
    var metres: [UInt32: Double] = [start: 0]
    var open = [start]
    while let node = open.popLast() {
      for ref in map.refs(at: node) {
        let passed = Int(map.wayOfRef[Int(ref)])
        if passed == way { return true }
        let range = map.ways[passed].range
        for next in [Int(ref) - 1, Int(ref) + 1] where range.contains(next) {
          let length =
            (metres[node] ?? 0) + haversineDistance(map.point(node), map.point(map.refs[next]))
          guard length <= Self.spurMetres, length < metres[map.refs[next]] ?? .infinity,
            metres.count < Self.mostSpurNodes
          else { continue }
          metres[map.refs[next]] = length
          open.append(map.refs[next])
        }
      }
    }
    return false
  }

  // MARK: Crossings

  func crossings() -> [MapFinding] {
    var places: [[Int]: Coordinate] = [:]
    var tries: [[Int]: Int] = [:]
    for segment in segments.indices {
      let ref = segments[segment]
      let way = Int(map.wayOfRef[ref])
      let ends = (map.refs[ref], map.refs[ref + 1])
      guard let box = BoundingBox(around: [map.point(ends.0), map.point(ends.1)]) else { continue }
      for part in box.parts {
        grid.forEach(in: part, most: Self.mostCandidates) { candidate in
          guard candidate > segment else { return }
          let other = Int(map.wayOfRef[segments[candidate]])
          let pair = [way, other]
          guard way != other, places[pair] == nil, areLevel(way, other) else { return }
          let others = (map.refs[segments[candidate]], map.refs[segments[candidate] + 1])
          guard let place = crossing(ends, others), tries[pair, default: 0] < Self.mostTries else {
            return
          }
          tries[pair, default: 0] += 1
          if !areJoined(way, other, near: place) { places[pair] = place }
        }
      }
    }
    return places.map { pair, place in
      let (one, other) = (map.object(pair[0]), map.object(pair[1]))
      return MapFinding(
        kind: .crossing, objects: [one, other], place: place,
        text: "ways \(one.id) and \(other.id) cross without a common node")
    }
  }

  /// Whether two ways have a node in common near a place, so that a line drawn slightly too far
  /// crosses the other there.
  private func areJoined(_ way: Int, _ other: Int, near place: Coordinate) -> Bool {
    map.refs[map.ways[way].range].contains { node in
      segmentMetres(map.point(node), place) <= Self.overshootMetres
        && map.refs(at: node).contains { Int(map.wayOfRef[Int($0)]) == other }
    }
  }

  /// The crossing of two segments; nil if they do not cross, or touch at an end.
  private func crossing(_ one: (UInt32, UInt32), _ other: (UInt32, UInt32)) -> Coordinate? {
    guard one.0 != other.0, one.0 != other.1, one.1 != other.0, one.1 != other.1 else { return nil }
    let origin = map.point(one.0)
    let projection = LineProjection(origin)
    let (end, start, stop) = (
      projection.offset(map.point(one.1)), projection.offset(map.point(other.0)),
      projection.offset(map.point(other.1))
    )
    let along = (x: stop.x - start.x, y: stop.y - start.y)
    let determinant = end.x * along.y - end.y * along.x
    guard determinant != 0 else { return nil }
    let share = (start.x * along.y - start.y * along.x) / determinant
    let otherShare = (start.x * end.y - start.y * end.x) / determinant
    guard share > 0, share < 1, otherShare > 0, otherShare < 1 else { return nil }
    return interpolated(origin, map.point(one.1), share)
  }
}
