// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The sample map as data: a fictional alpine valley, generated from a seed.
///
/// The same seed gives the same objects on every machine. Objects of each kind have ascending ids,
/// and tags are sorted by key.
package struct SampleWorld: Sendable {
  /// A key and its value.
  package struct Tag: Equatable, Sendable {
    /// The key, such as `highway`.
    package let key: String
    /// The value, such as `path`.
    package let value: String
  }

  /// A point with an id.
  package struct Node: Equatable, Sendable {
    /// Positive; above 2³², like new ids in OpenStreetMap.
    package let id: Int64
    /// Its coordinate.
    package let coordinate: FixedCoordinate
    /// Sorted by key.
    package let tags: [Tag]
  }

  /// A line through nodes.
  package struct Way: Equatable, Sendable {
    /// Positive.
    package let id: Int64
    /// Ids of the nodes in order, at least two; all of them exist.
    package let nodes: [Int64]
    /// Sorted by key.
    package let tags: [Tag]
  }

  /// A relation whose members are ways.
  package struct Relation: Equatable, Sendable {
    /// A way and its role in the relation.
    package struct Member: Equatable, Sendable {
      /// The id of a way.
      package let way: Int64
      /// Such as `outer`; empty for routes.
      package let role: String
    }

    /// Positive.
    package let id: Int64
    /// At least one.
    package let members: [Member]
    /// Sorted by key.
    package let tags: [Tag]
  }

  /// The western region: the main village, the hut and the ascent to the pass.
  package static let westBox = BoundingBox(west: 10.00, south: 47.00, east: 10.10, north: 47.10)
  /// The eastern region: the pass, the other village and the lake.
  package static let eastBox = BoundingBox(west: 10.10, south: 47.00, east: 10.20, north: 47.10)
  /// The timestamp of the data, ISO 8601 in UTC.
  package static let timestamp = "2026-01-01T00:00:00Z"
  /// The timestamp in seconds since 1970.
  static let timestampSeconds: Int64 = 1_767_225_600

  /// All nodes.
  package let nodes: [Node]
  /// All ways.
  package let ways: [Way]
  /// All relations.
  package let relations: [Relation]
  /// The terrain of the map.
  let terrain: Terrain

  /// Generates the world of a seed.
  package init(seed: UInt64) {
    terrain = Terrain(seed: seed)
    var draft = MapDraft(terrain: terrain, seed: seed)
    draft.drawWaterways()
    draft.drawRoads()
    draft.drawVillages()
    draft.drawTrails()
    draft.resolveCrossings()
    draft.drawPointsOfInterest()
    draft.drawClutter()
    let numbered = NumberedMap(draft)
    nodes = numbered.nodes
    ways = numbered.ways
    relations = numbered.relations
  }

  /// Metres above sea level at a point, bilinear between the posts of the tile, with voids filled.
  package func elevationMetres(at coordinate: FixedCoordinate) -> Double {
    terrain.height(at: PlanePoint(coordinate))
  }

  /// The bounding box of all nodes, in 10⁻⁷ degrees.
  var corners: (southWest: FixedCoordinate, northEast: FixedCoordinate) {
    let latitudes = nodes.map(\.coordinate.latitude)
    let longitudes = nodes.map(\.coordinate.longitude)
    return (
      FixedCoordinate(latitude: latitudes.min() ?? 0, longitude: longitudes.min() ?? 0),
      FixedCoordinate(latitude: latitudes.max() ?? 0, longitude: longitudes.max() ?? 0)
    )
  }
}

/// A draft with ids instead of indices.
private struct NumberedMap {
  private static let firstNode: Int64 = 12_000_000_001
  private static let firstWay: Int64 = 1_300_000_001
  private static let firstRelation: Int64 = 17_000_001

  let nodes: [SampleWorld.Node]
  let ways: [SampleWorld.Way]
  let relations: [SampleWorld.Relation]

  init(_ draft: MapDraft) {
    nodes = draft.nodes.enumerated().map { index, node in
      SampleWorld.Node(
        id: Self.nodeID(index), coordinate: node.coordinate, tags: Self.sorted(node.tags))
    }
    ways = draft.ways.enumerated().map { index, way in
      SampleWorld.Way(
        id: Self.wayID(index), nodes: way.nodes.map(Self.nodeID), tags: Self.sorted(way.tags))
    }
    var relations: [SampleWorld.Relation] = []
    func add(_ members: [SampleWorld.Relation.Member], _ tags: [String: String]) {
      let id = Self.firstRelation + Int64(relations.count)
      relations.append(.init(id: id, members: members, tags: Self.sorted(tags)))
    }
    for route in SampleRoute.allCases {
      let members = draft.ways.indices.filter { draft.ways[$0].routes.contains(route) }
      add(members.map { .init(way: Self.wayID($0), role: "") }, route.tags)
    }
    for area in draft.areas {
      add(
        area.outer.map { .init(way: Self.wayID($0), role: "outer") }
          + area.inner.map { .init(way: Self.wayID($0), role: "inner") }, area.tags)
    }
    self.relations = relations
  }

  private static func nodeID(_ index: Int) -> Int64 { firstNode + Int64(index) }
  private static func wayID(_ index: Int) -> Int64 { firstWay + Int64(index) }

  private static func sorted(_ tags: [String: String]) -> [SampleWorld.Tag] {
    tags.map { .init(key: $0.key, value: $0.value) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
