// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase

/// A point with the precision of the points between nodes, so that a point is equal in two
/// databases even if it is a node in only one of them.
struct MapPoint: Hashable, Sendable {
  var latitude: Float
  var longitude: Float

  init(_ coordinate: Coordinate) {
    latitude = Float(coordinate.latitude)
    longitude = Float(coordinate.longitude)
  }

  init(latitude: Float, longitude: Float) {
    self.latitude = latitude
    self.longitude = longitude
  }

  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude), longitude: Double(longitude))
  }
}

/// The ways of a routing database as lines: consecutive edges of a way with equal traits are one.
struct ComparedNetwork: Sendable {
  struct Line: Sendable {
    var way: Int64?
    var traits: Int32
    /// Its points; each except the last begins the segment with that index.
    var points: Range<Int>
    /// By the edges' own lengths.
    var metres: Double
  }

  private(set) var points: [MapPoint] = []
  private(set) var lines: [Line] = []
  /// The lengths of ways by their OpenStreetMap ids.
  private(set) var metresOfWays: [Int64: Double] = [:]
  private(set) var metadata: [String: String] = [:]
  /// Whether the database has tags, which show the waymarked routes.
  private(set) var hasTags = false

  /// Reads a database. Throws 66 if it cannot be read, and 65 if it is not a routing database.
  ///
  /// - Parameter table: Takes the traits of the lines.
  init(_ path: String, _ table: inout TraitTable) throws(CairnError) {
    let store = RoutingStore(path: path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      metadata = try store.metadata()
      try read(store, &table)
    } catch { throw error.ofCommand(at: path) }
  }

  private mutating func read(_ store: RoutingStore, _ table: inout TraitTable)
    throws(RoutingError)
  {
    var nodes: [Int64: MapPoint] = [:]
    try store.forEachNode { nodes[$0.id] = MapPoint($0.coordinate) }
    var edges: [(id: Int64, mayBeBarrier: Bool)] = []
    try store.forEachEdge { edges.append(($0.id, false)) }
    let tags = try store.tagSets(ofEdges: edges)
    hasTags = tags != nil
    var index = 0
    var values: [Float] = []
    try store.forEachEdge { edge throws(RoutingError) in
      defer { index += 1 }
      guard let from = nodes[edge.fromNode], let to = nodes[edge.toNode] else { return }
      values.removeAll(keepingCapacity: true)
      guard edge.appendPoints(to: &values) else {
        throw .databaseCorrupted("edge \(edge.id) has an invalid geometry")
      }
      // A barrier has no extent.
      guard from != to || !values.isEmpty else { return }
      let set = tags.flatMap { tags in
        tags.ofEdges.indices.contains(index) ? tags.sets[Int(tags.ofEdges[index])] : nil
      }
      add(edge, from, to, values, table.number(WayTraits(edge, set)))
    }
  }

  private mutating func add(
    _ edge: borrowing EdgeRow, _ from: MapPoint, _ to: MapPoint, _ values: [Float], _ traits: Int32
  ) {
    let way = edge.osmWayID
    if let last = lines.last, way != nil, last.way == way, last.traits == traits,
      points.last == from
    {
      points.removeLast()
      lines[lines.count - 1].metres += edge.distance
    } else {
      lines.append(
        Line(
          way: way, traits: traits, points: points.count..<points.count, metres: edge.distance))
    }
    points.append(from)
    for offset in stride(from: 0, to: values.count - 1, by: 2) {
      points.append(MapPoint(latitude: values[offset], longitude: values[offset + 1]))
    }
    points.append(to)
    let line = lines.count - 1
    lines[line].points = lines[line].points.lowerBound..<points.count
    if let way { metresOfWays[way, default: 0] += edge.distance }
  }

  /// The length of all lines.
  var metres: Double { lines.reduce(0) { $0 + $1.metres } }

  /// The factor on lengths between points that makes them add up to the line's, since the points
  /// are rounded.
  func scale(of line: Line) -> Double {
    var sum = 0.0
    for index in line.points.dropLast() { sum += segmentMetres(index) }
    return sum > 0 && line.metres.isFinite ? line.metres / sum : 1
  }

  /// The length of the segment that begins at a point.
  func segmentMetres(_ index: Int) -> Double {
    haversineDistance(points[index].coordinate, points[index + 1].coordinate)
  }
}

extension WayTraits {
  fileprivate init(_ edge: borrowing EdgeRow, _ tags: [String: String]?) {
    self.init()
    func text(_ column: EdgeRow.Text) -> String? {
      var text: String?
      _ = edge.indexText(column) { bytes in
        text = bytes.map { String(decoding: $0, as: UTF8.self) }
        return 0
      }
      return text
    }
    name = text(.name)
    highway = text(.highwayType)
    surface = text(.surface)
    grade = text(.sacScale)
    visibility = text(.trailVisibility)
    footRoute = tags?["route:foot"]
    bicycleRoute = tags?["route:bicycle"]
    isOpen = edge.cost.isFinite || edge.reverseCost.isFinite && !edge.isOneway
  }
}
