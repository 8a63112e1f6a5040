// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnSQLiteKit

/// Nodes and edges read from the pages of a database whose core tables and indexes are as Cairn
/// writes them, since a search needs thousands of nodes. Any of the functions returns nil if SQLite
/// has to read.
final class GraphPages {
  /// An edge at a node.
  struct Edge {
    var id: Int64
    var fromNode: Int64
    var toNode: Int64
    var distance: Double
    var osmWayID: Int64?
    var costs: CoreCosts
  }

  /// An edge with its whole line.
  struct Line {
    var id: Int64
    var fromNode: Int64
    var toNode: Int64
    var costs: CoreCosts
    var line: [Coordinate]
  }

  /// The columns of an edge for its costs.
  struct CoreCosts {
    var ahead: Double
    var back: Double
    var isOneway: Bool
  }

  /// An edge with its nodes; valid until the next call of a function.
  struct Ends {
    var from: Int64
    var to: Int64
    var costs: CoreCosts
    /// `highway_type`, empty for NULL.
    var highway: UnsafeRawBufferPointer
  }

  private let reader: PageReader
  private let nodes: UInt32
  private let edges: UInt32
  private let nodesByPlace: UInt32
  private let edgesFrom: UInt32
  private let edgesTo: UInt32
  private var rows: [Int64] = []

  /// Nil if the tables or the pages are not as Cairn writes them.
  init?(_ connection: SQLiteConnection) {
    let statements =
      [RoutingSchema.coreTables[0], RoutingSchema.coreTables[1], RoutingSchema.nodeIndex]
      + RoutingSchema.edgeIndexes
    guard let reader = PageReader(connection, for: .searches),
      let roots = reader.roots(createdBy: statements),
      let nodes = roots[0], let edges = roots[1], let nodesByPlace = roots[2],
      let edgesFrom = roots[3], let edgesTo = roots[4]
    else { return nil }
    self.reader = reader
    (self.nodes, self.edges, self.nodesByPlace) = (nodes, edges, nodesByPlace)
    (self.edgesFrom, self.edgesTo) = (edgesFrom, edgesTo)
  }

  /// The position of a node.
  @inline(__always)
  func coordinate(ofNode id: Int64) -> Coordinate? { node(id)?.coordinate }

  /// The node with an id.
  func node(_ id: Int64) -> RoutingNode? {
    guard var row = reader.row(id, in: nodes) else { return nil }
    row.skip(1)
    let (latitude, longitude) = (row.number(), row.number())
    let elevation = row.optionalNumber()
    let node = RoutingNode(
      id: id, latitude: latitude, longitude: longitude, elevation: elevation)
    guard row.isSound, node.coordinate.isValid,
      abs(elevation ?? 0) <= OpenDatabase.greatestElevation
    else { return nil }
    return node
  }

  /// The edges of a selection, without costs and times, and their costs.
  func edges(_ selection: OpenDatabase.Selection) -> [(edge: RoutingEdge, costs: CoreCosts)]? {
    rows.removeAll(keepingCapacity: true)
    switch selection {
    case .byID(let id): rows.append(id)
    case .fromNode(let node):
      guard reader.appendRows(withKey: node, in: edgesFrom, to: &rows) else { return nil }
    case .toNode(let node):
      guard reader.appendRows(withKey: node, in: edgesTo, to: &rows) else { return nil }
    case .inBox: return nil
    }
    var found: [(edge: RoutingEdge, costs: CoreCosts)] = []
    found.reserveCapacity(rows.count)
    for id in rows {
      guard let edge = edge(id) else { return nil }
      found.append(edge)
    }
    return found
  }

  private func edge(_ id: Int64) -> (edge: RoutingEdge, costs: CoreCosts)? {
    guard var row = reader.row(id, in: edges) else { return nil }
    row.skip(1)
    var edge = RoutingEdge(
      id: id, fromNode: row.integer(), toNode: row.integer(), distance: row.number(),
      elevationGain: row.optionalNumber() ?? 0, elevationLoss: row.optionalNumber() ?? 0,
      surface: row.optionalText(), highwayType: row.optionalText(), sacScale: row.optionalText(),
      trailVisibility: row.optionalText(), name: row.optionalText(),
      osmWayID: row.optionalInteger(), cost: .infinity, reverseCost: .infinity, isOneway: false,
      geometry: [])
    guard let costs = CoreCosts(&row), let geometry = EdgeGeometry.unpack(row.blob()),
      row.isSound, OpenDatabase.isQuantity(edge.distance),
      OpenDatabase.isQuantity(edge.elevationGain), OpenDatabase.isQuantity(edge.elevationLoss)
    else { return nil }
    edge.geometry = geometry
    return (edge, costs)
  }

  /// Puts the ids of the edges that lead from a node by their rows, or to it, into a list, ascending;
  /// false if SQLite has to read.
  func findEdges(at node: Int64, isReversed: Bool, into edges: inout [Int64]) -> Bool {
    edges.removeAll(keepingCapacity: true)
    return reader.appendRows(withKey: node, in: isReversed ? edgesTo : edgesFrom, to: &edges)
  }

  /// The columns of an edge for a search.
  @inline(__always)
  func ends(ofEdge id: Int64) -> Ends? {
    guard var row = reader.row(id, in: edges) else { return nil }
    row.skip(1)
    let (from, to) = (row.integer(), row.integer())
    row.skip(4)
    let highway = row.textBytes()
    row.skip(4)
    guard let costs = CoreCosts(&row), row.isSound else { return nil }
    return Ends(from: from, to: to, costs: costs, highway: highway)
  }

  /// The edges that lead from a node by their rows, or to it, in the order of their ids, with the
  /// values for a search that also goes over closed ones.
  func edges(at node: Int64, isReversed: Bool) -> [Edge]? {
    rows.removeAll(keepingCapacity: true)
    let index = isReversed ? edgesTo : edgesFrom
    guard reader.appendRows(withKey: node, in: index, to: &rows) else { return nil }
    var found: [Edge] = []
    found.reserveCapacity(rows.count)
    for id in rows {
      guard var row = reader.row(id, in: edges) else { return nil }
      row.skip(1)
      let (from, to) = (row.integer(), row.integer())
      let distance = row.number()
      row.skip(7)
      let way = row.optionalInteger()
      guard let costs = CoreCosts(&row), row.isSound, OpenDatabase.isQuantity(distance) else {
        return nil
      }
      found.append(
        Edge(
          id: id, fromNode: from, toNode: to, distance: distance, osmWayID: way, costs: costs))
    }
    return found
  }

  /// The ids of the nodes in a box, from the south.
  func nodes(in box: BoundingBox) -> [Int64]? {
    guard box.south <= box.north, box.west <= box.east else { return nil }
    var found: [Int64] = []
    let isRead = reader.appendRows(
      within: box.south...box.north, box.west...box.east, in: nodesByPlace, to: &found)
    return isRead ? found : nil
  }

  /// Adds the ids of the edges at a node: those that lead from it, then those to it.
  func addEdges(at node: Int64, to edges: inout [Int64]) -> Bool {
    reader.appendRows(withKey: node, in: edgesFrom, to: &edges)
      && reader.appendRows(withKey: node, in: edgesTo, to: &edges)
  }

  /// An edge with its line.
  func line(ofEdge id: Int64) -> Line? {
    guard var row = reader.row(id, in: edges) else { return nil }
    row.skip(1)
    let (from, to) = (row.integer(), row.integer())
    row.skip(9)
    guard let costs = CoreCosts(&row) else { return nil }
    let points = EdgeGeometry.unpack(row.blob())
    guard row.isSound, let points, let first = coordinate(ofNode: from),
      let last = coordinate(ofNode: to)
    else { return nil }
    return Line(id: id, fromNode: from, toNode: to, costs: costs, line: [first] + points + [last])
  }
}

extension GraphPages.CoreCosts {
  /// Reads the columns, in their order in the table; nil for invalid costs.
  fileprivate init?(_ row: inout StoredRecord) {
    (ahead, back) = (row.number(), row.number())
    isOneway = row.optionalInteger() != 0
    guard OpenDatabase.isCost(ahead), OpenDatabase.isCost(back) else { return nil }
  }
}
