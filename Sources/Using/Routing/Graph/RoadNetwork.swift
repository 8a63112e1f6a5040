// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy
import RoutingDatabase

/// The nodes and edges of a routing database in memory, with their lines: what all of its profiles
/// share. See ``ProfileGraph`` for the costs.
///
/// Nodes and edges have numbers from 0 on, in the order of their ids and rows.
public final class RoadNetwork: Sendable {
  /// An edge in the direction of its row.
  package struct Edge: Sendable {
    /// The row.
    package internal(set) var id: Int64 = 0
    /// The number of the node that it leads from.
    package internal(set) var from: Int32 = 0
    /// The number of the node that it leads to.
    package internal(set) var to: Int32 = 0
    /// Metres.
    package internal(set) var distance = 0.0
    /// Metres climbed.
    package internal(set) var elevationGain = 0.0
    /// Metres descended.
    package internal(set) var elevationLoss = 0.0
    /// What preferences ask of it.
    package internal(set) var traits = EdgeTraits()
    /// The OpenStreetMap id of its way.
    var osmWayID: Int64?
    /// The numbers of its texts, by ``EdgeRow/Text``; −1 where there is none.
    var texts = (Int32(-1), Int32(-1), Int32(-1), Int32(-1), Int32(-1))
    /// Where its points begin, counted in points; they end where those of the next one begin.
    var firstPoint = 0
    /// Its elevations among the bytes of all.
    var elevations = 0..<0
    /// The costs of the core columns.
    var cost = Double.infinity
    var reverseCost = Double.infinity
    /// Whether the core columns lead one way only.
    var isOneway = false
  }

  /// The ids of the nodes, ascending.
  package let nodeIDs: [Int64]
  /// Where the nodes are.
  package let coordinates: [Coordinate]
  /// The same on the unit sphere.
  package let positions: [SpherePoint]
  /// The edges by their rows.
  package let edges: [Edge]
  /// Whether the database says how its edges climb.
  let hasElevationProfiles: Bool
  /// Metres above sea level of the nodes, NaN where unknown.
  let nodeElevations: [Double]
  private let points: [Float]
  private let texts: [String]
  private let elevationBytes: [UInt8]
  private let grid: SegmentGrid

  /// Reads a whole database. Throws ``RoutingError/databaseCorrupted(_:)`` where an edge leads to a
  /// node that is missing, and what reading throws.
  public init(reading store: RoutingStore) throws(RoutingError) {
    hasElevationProfiles = try store.hasElevationProfiles()
    var ids: [Int64] = []
    var places: [Coordinate] = []
    var heights: [Double] = []
    try store.forEachNode { node in
      ids.append(node.id)
      places.append(node.coordinate)
      heights.append(node.elevation ?? .nan)
    }
    guard ids.count < Int(Int32.max) else {
      throw .databaseUnusable("it has more nodes than can be counted")
    }
    nodeIDs = ids
    coordinates = places
    nodeElevations = heights
    positions = places.map { SpherePoint($0) }

    var edges: [Edge] = []
    var points: [Float] = []
    var pool = TextColumns()
    var traitsOfTexts = TraitsOfTexts()
    try store.forEachEdge { row throws(RoutingError) in
      guard let from = ids.binarySearch(row.fromNode),
        let to = ids.binarySearch(row.toNode)
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
        throw .databaseCorrupted("the geometry of edge \(row.id) is no list of points")
      }
      edges.append(edge)
      guard EdgeGeometry.isPlausible(points: points.count / 2, edges: edges.count) else {
        throw .databaseCorrupted("the geometries of its edges have too many points")
      }
    }
    guard edges.count < Int(Int32.max) else {
      throw .databaseUnusable("it has more edges than can be counted")
    }
    var bytes: [UInt8] = []
    var next = 0
    try store.forEachElevation { id, _, blob in
      while next < edges.count, edges[next].id < id { next += 1 }
      guard next < edges.count, edges[next].id == id else { return }
      edges[next].elevations = bytes.count..<bytes.count + blob.count
      bytes.append(contentsOf: blob)
    }
    self.edges = edges
    self.points = points
    texts = pool.texts
    elevationBytes = bytes
    grid = SegmentGrid(around: places, edges: edges.count) { edge, body in
      RoadNetwork.forEachPoint(of: edge, edges, places, points, body)
    }
  }

  /// The number of a node, nil if there is none of this id.
  package func number(ofNode id: Int64) -> Int32? {
    nodeIDs.binarySearch(id).map { Int32($0) }
  }

  /// The number of the edge of a row, nil if there is none.
  package func number(ofEdge id: Int64) -> Int? {
    // Rows count from 1, in our databases without gaps.
    if id > 0, id <= edges.count, edges[Int(id) - 1].id == id { return Int(id) - 1 }
    let index = edges.partitioningIndex { $0.id >= id }
    return index < edges.count && edges[index].id == id ? index : nil
  }

  /// A node by its number.
  package func node(_ number: Int32) -> RoutingNode {
    let place = Int(number)
    return RoutingNode(
      id: nodeIDs[place], latitude: coordinates[place].latitude,
      longitude: coordinates[place].longitude,
      elevation: nodeElevations[place].isNaN ? nil : nodeElevations[place])
  }

  private static func forEachPoint(
    of number: Int, _ edges: [Edge], _ places: [Coordinate], _ points: [Float],
    _ body: (Coordinate) -> Void
  ) {
    let edge = edges[number]
    body(places[Int(edge.from)])
    let end = number + 1 < edges.count ? edges[number + 1].firstPoint : points.count / 2
    for point in edge.firstPoint..<end {
      body(
        Coordinate(
          latitude: Double(points[2 * point]), longitude: Double(points[2 * point + 1])))
    }
    body(places[Int(edge.to)])
  }

  /// Appends the whole line of an edge to a list.
  func appendLine(of number: Int, to line: inout [Coordinate]) {
    Self.forEachPoint(of: number, edges, coordinates, points) { line.append($0) }
  }

  /// Calls `body` with the numbers of all edges that may come within a distance of a point, some
  /// of them more than once, and with others.
  func forEachEdge(near point: Coordinate, radiusMetres: Double, _ body: (Int) -> Void) {
    for box in BoundingBox.around(point, radiusMetres: radiusMetres) { grid.forEach(in: box, body) }
  }

  /// The points between the ends of an edge.
  private func geometry(_ number: Int) -> [Coordinate] {
    let end = number + 1 < edges.count ? edges[number + 1].firstPoint : points.count / 2
    return (edges[number].firstPoint..<end).map {
      Coordinate(latitude: Double(points[2 * $0]), longitude: Double(points[2 * $0 + 1]))
    }
  }

  /// An edge with its texts and points, in the direction of its row, at the core costs.
  package func edge(_ number: Int) -> RoutingEdge {
    let edge = edges[number]
    func text(_ number: Int32) -> String? { number < 0 ? nil : texts[Int(number)] }
    return RoutingEdge(
      id: edge.id, fromNode: nodeIDs[Int(edge.from)], toNode: nodeIDs[Int(edge.to)],
      distance: edge.distance, elevationGain: edge.elevationGain,
      elevationLoss: edge.elevationLoss, surface: text(edge.texts.0),
      highwayType: text(edge.texts.1), sacScale: text(edge.texts.2),
      trailVisibility: text(edge.texts.3), name: text(edge.texts.4), osmWayID: edge.osmWayID,
      cost: edge.cost, reverseCost: edge.reverseCost,
      isOneway: edge.isOneway, geometry: geometry(number))
  }

  /// The elevations of an edge in the direction of its row, nil where they are not known. Throws
  /// ``RoutingError/databaseCorrupted(_:)`` where they are damaged.
  func elevations(_ number: Int) throws(RoutingError) -> EdgeElevation? {
    let range = edges[number].elevations
    guard !range.isEmpty else { return nil }
    let heights = elevationBytes.withUnsafeBytes {
      EdgeElevation.unpack(UnsafeRawBufferPointer(rebasing: $0[range]))
    }
    guard let heights else {
      throw .databaseCorrupted("the elevations of edge \(edges[number].id) are no profile")
    }
    return EdgeElevation(maximumSlope: 0, elevations: heights)
  }
}

/// The distinct texts of all edges. Rows that follow each other mostly have the same ones, so that
/// few are looked up.
private struct TextColumns {
  private(set) var texts: [String] = []
  private var numbers: [String: Int32] = [:]
  private var last = [(bytes: [UInt8], number: Int32)](repeating: ([], -1), count: 5)

  mutating func texts(of row: borrowing EdgeRow) -> (Int32, Int32, Int32, Int32, Int32) {
    (
      number(row, .surface), number(row, .highwayType), number(row, .sacScale),
      number(row, .trailVisibility), number(row, .name)
    )
  }

  private mutating func number(_ row: borrowing EdgeRow, _ column: EdgeRow.Text) -> Int32 {
    let place = column.rawValue
    return row.indexText(column) { bytes in
      guard let bytes else { return -1 }
      if last[place].number >= 0, last[place].bytes.elementsEqual(bytes) {
        return last[place].number
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let number = numbers[text] ?? Int32(texts.count)
      if number == texts.count {
        numbers[text] = number
        texts.append(text)
      }
      last[place] = (Array(bytes), number)
      return number
    }
  }
}

/// The traits that follow from the texts of edges, worked out once for each combination of texts.
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
