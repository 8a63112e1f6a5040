// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import CairnSQLiteKit

/// A `.routing.db`, open for reading. Any thread may use it.
///
/// Databases may have only the three core tables, or costs for several profiles.
///
/// ```swift
/// let store = RoutingStore(path: "valley.routing.db")
/// try store.open()
/// defer { store.close() }
/// let edges = try store.getEdgesFrom(4711)
/// ```
public final class RoutingStore: Sendable {
  /// The path of the database.
  public let path: String
  private let database = Mutex<OpenDatabase?>(nil)
  private let openingCount = Mutex(0)
  private let day: DayCosts?
  /// The databases read as one; nil for a single one.
  let joined: JoinedStores?

  /// Makes a store for a path, without opening the database.
  public convenience init(path: String) { self.init(path: path, day: nil) }

  /// Makes a store that shows a database as it is on a day; nil for the day of its build.
  init(path: String, day: DayCosts?) { (self.path, self.day, joined) = (path, day, nil) }

  /// Makes a store that reads the databases of several regions as one.
  ///
  /// - Parameters:
  ///   - opensWhenReached: Whether each database is opened only when a request reaches it. Then
  ///     nothing else may use the stores.
  ///   - pricing: The costs of pieces of edges.
  package convenience init(
    joining stores: [RoutingStore], opensWhenReached: Bool = false,
    pricing: @escaping PiecePricing
  ) {
    self.init(JoinedStores(stores, opensWhenReached: opensWhenReached, pricing: pricing))
  }

  init(_ joined: JoinedStores) {
    path = joined.stores.map(\.path).joined(separator: ", ")
    (day, self.joined) = (nil, joined)
  }

  /// Opens the database; does nothing if it is open already. Throws
  /// ``RoutingError/databaseUnreadable(_:)`` if it does not exist or cannot be read, and
  /// ``RoutingError/databaseUnusable(_:)`` if it is not a routing database.
  ///
  /// With several databases it also throws ``RoutingError/databasesDoNotFit(_:)`` if they cannot be
  /// read as one. All errors name the database.
  public func open() throws(RoutingError) {
    if let joined { return try joined.open() }
    try database.withLock { database throws(RoutingError) in
      guard database == nil else { return }
      database = try OpenDatabase(path, day: day)
      openingCount.withLock { $0 += 1 }
    }
  }

  /// The number of times that the database was opened; caches of its content are dropped when it
  /// changes. Throws ``RoutingError/databaseNotOpen`` while it is closed.
  package func openings() throws(RoutingError) -> Int {
    if let joined { return try joined.openingCount() }
    try read { _ in () }
    return openingCount.withLock { $0 }
  }

  /// Closes the database.
  public func close() {
    if let joined { return joined.close() }
    database.withLock { $0 = nil }
  }

  /// The regions of the databases, in their order.
  public func regions() throws(RoutingError) -> [StoreRegion] {
    if let joined { return try joined.head().parts.map(\.region) }
    return [StoreRegion(try metadata())]
  }

  /// The regions that some edges need.
  package func regions(ofEdges edges: [Int64]) throws(RoutingError) -> RegionsOfEdges {
    guard let joined else { return RegionsOfEdges(try regions(), ofEdges: edges.count) }
    var having: [[Int]] = []
    for id in edges { having.append(try joined.parts(having: id)) }
    return RegionsOfEdges(try regions(), having: having)
  }

  /// The databases of each edge that several have, for a graph in memory.
  package func sharedEdges() throws(RoutingError) -> [Int64: [Int]] {
    try joined?.sharedEdges() ?? [:]
  }

  /// The paths of the databases, in their order.
  public var paths: [String] { joined?.stores.map(\.path) ?? [path] }

  /// Another store of the same database, not open.
  func copy() -> RoutingStore { RoutingStore(path: path, day: day) }

  /// The same database on a day, not open.
  func onDayWhenOpened(_ day: DayCosts) -> RoutingStore { RoutingStore(path: path, day: day) }

  /// Whether each of several databases is opened only when a request reaches it.
  package var opensWhenReached: Bool { joined?.opensWhenReached ?? false }

  /// The number of open databases.
  package var openDatabases: Int {
    joined?.openCount ?? database.withLock { $0 == nil ? 0 : 1 }
  }

  /// - Parameter profile: The profile that `body` looks up, if any.
  func read<Result: Sendable>(
    profile: String? = nil,
    _ body: @Sendable (borrowing OpenDatabase) throws(CairnError) -> Result
  ) throws(RoutingError) -> Result {
    try database.withLock { database throws(RoutingError) in
      guard let database else { throw RoutingError.databaseNotOpen }
      do throws(CairnError) { return try body(database) } catch {
        throw reading(error, database, profile: profile)
      }
    }
  }

  /// The routing error for a database error.
  ///
  /// - Parameter profile: The profile that was looked up, if any.
  func reading(_ error: CairnError, _ database: OpenDatabase, profile: String?) -> RoutingError {
    guard let profile, error.code == .unknownRoutingProfile else {
      return RoutingError(reading: error)
    }
    return .profileNotAvailable(profile, available: database.profiles.map(\.name))
  }

  /// Lets `body` read whole tables, with the store locked.
  func scan(_ body: (OpenDatabase) throws(RoutingError) -> Void) throws(RoutingError) {
    try database.withLock { database throws(RoutingError) in
      guard let database else { throw RoutingError.databaseNotOpen }
      try body(database)
    }
  }

  /// The values of `routing_metadata` by key; see ``RoutingMetadataKey``.
  public func metadata() throws(RoutingError) -> [String: String] {
    if let joined { return try joined.head().metadata }
    return try read { database throws(CairnError) in try database.metadata() }
  }

  /// The names of the profiles with costs in the database, beginning with the profile of
  /// `routing_edges`; empty if it has only the core tables.
  public func profileNames() throws(RoutingError) -> [String] {
    if let joined { return try joined.head().profiles.map(\.name) }
    return try read { $0.profiles.map(\.name) }
  }

  /// The profile of a mode: the one of its name, otherwise the first one of its vehicle; nil if
  /// there is none.
  public func profileName(for mode: RoutingMode) throws(RoutingError) -> String? {
    if let joined { return try joined.profileName(for: mode) }
    return try read { database in
      let names = database.profiles.filter { $0.mode == mode }.map(\.name)
      return names.contains(mode.rawValue) ? mode.rawValue : names.first
    }
  }

  /// The mode of a profile; nil if the database does not have the profile.
  public func mode(ofProfile name: String) throws(RoutingError) -> RoutingMode? {
    if let joined { return try joined.head().profiles.first { $0.name == name }?.mode }
    return try read { database in database.profiles.first { $0.name == name }?.mode }
  }

  /// What climbing costs at least in a profile (nil: the core columns); ``ClimbCosts/none`` if the
  /// database does not have it, and for several databases, which need not agree about elevations.
  package func climbCosts(profile: String? = nil) throws(RoutingError) -> ClimbCosts {
    guard joined == nil else { return .none }
    return try read(profile: profile) { database throws(CairnError) in
      try database.climbCosts(profile: profile)
    }
  }

  /// The least cost per metre of any passable edge in a profile (nil: the core columns), a factor
  /// of the straight line in heuristics; 0 if the database does not have it.
  package func minimumCostPerMetre(profile: String? = nil) throws(RoutingError) -> Double {
    if let joined { return try joined.minimumCostPerMetre(profile: profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.minimumCostPerMetre(profile: profile)
    }
  }

  /// The node with an id, or nil if there is none.
  public func getNode(_ id: Int64) throws(RoutingError) -> RoutingNode? {
    if let joined { return try joined.node(id) }
    return try read { database throws(CairnError) in try database.node(id) }
  }

  /// The edge with an id in the direction of its row, or nil if there is none.
  public func getEdge(_ id: Int64, profile: String? = nil) throws(RoutingError) -> RoutingEdge? {
    if let joined { return try joined.edge(id, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.edges(.byID(id), try database.source(ofProfile: profile)).first
    }
  }

  /// The seconds of an edge in the direction of its row and in the other one by a profile; nil if
  /// impassable, or missing in the database.
  package func seconds(ofEdge id: Int64, profile: String?) throws(RoutingError) -> (
    ahead: Double?, back: Double?
  ) {
    if let joined { return try joined.seconds(ofEdge: id, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.seconds(try database.source(ofProfile: profile), ofEdge: id)
    }
  }

  /// Whether the database has elevation profiles. If so, an edge without one is in unknown terrain.
  public func hasElevationProfiles() throws(RoutingError) -> Bool {
    if let joined { return try joined.head().hasElevationProfiles }
    return try read { $0.elevationLayout != .none }
  }

  /// The elevation profile of an edge in the direction of its row; nil if unknown, and in databases
  /// without elevation profiles. Throws ``RoutingError/databaseCorrupted(_:)`` if a profile is
  /// damaged.
  public func elevationProfile(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    if let joined { return try joined.elevationProfile(ofEdge: id) }
    return try read { database throws(CairnError) in try database.elevationProfile(ofEdge: id) }
  }

  /// The passable edges that lead away from a node, each in the direction away from it,
  /// with the costs of a profile (nil: the core columns).
  public func getEdgesFrom(_ node: Int64, profile: String? = nil) throws(RoutingError)
    -> [RoutingEdge]
  {
    if let joined { return try joined.allEdges(at: node, profile).filter { $0.cost.isFinite } }
    return try read(profile: profile) { database throws(CairnError) in
      let source = try database.source(ofProfile: profile)
      let forward = try database.edges(.fromNode(node), source)
      let backward = try database.edges(.toNode(node), source)
        .filter { !$0.isOneway }
        .map { $0.reversed() }
      return (forward + backward).filter { $0.cost.isFinite }
    }
  }

  /// All edges at a node, each in the direction away from it, with the costs of a profile (nil: the
  /// core columns); infinite in an impassable direction.
  package func allEdges(at node: Int64, profile: String?) throws(RoutingError) -> [RoutingEdge] {
    if let joined { return try joined.allEdges(at: node, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      let source = try database.source(ofProfile: profile)
      let forward = try database.edges(.fromNode(node), source)
      let backward = try database.edges(.toNode(node), source).map { row in
        var edge = row.reversed()
        if row.isOneway { edge.cost = .infinity }
        return edge
      }
      return forward + backward
    }
  }

  /// The nodes in a box, which must not cross the antimeridian; at most `limit`, from the south.
  public func getNodesInBoundingBox(_ box: BoundingBox, limit: Int = 1_000_000)
    throws(RoutingError) -> [RoutingNode]
  {
    if let joined { return try joined.nodes(in: box, limit: limit) }
    return try read { database throws(CairnError) in try database.nodes(in: box, limit: limit) }
  }

  /// The edges with at least one node in a box, in the direction of their rows, sorted by id.
  public func getEdgesInBoundingBox(_ box: BoundingBox, profile: String? = nil)
    throws(RoutingError) -> [RoutingEdge]
  {
    if let joined { return try joined.edges(in: box, profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.edges(.inBox(box), try database.source(ofProfile: profile))
    }
  }
}

extension RoutingError {
  /// The routing error for an error of SQLite or of a table.
  init(reading error: CairnError) {
    switch error.code {
    case .damagedDatabase: self = .databaseCorrupted(error.message)
    case .lockedDatabase: self = .databaseLocked(error.message)
    default:
      self =
        error.exitCode == .dataError
        ? .databaseUnusable(error.message) : .databaseUnreadable(error.message)
    }
  }
}
