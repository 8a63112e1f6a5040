// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit

extension RoutingDatabaseWriter {
  /// An edge as it is written. Texts are UTF-8 and not copied.
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
  package struct Profile: Sendable {
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
  package struct Component: Sendable {
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
}

// The rows of the tables, each for the part of its table that it is added to.
extension TreePart {
  /// Adds a node.
  package mutating func addNode(id: Int64, at position: Coordinate, elevation: Double?)
    throws(CairnError)
  {
    record.addNull()
    record.add(position.latitude)
    record.add(position.longitude)
    if let elevation { record.add(elevation) } else { record.addNull() }
    try endRow(id)
  }

  /// Adds an edge with the points between its ends, in 10⁻⁷ degrees; as many latitudes as
  /// longitudes.
  ///
  /// - Parameter id: Counted from 1.
  package mutating func addEdge(
    _ edge: RoutingDatabaseWriter.Edge, id: Int, latitudes: UnsafeBufferPointer<Int32>,
    longitudes: UnsafeBufferPointer<Int32>
  ) throws(CairnError) {
    record.addNull()
    record.add(edge.fromNode)
    record.add(edge.toNode)
    record.add(edge.distance)
    record.add(edge.elevationGain)
    record.add(edge.elevationLoss)
    addText(edge.surface)
    addText(edge.highwayType)
    addText(edge.sacScale)
    addText(edge.trailVisibility)
    addText(edge.name)
    record.add(edge.osmWayID)
    record.add(edge.cost)
    record.add(edge.reverseCost)
    record.add(edge.isOneway ? 1 : 0 as Int64)
    if latitudes.isEmpty {
      record.addNull()
    } else {
      record.addBlob(upTo: latitudes.count * EdgeGeometry.bytesPerPoint) {
        EdgeGeometry.pack(latitudes, longitudes, into: $0)
      }
    }
    try endRow(Int64(id))
  }

  private mutating func addText(_ text: UnsafeBufferPointer<UInt8>?) {
    if let text { record.addText(UnsafeRawBufferPointer(text)) } else { record.addNull() }
  }

  /// Adds a node of an island with the id of its component.
  package mutating func addIslandNode(profile: Int, node: Int64, component: Int)
    throws(CairnError)
  {
    record.add(Int64(profile))
    record.add(node)
    record.add(Int64(component))
    try endRow()
  }

  /// Adds the tags of a set.
  package mutating func addTags(_ tags: [String: String], set: Int) throws(CairnError) {
    // The order of the primary key: bytes, as SQLite compares them.
    for (key, value) in tags.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      try addTag(set: set, key: key, value: value)
    }
  }

  /// Adds a tag of a set; in ascending order of the bytes of the keys.
  package mutating func addTag(set: Int, key: String, value: String) throws(CairnError) {
    record.add(Int64(set))
    record.add(key)
    record.add(value)
    try endRow()
  }

  /// Adds a hazard of an edge; in ascending order.
  package mutating func addHazard(_ hazard: EdgeHazard) throws(CairnError) {
    record.add(hazard.edge)
    record.add(hazard.start)
    record.add(hazard.end)
    record.add(hazard.type)
    record.add(hazard.id)
    record.add(hazard.tagSet)
    try endRow()
  }

  /// Adds a node to the index of the nodes.
  package mutating func addNodeEntry(_ position: Coordinate, id: Int64) throws(CairnError) {
    record.add(position.latitude)
    record.add(position.longitude)
    record.add(id)
    try endRow()
  }

  /// Adds an edge to an index of the edges by the id of one of its nodes.
  package mutating func addEdgeEntry(node: Int64, edge: Int) throws(CairnError) {
    record.add(node)
    record.add(Int64(edge))
    try endRow()
  }
}

extension RoutingSchema {
  /// The declaration of a table.
  static func declaration(of table: String) -> String {
    (coreTables + extensionTables).first { $0.hasPrefix("CREATE TABLE \(table) (") } ?? ""
  }
}
