// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnLocks
import CairnRoutingDatabase

/// The nodes and edges of a routing database in memory, with their lines. All profiles share them;
/// see ``ProfileGraph`` for the costs.
///
/// Nodes and edges have indices from 0, both in the order of their ids.
public final class RoadNetwork: Sendable {
  /// An edge in the direction of its row.
  package struct Edge: Sendable {
    /// The id.
    package internal(set) var id: Int64 = 0
    /// The index of the node that it leads from.
    package internal(set) var from: Int32 = 0
    /// The index of the node that it leads to.
    package internal(set) var to: Int32 = 0
    /// Metres.
    package internal(set) var distance = 0.0
    /// Metres climbed.
    package internal(set) var elevationGain = 0.0
    /// Metres descended.
    package internal(set) var elevationLoss = 0.0
    /// The properties for preferences.
    package internal(set) var traits = EdgeTraits()
    /// The OpenStreetMap id of its way.
    var osmWayID: Int64?
    /// The indices of its texts, by ``EdgeRow/Text``; −1 for none.
    var texts = (Int32(-1), Int32(-1), Int32(-1), Int32(-1), Int32(-1))
    /// The index of its first point; its points end where those of the next edge begin.
    var firstPoint = 0
    /// The range of its elevations in ``RoadNetwork/elevationBytes``.
    var elevations = 0..<0
    /// The costs of the core columns.
    var cost = Double.infinity
    var reverseCost = Double.infinity
    /// Whether it is a one-way by the core columns.
    var isOneway = false
  }

  /// The ids of the nodes, ascending.
  package let nodeIDs: [Int64]
  /// The coordinates of the nodes.
  package let coordinates: [Coordinate]
  /// The same on the unit sphere.
  package let positions: [SpherePoint]
  /// The edges, by ascending id.
  package let edges: [Edge]
  /// Whether the database has elevation profiles of edges.
  let hasElevationProfiles: Bool
  /// Metres above sea level of the nodes, NaN if unknown.
  let nodeElevations: [Double]
  /// Where it was read from.
  let database: RoutingStore
  /// The kinds of barriers between the nodes.
  let barrierKinds: BarrierKinds
  /// The hazards by the tags of the edges.
  let hazards: NetworkHazards
  /// The rules on times; nil if the database does not have them.
  let rules: DayRules?
  /// The length in metres below which a component is an island.
  let islandMetres: Double
  private let regions: [StoreRegion]
  /// The databases of each edge that several have.
  private let sharedEdges: [Int64: [Int]]
  private let points: [Float]
  private let texts: [String]
  private let elevationBytes: [UInt8]
  private let grid: SegmentGrid
  /// Nil until the first request.
  private let knownIncidence = Mutex<EdgeIncidence?>(nil)

  /// The edges at each node, closed ones included.
  var incidence: EdgeIncidence {
    knownIncidence.withLock { known in
      if let known { return known }
      let made = EdgeIncidence(nodeIDs, edges)
      known = made
      return made
    }
  }

  /// Reads a whole database. Throws `RoutingError.databaseCorrupted(_:)` if an edge leads to a
  /// missing node, and the errors of the store.
  public init(reading store: RoutingStore) throws(RoutingError) {
    database = store
    hasElevationProfiles = try store.hasElevationProfiles()
    barrierKinds = try store.barrierKinds()
    rules = try DayRules(reading: store)
    (regions, sharedEdges) = (try store.regions(), try store.sharedEdges())
    islandMetres = try Self.islandMetres(store)
    var ids: [Int64] = []
    var coordinates: [Coordinate] = []
    var elevations: [Double] = []
    try store.forEachNode { node in
      ids.append(node.id)
      coordinates.append(node.coordinate)
      elevations.append(node.elevation ?? .nan)
    }
    guard ids.count < Int(Int32.max) else {
      throw .databaseUnusable("it has too many nodes")
    }
    nodeIDs = ids
    self.coordinates = coordinates
    nodeElevations = elevations
    positions = coordinates.map { SpherePoint($0) }

    var edges: [Edge] = []
    var points: [Float] = []
    var pool = TextColumns()
    var traitsOfTexts = TraitsOfTexts()
    try store.forEachEdge { row throws(RoutingError) in
      guard let from = ids.binarySearch(row.fromNode), let to = ids.binarySearch(row.toNode)
      else { throw .databaseCorrupted("edge \(row.id) leads to a node that is missing") }
      var edge = Edge()
      (edge.id, edge.from, edge.to) = (row.id, Int32(from), Int32(to))
      edge.distance = row.distance
      (edge.elevationGain, edge.elevationLoss) = (row.elevationGain, row.elevationLoss)
      edge.osmWayID = row.osmWayID
      edge.texts = pool.texts(of: row)
      edge.traits = traitsOfTexts.traits(edge.texts, pool.texts)
      edge.traits.add(row.course)
      (edge.cost, edge.reverseCost, edge.isOneway) = (row.cost, row.reverseCost, row.isOneway)
      edge.firstPoint = points.count / 2
      guard row.appendPoints(to: &points) else {
        throw .databaseCorrupted("edge \(row.id) has an invalid geometry")
      }
      edges.append(edge)
      guard EdgeGeometry.isPlausible(points: points.count / 2, edges: edges.count) else {
        throw .databaseCorrupted("the geometries of its edges have too many points")
      }
    }
    guard edges.count < Int(Int32.max) else {
      throw .databaseUnusable("it has too many edges")
    }
    elevationBytes = try Self.readElevations(store, &edges)
    hazards = try NetworkHazards(store, edges, texts: pool.texts)
    self.edges = edges
    self.points = points
    texts = pool.texts
    grid = SegmentGrid(around: coordinates, edges: edges.count) { edge, body in
      RoadNetwork.forEachPoint(of: edge, edges, coordinates, points, body)
    }
  }

  private static func islandMetres(_ store: RoutingStore) throws(RoutingError) -> Double {
    try store.metadata()[RoutingMetadataKey.islandThreshold].flatMap { Double($0) }
      ?? RouteComponents.defaultIslandMetres
  }

  /// The elevation profiles of all edges; sets each edge's range.
  private static func readElevations(_ store: RoutingStore, _ edges: inout [Edge])
    throws(RoutingError) -> [UInt8]
  {
    var bytes: [UInt8] = []
    var next = 0
    try store.forEachElevation { id, blob in
      while next < edges.count, edges[next].id < id { next += 1 }
      guard next < edges.count, edges[next].id == id else { return }
      edges[next].elevations = bytes.count..<bytes.count + blob.count
      bytes.append(contentsOf: blob)
    }
    return bytes
  }

  /// For each node the id of its island by the costs of a profile; −1 for the network.
  package func islands(_ columns: ProfileGraph.CostColumns) -> [Int32] {
    let components = RouteComponents(
      nodes: nodeIDs.count, edges: edges.count, islandMetres: islandMetres
    ) { index in
      RouteComponents.Edge(
        from: UInt32(edges[index].from), to: UInt32(edges[index].to),
        metres: edges[index].distance, isPassableAhead: columns.costs[index] < .infinity,
        isPassableBack: columns.reverseCosts[index] < .infinity)
    }
    var islands = [Int32](repeating: -1, count: nodeIDs.count)
    for (node, component) in zip(components.islandNodes, components.islandComponents) {
      islands[Int(node)] = Int32(component)
    }
    return islands
  }

  /// The index of a node, nil if no node has this id.
  package func index(ofNode id: Int64) -> Int32? {
    nodeIDs.binarySearch(id).map { Int32($0) }
  }

  /// The index of an edge, nil if no edge has this id.
  package func index(ofEdge id: Int64) -> Int? {
    // Ids count from 1, in databases of Cairn without gaps.
    if id > 0, id <= edges.count, edges[Int(id) - 1].id == id { return Int(id) - 1 }
    let index = edges.partitioningIndex { $0.id >= id }
    return index < edges.count && edges[index].id == id ? index : nil
  }

  /// A node by its index.
  package func node(_ index: Int32) -> RoutingNode {
    let index = Int(index)
    return RoutingNode(
      id: nodeIDs[index], latitude: coordinates[index].latitude,
      longitude: coordinates[index].longitude,
      elevation: nodeElevations[index].isNaN ? nil : nodeElevations[index])
  }

  private static func forEachPoint(
    of index: Int, _ edges: [Edge], _ coordinates: [Coordinate], _ points: [Float],
    _ body: (Coordinate) -> Void
  ) {
    let edge = edges[index]
    body(coordinates[Int(edge.from)])
    let end = index + 1 < edges.count ? edges[index + 1].firstPoint : points.count / 2
    for point in edge.firstPoint..<end {
      body(
        Coordinate(
          latitude: Double(points[2 * point]), longitude: Double(points[2 * point + 1])))
    }
    body(coordinates[Int(edge.to)])
  }

  /// Appends the whole line of an edge to a list.
  package func appendLine(of index: Int, to line: inout [Coordinate]) {
    Self.forEachPoint(of: index, edges, coordinates, points) { line.append($0) }
  }

  /// Calls `body` with the indices of all edges that may come within a distance of a point, some
  /// more than once, and some edges further away.
  package func forEachEdge(
    near point: Coordinate, radiusMetres: Double, _ body: (Int) -> Void
  ) {
    for box in BoundingBox.around(point, radiusMetres: radiusMetres) { grid.forEach(in: box, body) }
  }

  /// The points between the ends of an edge.
  private func geometry(_ index: Int) -> [Coordinate] {
    let end = index + 1 < edges.count ? edges[index + 1].firstPoint : points.count / 2
    return (edges[index].firstPoint..<end).map {
      Coordinate(latitude: Double(points[2 * $0]), longitude: Double(points[2 * $0 + 1]))
    }
  }

  /// An edge by its index, in the direction of its row, with the costs of the core columns.
  package func edge(_ index: Int) -> RoutingEdge {
    let edge = edges[index]
    func text(_ index: Int32) -> String? { index < 0 ? nil : texts[Int(index)] }
    return RoutingEdge(
      id: edge.id, fromNode: nodeIDs[Int(edge.from)], toNode: nodeIDs[Int(edge.to)],
      distance: edge.distance, elevationGain: edge.elevationGain,
      elevationLoss: edge.elevationLoss, surface: text(edge.texts.0),
      highwayType: text(edge.texts.1), sacScale: text(edge.texts.2),
      trailVisibility: text(edge.texts.3), name: text(edge.texts.4), osmWayID: edge.osmWayID,
      cost: edge.cost, reverseCost: edge.reverseCost,
      isOneway: edge.isOneway, geometry: geometry(index))
  }

  /// The texts of an edge that name its way.
  package func texts(ofEdge index: Int) -> (osmWayID: Int64?, name: String?, highway: String?) {
    let edge = edges[index]
    let name = edge.texts.4
    return (edge.osmWayID, name < 0 ? nil : texts[Int(name)], highway(index))
  }

  /// The value of `surface` of an edge.
  package func surface(ofEdge index: Int) -> String? {
    let text = edges[index].texts.0
    return text < 0 ? nil : texts[Int(text)]
  }

  /// The regions that some edges need.
  func regions(ofEdges ids: [Int64]) -> RegionsOfEdges {
    RegionsOfEdges(
      regions, having: ids.map { sharedEdges[$0] ?? [RegionsOfEdges.part(ofEdge: $0)] })
  }

  /// The value of `highway` of an edge.
  func highway(_ index: Int) -> String? {
    let text = edges[index].texts.1
    return text < 0 ? nil : texts[Int(text)]
  }

  /// The elevations of an edge in the direction of its row, nil if they are unknown. Throws
  /// ``RoutingError/databaseCorrupted(_:)`` if they are damaged.
  func elevations(_ index: Int) throws(RoutingError) -> EdgeElevation? {
    let range = edges[index].elevations
    guard !range.isEmpty else { return nil }
    let elevations = elevationBytes.withUnsafeBytes {
      EdgeElevation.unpack(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    guard let elevations else {
      throw .databaseCorrupted("edge \(edges[index].id) has an invalid elevation profile")
    }
    return EdgeElevation(maximumSlope: 0, elevations: elevations)
  }
}

/// The distinct texts of all edges. Consecutive rows mostly have equal texts, so there are few
/// look-ups.
private struct TextColumns {
  private(set) var texts: [String] = []
  private var indices: [String: Int32] = [:]
  private var last = [(bytes: [UInt8], index: Int32)](repeating: ([], -1), count: 5)

  mutating func texts(of row: borrowing EdgeRow) -> (Int32, Int32, Int32, Int32, Int32) {
    (
      index(row, .surface), index(row, .highwayType), index(row, .sacScale),
      index(row, .trailVisibility), index(row, .name)
    )
  }

  private mutating func index(_ row: borrowing EdgeRow, _ column: EdgeRow.Text) -> Int32 {
    let slot = column.rawValue
    return row.indexText(column) { bytes in
      guard let bytes else { return -1 }
      if last[slot].index >= 0, last[slot].bytes.elementsEqual(bytes) {
        return last[slot].index
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let index = indices[text] ?? Int32(texts.count)
      if index == texts.count {
        indices[text] = index
        texts.append(text)
      }
      last[slot] = (Array(bytes), index)
      return index
    }
  }
}

/// The traits that follow from the texts of edges, computed once for each combination of texts.
private struct TraitsOfTexts {
  private struct Key: Hashable {
    var surface, highway, sacScale: Int32
  }

  private var known: [Key: EdgeTraits] = [:]
  private var last = (key: Key(surface: -1, highway: -1, sacScale: -1), traits: EdgeTraits())

  /// The traits of an edge by the indices of its texts, in the order of ``EdgeRow/Text``.
  mutating func traits(_ indices: (Int32, Int32, Int32, Int32, Int32), _ texts: [String])
    -> EdgeTraits
  {
    let key = Key(surface: indices.0, highway: indices.1, sacScale: indices.2)
    if key == last.key { return last.traits }
    func text(_ index: Int32) -> String? { index < 0 ? nil : texts[Int(index)] }
    let traits =
      known[key]
      ?? EdgeTraits(
        highway: text(key.highway), surface: text(key.surface), sacScale: text(key.sacScale))
    known[key] = traits
    last = (key, traits)
    return traits
  }
}
