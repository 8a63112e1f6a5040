// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

/// The map under construction: nodes and ways that refer to each other by index.
struct MapDraft {
  struct Node {
    var coordinate: FixedCoordinate
    var tags: [String: String] = [:]

    var point: PlanePoint { PlanePoint(coordinate) }
  }

  struct Way {
    var nodes: [Int]
    var tags: [String: String]
    /// The routes that use this way, in no particular order.
    var routes: [SampleRoute]

    var isHighway: Bool { tags["highway"] != nil }
    var isWaterway: Bool { tags["waterway"] != nil }
    /// Whether it is at ground level, where it can meet other ways.
    var isOnGround: Bool { tags["bridge"] == nil && tags["tunnel"] == nil }
  }

  /// A relation that is not a route: its members are ways by index.
  struct Area {
    var outer: [Int]
    var inner: [Int]
    var tags: [String: String]
  }

  let terrain: Terrain
  var random: SplitMix64
  private(set) var nodes: [Node] = []
  var ways: [Way] = []
  var areas: [Area] = []
  private(set) var hindrance: HindranceMap
  private var nodeByCoordinate: [FixedCoordinate: Int] = [:]

  init(terrain: Terrain, seed: UInt64) {
    self.terrain = terrain
    random = SplitMix64(seed: SplitMix64.mix(seed))
    hindrance = HindranceMap(random: &random)
    hindrance.add(600, on: Relief.lake)
    hindrance.add(600, on: Relief.tarn)
    for valley in Relief.valleys.dropFirst() { hindrance.add(60, along: valley.points) }
    hindrance.add(150, along: Relief.mainValley.points)
  }

  /// The node at a point, created if it does not exist; tags are added to it.
  @discardableResult
  mutating func node(at point: PlanePoint, _ tags: [String: String] = [:]) -> Int {
    let coordinate = point.fixed
    let index = nodeByCoordinate[coordinate] ?? nodes.count
    if index == nodes.count {
      nodes.append(Node(coordinate: coordinate))
      nodeByCoordinate[coordinate] = index
    }
    tag(node: index, tags)
    return index
  }

  /// Adds tags to a node.
  mutating func tag(node: Int, _ tags: [String: String]) {
    nodes[node].tags.merge(tags) { _, new in new }
  }

  /// The point of a node.
  func point(_ node: Int) -> PlanePoint { nodes[node].point }

  /// Adds a way through points as they are.
  @discardableResult
  mutating func way(
    _ points: [PlanePoint], _ tags: [String: String], routes: [SampleRoute] = []
  ) -> Int {
    var line: [Int] = []
    for point in points {
      let index = node(at: point)
      if line.last != index { line.append(index) }
    }
    ways.append(Way(nodes: line, tags: tags, routes: routes))
    if tags["highway"] != nil { hindrance.add(30, along: points) }
    return ways.count - 1
  }

  /// Adds a closed way.
  @discardableResult
  mutating func area(_ points: [PlanePoint], _ tags: [String: String]) -> Int {
    way(points + points.prefix(1), tags)
  }

  /// Adds a smooth road through points, with nodes about 40 m apart.
  @discardableResult
  mutating func road(
    _ points: [PlanePoint], _ tags: [String: String], routes: [SampleRoute] = []
  ) -> Int {
    way(curved(points, spacingMetres: 40), tags, routes: routes)
  }

  /// Adds a way that finds its line over the terrain from stop to stop, no steeper than `maxGrade`
  /// (rise over run) if possible. Its ends join the nearest highway nodes within `joinMetres`.
  @discardableResult
  mutating func trail(
    _ stops: [PlanePoint], maxGrade: Double, joinWithin joinMetres: Double = 45,
    _ tags: [String: String], routes: [SampleRoute] = []
  ) -> Int {
    var stops = stops
    for end in [0, stops.count - 1] {
      if let near = highwayNode(near: stops[end], within: joinMetres) { stops[end] = point(near) }
    }
    var line: [PlanePoint] = []
    for (start, end) in zip(stops, stops.dropFirst()) {
      let search = TrailSearch(
        from: start, to: end, maxGrade: maxGrade, terrain: terrain, hindrance: hindrance)
      line += surveyed(rounded(search.corners()), &random).dropFirst(line.isEmpty ? 0 : 1)
    }
    return way(line, tags, routes: routes)
  }

  /// The nearest node of a highway within `metres` of a point.
  func highwayNode(near point: PlanePoint, within metres: Double) -> Int? {
    var best: (distance: Double, node: Int)?
    for way in ways where way.isHighway && way.isOnGround {
      for node in way.nodes {
        let distance = nodes[node].point.distance(to: point)
        if distance <= metres, distance < best?.distance ?? .infinity { best = (distance, node) }
      }
    }
    return best?.node
  }

  /// Tags the node of a way nearest to a share of the way, 0…1 by number of nodes.
  mutating func tag(node share: Double, of way: Int, _ tags: [String: String]) {
    let line = ways[way].nodes
    tag(node: line[Int((share * Double(line.count - 1)).rounded())], tags)
  }

  /// Splits a way at two of its nodes (shares of their number) and changes the tags of the middle
  /// piece; nil removes a tag. The indices of later ways increase.
  mutating func change(
    _ way: Int, from start: Double, to end: Double, _ tags: [String: String?]
  ) {
    let whole = ways[way]
    let last = Double(whole.nodes.count - 1)
    let first = Int((start * last).rounded())
    let second = max(first + 1, Int((end * last).rounded()))
    var pieces: [Way] = []
    for (range, isMiddle) in [
      (0...first, false), (first...second, true),
      (second...Int(last), false),
    ]
    where range.count > 1 {
      var piece = whole
      piece.nodes = Array(whole.nodes[range])
      if isMiddle { for (key, value) in tags { piece.tags[key] = value } }
      pieces.append(piece)
    }
    ways.replaceSubrange(way...way, with: pieces)
  }
}
