// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit

/// Writes a `.routing.db` in one transaction: tables, rows in the order of their keys, and the
/// indexes of nodes and edges after all of their rows.
///
/// The caller owns the file's name: it passes a temporary path, flushes and renames.
package final class RoutingDatabaseWriter {
  /// An edge as it is written. Texts are UTF-8 and not copied: they must stay valid until all edges
  /// are added.
  package struct Edge {
    /// OpenStreetMap id of the node that it leads from.
    package var fromNode: Int64 = 0
    /// OpenStreetMap id of the node that it leads to.
    package var toNode: Int64 = 0
    /// Metres.
    package var distance = 0.0
    /// Metres climbed.
    package var elevationGain = 0.0
    /// Metres descended.
    package var elevationLoss = 0.0
    /// The tag `surface`.
    package var surface: UnsafeBufferPointer<UInt8>?
    /// The tag `highway`.
    package var highwayType: UnsafeBufferPointer<UInt8>?
    /// The tag `sac_scale`.
    package var sacScale: UnsafeBufferPointer<UInt8>?
    /// The tag `trail_visibility`.
    package var trailVisibility: UnsafeBufferPointer<UInt8>?
    /// The name.
    package var name: UnsafeBufferPointer<UInt8>?
    /// OpenStreetMap id of the way.
    package var osmWayID: Int64 = 0
    /// Cost in the direction of the row.
    package var cost = 0.0
    /// Cost in the other direction.
    package var reverseCost = 0.0
    /// Whether the other direction is forbidden.
    package var isOneway = false

    /// Makes an empty edge.
    package init() {}
  }

  /// A profile as it is written.
  package struct Profile {
    /// The name.
    package var name: String
    /// The SHA-256 of its canonical form.
    package var fingerprint: String
    /// Its canonical form.
    package var definition: String
    /// The least cost per metre of any passable edge.
    package var minimumCostPerMetre: Double

    /// Describes a profile.
    package init(
      name: String, fingerprint: String, definition: String, minimumCostPerMetre: Double
    ) {
      self.name = name
      self.fingerprint = fingerprint
      self.definition = definition
      self.minimumCostPerMetre = minimumCostPerMetre
    }
  }

  /// A component of a profile's graph, as it is written.
  package struct Component {
    /// Its nodes.
    package var nodes: Int
    /// Its passable edges.
    package var edges: Int
    /// Their length in metres.
    package var distance: Double
    /// Whether it is an island.
    package var isIsland: Bool

    /// Describes a component.
    package init(nodes: Int, edges: Int, distance: Double, isIsland: Bool) {
      self.nodes = nodes
      self.edges = edges
      self.distance = distance
      self.isIsland = isIsland
    }
  }

  let connection: SQLiteConnection
  private let nodes: BulkInsert
  private let edges: BulkInsert
  var costBlock = CostBlockBuilder()
  var elevationBlock = ElevationBlockBuilder()
  private var missing: (costs: Int, elevations: Int)
  private let geometries = BlobArena()
  private let edgeCount: Int
  var blob: [UInt8] = []

  /// Begins a database in an empty file, for known numbers of rows.
  ///
  /// - Parameter elevationCount: How many edges have an elevation.
  package init(
    _ path: String, nodeCount: Int, edgeCount: Int, profileCount: Int, elevationCount: Int = 0
  ) throws(CairnError) {
    connection = try SQLiteConnection(path, .build)
    try connection.execute("PRAGMA application_id=\(RoutingSchema.applicationID)")
    try connection.execute("PRAGMA user_version=\(RoutingSchema.version)")
    try connection.execute("BEGIN")
    let views = RoutingSchema.extensionViews.map(\.sql)
    for statement in RoutingSchema.coreTables + RoutingSchema.extensionTables + views {
      try connection.execute(statement)
    }
    nodes = try BulkInsert(
      connection, table: "routing_nodes",
      columns: RoutingSchema.coreColumns["routing_nodes"] ?? [], total: nodeCount)
    edges = try BulkInsert(
      connection, table: "routing_edges",
      columns: (RoutingSchema.coreColumns["routing_edges"] ?? []).filter { $0 != "id" },
      total: edgeCount)
    self.edgeCount = edgeCount
    missing = (edgeCount * profileCount, elevationCount)
  }

  /// Adds a node; in ascending order of ids.
  package func addNode(id: Int64, at position: Coordinate, elevation: Double?) throws(CairnError) {
    try nodes.add { statement, offset throws(CairnError) in
      try statement.bind(offset + 1, id)
      try statement.bind(offset + 2, position.latitude)
      try statement.bind(offset + 3, position.longitude)
      if let elevation {
        try statement.bind(offset + 4, elevation)
      } else {
        try statement.bindNull(offset + 4)
      }
    }
  }

  /// Adds an edge with the points between its ends, which `point` returns for a range of indices.
  /// SQLite assigns the next id, counted from 1, which is quicker than checking that a given id is
  /// free.
  ///
  /// A sequence of points would not be specialised across modules: it took a third of the time of
  /// the whole stage.
  package func addEdge(_ edge: Edge, points indices: Range<Int>, _ point: (Int) -> Coordinate)
    throws(CairnError)
  {
    if edges.isBetweenStatements { geometries.reset() }
    let buffer = geometries.take(indices.count * EdgeGeometry.bytesPerPoint)
    if let buffer {
      EdgeGeometry.pack(indices, point, into: buffer)
    } else {
      blob = EdgeGeometry.pack(indices.map(point))
    }
    try edges.add { statement, offset throws(CairnError) in
      try statement.bind(offset + 1, edge.fromNode)
      try statement.bind(offset + 2, edge.toNode)
      try statement.bind(offset + 3, edge.distance)
      try statement.bind(offset + 4, edge.elevationGain)
      try statement.bind(offset + 5, edge.elevationLoss)
      try bindText(statement, offset + 6, edge.surface)
      try bindText(statement, offset + 7, edge.highwayType)
      try bindText(statement, offset + 8, edge.sacScale)
      try bindText(statement, offset + 9, edge.trailVisibility)
      try bindText(statement, offset + 10, edge.name)
      try statement.bind(offset + 11, edge.osmWayID)
      try statement.bind(offset + 12, edge.cost)
      try statement.bind(offset + 13, edge.reverseCost)
      try statement.bind(offset + 14, Int64(edge.isOneway ? 1 : 0))
      if indices.isEmpty {
        try statement.bindNull(offset + 15)
      } else if let buffer {
        try statement.bindStaticBlob(offset + 15, UnsafeRawBufferPointer(buffer))
      } else {
        try blob.withUnsafeBufferPointer { bytes throws(CairnError) in
          try statement.bindBlob(offset + 15, UnsafeRawBufferPointer(bytes))
        }
      }
    }
  }

  private func bindText(
    _ statement: SQLiteStatement, _ parameter: Int32, _ text: UnsafeBufferPointer<UInt8>?
  ) throws(CairnError) {
    if let text {
      try statement.bindStaticText(parameter, text)
    } else {
      try statement.bindNull(parameter)
    }
  }

  /// Adds a profile; ids count from 1.
  package func addProfile(_ profile: Profile, id: Int) throws(CairnError) {
    let statement = try connection.prepare(
      "INSERT INTO routing_profiles(id,name,fingerprint,definition,min_cost_per_metre) "
        + "VALUES (?,?,?,?,?)")
    try statement.bind(1, Int64(id))
    try statement.bind(2, profile.name)
    try statement.bind(3, profile.fingerprint)
    try statement.bind(4, profile.definition)
    try statement.bind(5, profile.minimumCostPerMetre)
    try statement.step()
  }

  /// Adds costs and seconds of an edge in both directions for a profile; in ascending order of
  /// profiles, then edges.
  package func addCosts(
    profile: Int, edge: Int, cost: Double, reverseCost: Double, duration: Double,
    reverseDuration: Double
  ) throws(CairnError) {
    missing.costs -= 1
    let row = costBlock.add(
      profile: profile, edge: edge, costs: (cost, reverseCost), seconds: (duration, reverseDuration)
    )
    if let row { try write(row) }
  }

  /// Adds the elevation profile of an edge; in ascending order of edges. Throws 70 if it is
  /// invalid.
  ///
  /// - Parameters:
  ///   - maximumSlope: See ``EdgeElevation/maximumSlope``.
  ///   - profile: See ``EdgeElevation/elevations``.
  package func addElevation(edge: Int, maximumSlope: Double, profile: UnsafeBufferPointer<Float>)
    throws(CairnError)
  {
    blob.removeAll(keepingCapacity: true)
    guard EdgeElevation.append(profile, to: &blob) else {
      throw CairnError(.database, .software, "edge \(edge) has an invalid elevation profile")
    }
    missing.elevations -= 1
    if let row = elevationBlock.add(edge: edge, slope: maximumSlope, profile: blob) {
      try write(row)
    }
  }

  /// Adds the components of a profile in the order of their ids, which count from 1.
  package func addComponents(profile: Int, _ components: some Sequence<Component>)
    throws(CairnError)
  {
    let statement = try connection.prepare("INSERT INTO routing_components VALUES (?,?,?,?,?,?)")
    for (index, component) in components.enumerated() {
      try statement.bind(1, Int64(profile))
      try statement.bind(2, Int64(index + 1))
      try statement.bind(3, Int64(component.nodes))
      try statement.bind(4, Int64(component.edges))
      try statement.bind(5, component.distance)
      try statement.bind(6, Int64(component.isIsland ? 1 : 0))
      try statement.step()
      statement.reset()
    }
  }

  /// Adds the nodes of a profile's islands with the ids of their components, in the order of nodes.
  package func addIslands(
    profile: Int, _ islands: some Sequence<(node: Int64, component: Int)>
  ) throws(CairnError) {
    let statement = try connection.prepare("INSERT INTO routing_islands VALUES (?,?,?)")
    for island in islands {
      try statement.bind(1, Int64(profile))
      try statement.bind(2, island.node)
      try statement.bind(3, Int64(island.component))
      try statement.step()
      statement.reset()
    }
  }

  /// Creates the index of the nodes. Throws 70 if some nodes are missing.
  package func finishNodes() throws(CairnError) {
    try nodes.finish()
    try connection.execute(RoutingSchema.nodeIndex)
  }

  /// Creates the indexes of the edges. Throws 70 if some edges are missing.
  package func finishEdges() throws(CairnError) {
    try edges.finish()
    for index in RoutingSchema.edgeIndexes { try connection.execute(index) }
  }

  /// Adds the metadata and closes the database. Throws 70 if fewer rows were added than announced.
  package func finish(metadata: [(key: String, value: String)]) throws(CairnError) {
    if let row = costBlock.finish() { try write(row) }
    if let row = elevationBlock.finish(edges: edgeCount) { try write(row) }
    guard missing == (0, 0) else {
      throw CairnError(.database, .software, "\(missing) costs and elevations are missing")
    }
    let statement = try connection.prepare(
      "INSERT INTO routing_metadata(key,value) VALUES (?,?)")
    for entry in metadata {
      try statement.bind(1, entry.key)
      try statement.bind(2, entry.value)
      try statement.step()
      statement.reset()
    }
    try connection.execute("COMMIT")
    connection.close()
  }
}
