// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// A cost profile that a routing database has costs for.
public struct RoutingProfile: Hashable, Sendable {
  /// The name, such as `hiking`.
  public let name: String
  /// The SHA-256 of the definition, in hexadecimal.
  public let fingerprint: String
  /// All of its parameters as JSON, which is also a valid profile file.
  public let definition: String
  /// The least cost per metre of any passable edge, in metres of flat good path.
  public let minimumCostPerMetre: Double
  /// The mode of its vehicle.
  public var mode: RoutingMode { Self.mode(name: name, definition: definition) }

  /// The mode of a profile: by the vehicle in its definition, as Cairn writes it. A database of
  /// another program may have no definition; then the name counts.
  static func mode(name: String, definition: String?) -> RoutingMode {
    guard var definition, !definition.isEmpty else {
      return RoutingMode(rawValue: name) ?? .hiking
    }
    // Within a text of the definition, quotation marks are escaped. Every opening of a database asks; the
    // standard library's search for a collection takes ten times as long.
    let wanted = Array("\"vehicle\":\"bicycle\"".utf8)
    let isFound = definition.withUTF8 { bytes in
      bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }
    return isFound ? .cycling : .hiking
  }
}

/// The tags that the costs of an edge were computed from.
public struct EdgeTags: Hashable, Sendable {
  /// The tags of its way.
  public var way: [String: String]
  /// The tags of the barrier, if the edge represents one.
  public var barrier: [String: String]?

  /// Makes the tags of an edge.
  public init(way: [String: String], barrier: [String: String]? = nil) {
    self.way = way
    self.barrier = barrier
  }
}

extension RoutingStore {
  /// The profiles of the database with their definitions, beginning with that of `routing_edges`;
  /// empty if it has only the core tables.
  public func profiles() throws(RoutingError) -> [RoutingProfile] {
    if let joined { return try joined.head().profiles }
    return try read { database throws(CairnError) in try database.profileRows() }
  }

  /// Whether most of the nodes lie in the southern hemisphere, whose seasons the costs then follow.
  package func isSouthern() throws(RoutingError) -> Bool {
    if let joined { return try joined.isSouthern() }
    return try read { database throws(CairnError) in
      // To count the nodes of a large database would take longer than the search for a route.
      let box = try database.metadata()[RoutingMetadataKey.boundingBox].flatMap {
        BoundingBox(commandLine: $0)
      }
      if let box, box.south >= 0 || box.north < 0 { return box.north < 0 }
      let south = "SELECT count(*) FROM routing_nodes WHERE latitude < 0"
      let all = "SELECT count(*) FROM routing_nodes"
      let connection = database.connection
      return try connection.integer(south) ?? 0 > (try connection.integer(all) ?? 0) / 2
    }
  }

  /// The tags that an edge's costs were computed from; nil where the database does not have them.
  public func tags(ofEdge id: Int64) throws(RoutingError) -> EdgeTags? {
    if let joined { return try joined.tags(ofEdge: id) }
    return try read { database throws(CairnError) in try database.tags(ofEdge: id) }
  }

  /// The tags of an edge's way alone; nil where the database does not have them.
  package func wayTags(ofEdge id: Int64) throws(RoutingError) -> [String: String]? {
    if let joined { return try joined.wayTags(ofEdge: id) }
    return try read { database throws(CairnError) in try database.wayTags(ofEdge: id) }
  }
}

extension OpenDatabase {
  func profileRows() throws(CairnError) -> [RoutingProfile] {
    guard !profiles.isEmpty else { return [] }
    let row = try statement(
      """
      SELECT name, fingerprint, definition, min_cost_per_metre FROM routing_profiles ORDER BY id
      """)
    var found: [RoutingProfile] = []
    while try row.step() {
      found.append(
        RoutingProfile(
          name: row.text(0) ?? "", fingerprint: row.text(1) ?? "", definition: row.text(2) ?? "",
          minimumCostPerMetre: row.number(3)))
    }
    return found
  }

  func tags(ofEdge id: Int64) throws(CairnError) -> EdgeTags? {
    guard let set = try tagSet(ofEdge: id) else { return nil }
    let barrier = try barrierTagSet(ofEdge: id)
    return EdgeTags(
      way: try tags(ofSet: set),
      barrier: try barrier.map { barrier throws(CairnError) in try tags(ofSet: barrier) })
  }

  func wayTags(ofEdge id: Int64) throws(CairnError) -> [String: String]? {
    guard let set = try tagSet(ofEdge: id) else { return nil }
    if let known = knownTags[set] { return known }
    let tags = try tags(ofSet: set)
    if knownTags.count >= Self.mostKnownTags { knownTags.removeAll() }
    knownTags[set] = tags
    return tags
  }

  func tags(ofSet set: Int64) throws(CairnError) -> [String: String] {
    let row = try statement("SELECT key, value FROM routing_tags WHERE tagset = ?")
    try row.bind(1, set)
    var tags: [String: String] = [:]
    while try row.step() {
      if let key = row.text(0), let value = row.text(1) { tags[key] = value }
    }
    return tags
  }
}
