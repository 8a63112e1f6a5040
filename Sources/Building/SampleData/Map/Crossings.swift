// SPDX-License-Identifier: Apache-2.0

extension MapDraft {
  /// Half the length of a bridge over a stream, in metres.
  private static let halfBridgeMetres = 9.0

  /// Lets ways that cross on the ground share a node, as required in OpenStreetMap, and takes ways
  /// across water: paths and tracks ford streams, all other ways get a bridge.
  mutating func resolveCrossings() {
    joinHighways()
    crossWater()
  }

  private mutating func joinHighways() {
    let segments = SegmentIndex(self) { $0.isHighway && $0.isOnGround }
    var insertions: [Insertion] = []
    for (first, second) in segments.pairs() {
      guard let crossing = crossing(first, second) else { continue }
      let node = nearEnd(of: first, crossing) ?? nearEnd(of: second, crossing)
      let shared = node ?? self.node(at: crossing)
      insertions.append(Insertion(first, shared, at: crossing, in: self))
      insertions.append(Insertion(second, shared, at: crossing, in: self))
    }
    insert(insertions)
  }

  private mutating func crossWater() {
    let segments = SegmentIndex(self) { ($0.isHighway && $0.isOnGround) || $0.isWaterway }
    var fords: [Insertion] = []
    var bridges: [(segment: Segment, share: Double)] = []
    for (first, second) in segments.pairs() {
      guard ways[first.way].isWaterway != ways[second.way].isWaterway,
        let crossing = crossing(first, second)
      else { continue }
      let (road, water) = ways[first.way].isHighway ? (first, second) : (second, first)
      let kind = ways[road.way].tags["highway"]
      if ways[water.way].tags["waterway"] == "stream", kind == "path" || kind == "track" {
        let node = self.node(at: crossing, ["ford": kind == "path" ? "stepping_stones" : "yes"])
        fords.append(Insertion(road, node, at: crossing, in: self))
        fords.append(Insertion(water, node, at: crossing, in: self))
      } else {
        let start = point(road.start)
        bridges.append((road, start.distance(to: crossing) / start.distance(to: point(road.end))))
      }
    }
    // From the last to the first, so that earlier indices stay valid.
    bridges.sort { ($0.segment.way, $0.segment.index) > ($1.segment.way, $1.segment.index) }
    let bridged = Set(bridges.map { $0.segment })
    insert(fords.filter { !bridged.contains($0.segment) })
    for bridge in bridges { build(bridge.segment, bridge.share) }
  }

  /// Splits a way around its crossing of water and makes the middle part a bridge.
  private mutating func build(_ segment: Segment, _ share: Double) {
    guard
      let index = zip(ways[segment.way].nodes, ways[segment.way].nodes.dropFirst())
        .enumerated().first(where: { $1.0 == segment.start && $1.1 == segment.end })?.offset
    else { return }
    let start = point(segment.start)
    let end = point(segment.end)
    let half = Self.halfBridgeMetres / start.distance(to: end)
    let before = share - half > 0.1 ? node(at: start.towards(end, share - half)) : segment.start
    let after = share + half < 0.9 ? node(at: start.towards(end, share + half)) : segment.end
    let whole = ways[segment.way]
    var first = whole
    var middle = whole
    var last = whole
    first.nodes = Array(whole.nodes[...index]) + (before == segment.start ? [] : [before])
    middle.nodes = [before, after]
    middle.tags["bridge"] = "yes"
    middle.tags["layer"] = "1"
    last.nodes = (after == segment.end ? [] : [after]) + Array(whole.nodes[(index + 1)...])
    ways.replaceSubrange(
      segment.way...segment.way, with: [first, middle, last].filter { $0.nodes.count > 1 })
  }

  /// The crossing of two segments without a common node, if any.
  private func crossing(_ first: Segment, _ second: Segment) -> PlanePoint? {
    guard first.start != second.start, first.start != second.end, first.end != second.start,
      first.end != second.end
    else { return nil }
    let start = point(first.start)
    let line = point(first.end) - start
    let other = point(second.end) - point(second.start)
    let offset = point(second.start) - start
    let determinant = line.x * other.y - line.y * other.x
    guard determinant != 0 else { return nil }
    let share = (offset.x * other.y - offset.y * other.x) / determinant
    let otherShare = (offset.x * line.y - offset.y * line.x) / determinant
    guard share >= 0, share <= 1, otherShare >= 0, otherShare <= 1 else { return nil }
    return start + line * share
  }

  /// The end of a segment close enough to be used instead of a new node.
  private func nearEnd(of segment: Segment, _ crossing: PlanePoint) -> Int? {
    [segment.start, segment.end].first { point($0).distance(to: crossing) < 6 }
  }

  private mutating func insert(_ insertions: [Insertion]) {
    let sorted = insertions.sorted { $0.key > $1.key }
    for insertion in sorted {
      let index = insertion.segment.index
      let line = ways[insertion.segment.way].nodes
      guard line[index] != insertion.node, line[index + 1] != insertion.node else { continue }
      ways[insertion.segment.way].nodes.insert(insertion.node, at: index + 1)
    }
  }
}

/// Two consecutive nodes of a way.
struct Segment: Hashable {
  let way: Int
  /// The index of the first node in its way.
  let index: Int
  let start: Int
  let end: Int
}

/// A node to be inserted into a segment.
private struct Insertion {
  let segment: Segment
  let node: Int
  let metres: Double

  init(_ segment: Segment, _ node: Int, at point: PlanePoint, in draft: MapDraft) {
    self.segment = segment
    self.node = node
    metres = draft.point(segment.start).distance(to: point)
  }

  var key: (Int, Int, Double, Int) { (segment.way, segment.index, metres, node) }
}

/// Finds segments that may touch, by a grid of 100 m squares.
struct SegmentIndex {
  private struct Square: Hashable {
    let column: Int
    let row: Int
  }

  private static let squareMetres = 100.0
  private var segments: [Segment] = []
  private var bySquare: [Square: [Int]] = [:]

  init(_ draft: MapDraft, where isIncluded: (MapDraft.Way) -> Bool) {
    for (wayIndex, way) in draft.ways.enumerated() where isIncluded(way) {
      for index in 0..<way.nodes.count - 1 {
        let segment = Segment(
          way: wayIndex, index: index, start: way.nodes[index], end: way.nodes[index + 1])
        for square in Self.squares(draft.point(segment.start), draft.point(segment.end), 0) {
          bySquare[square, default: []].append(segments.count)
        }
        segments.append(segment)
      }
    }
  }

  private static func squares(_ start: PlanePoint, _ end: PlanePoint, _ margin: Double)
    -> [Square]
  {
    func index(_ metres: Double) -> Int { Int((metres / squareMetres).rounded(.down)) }
    let columns = index(min(start.x, end.x) - margin)...index(max(start.x, end.x) + margin)
    let rows = index(min(start.y, end.y) - margin)...index(max(start.y, end.y) + margin)
    return columns.flatMap { column in rows.map { Square(column: column, row: $0) } }
  }

  /// Every pair of segments with a square in common, each once, in the order of the ways.
  func pairs() -> [(Segment, Segment)] {
    var near: [Set<Int>] = Array(repeating: [], count: segments.count)
    for members in bySquare.values {
      for (position, first) in members.enumerated() {
        near[first].formUnion(members[(position + 1)...])
      }
    }
    return near.enumerated().flatMap { first, others in
      others.sorted().map { (segments[first], segments[$0]) }
    }
  }

  /// The segments that may lie within `metres` of a point.
  func segments(within metres: Double, of point: PlanePoint) -> [Segment] {
    Set(Self.squares(point, point, metres).flatMap { bySquare[$0] ?? [] }).sorted()
      .map { segments[$0] }
  }
}
