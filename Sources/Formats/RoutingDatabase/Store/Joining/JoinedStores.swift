// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocks

/// Several databases read as one: nodes are joined by their ids, and common content counts once.
/// See `docs/decisions/regions-join-at-nodes.md`.
///
/// Only the data that a request needs is read: a node is looked up in the databases whose box
/// contains it.
final class JoinedStores: Sendable {
  /// The databases in their order.
  let stores: [RoutingStore]
  /// Whether each database is opened only when a request first needs it; nothing else may use it
  /// then.
  let opensWhenReached: Bool

  /// The known facts of a database.
  struct Part: Sendable {
    var region: StoreRegion
    var box: BoundingBox
    var barriers: BarrierKinds
    /// For each profile of the union its index in this database.
    var profiles: [Int]
    /// Identifies it when it is opened again.
    var fingerprint: Int
  }

  /// The known facts of all databases since they were opened.
  struct Head: Sendable {
    var openings: [Int]
    var parts: [Part]
    /// The boxes of ``parts``, used to look nodes up.
    var boxes: [BoundingBox]
    var profiles: [RoutingProfile]
    var metadata: [String: String]
    var knowsIslands: Bool
    var hasElevationProfiles: Bool
    var islandMetres: Double
    /// The least cost per metre by the name of the profile; nil for the core columns.
    var leastCosts: [String?: Double]
  }

  private struct State {
    var head: Head?
    /// By the ids of edges: the way whose stretches replace it, nil inside if none do.
    var seams: [Int64: SeamWay?] = [:]
    /// By the ids of OpenStreetMap's nodes at barriers: the database whose copies count.
    var owners: [Int64: Int] = [:]
    var islands: [IslandKey: Island?] = [:]
    /// All seams, after the first request of a graph in memory.
    var all: [Int64: SeamWay]?
  }

  struct IslandKey: Hashable {
    var node: Int64
    var profile: String?
  }

  /// The greatest number of entries in a cache.
  private static let mostKept = 1 << 15

  private let state = Mutex(State())

  /// The databases opened so far, if they open when reached.
  private struct Reached {
    var isOpen = false
    var openings = 0
    var parts: Set<Int> = []
  }

  private let reached = Mutex(Reached())

  let pricing: PiecePricing

  init(_ stores: [RoutingStore], opensWhenReached: Bool, pricing: @escaping PiecePricing) {
    (self.stores, self.opensWhenReached, self.pricing) = (stores, opensWhenReached, pricing)
  }

  // MARK: Opening

  /// Opens all databases and checks that they fit together.
  func open() throws(RoutingError) {
    guard !stores.isEmpty, stores.count <= JoinedID.mostParts else {
      throw .databasesDoNotFit("there are \(stores.count) of them")
    }
    guard opensWhenReached else {
      for index in stores.indices {
        try reading(index) { store throws(RoutingError) in try store.open() }
      }
      _ = try head()
      return
    }
    reached.withLock {
      if !$0.isOpen { $0.openings += 1 }
      $0.isOpen = true
    }
    do throws(RoutingError) { _ = try head() } catch {
      close()
      throw error
    }
  }

  func close() {
    reached.withLock { ($0.isOpen, $0.parts) = (false, []) }
    stores.forEach { $0.close() }
    state.withLock { $0 = State() }
  }

  /// The known facts of the databases.
  func head() throws(RoutingError) -> Head {
    if let known = state.withLock({ $0.head }) { return known }
    return try readHead()
  }

  private func openings() throws(RoutingError) -> [Int] {
    if opensWhenReached {
      let (isOpen, count) = reached.withLock { ($0.isOpen, $0.openings) }
      guard isOpen else { throw .databaseNotOpen }
      return [count]
    }
    var openings: [Int] = []
    for index in stores.indices {
      openings.append(
        try reading(index) { store throws(RoutingError) in try store.openings() })
    }
    return openings
  }

  /// The number of times that any of the databases was opened; if it has changed, they are checked
  /// again.
  func openingCount() throws(RoutingError) -> Int {
    let current = try openings()
    if try head().openings != current { _ = try readHead() }
    return current.reduce(0, +)
  }

  private func readHead() throws(RoutingError) -> Head {
    let head = try Head(reading: self, openings: try openings())
    state.withLock {
      $0 = State()
      $0.head = head
    }
    return head
  }

  // MARK: Reading

  /// Reads from one of the databases; errors name it.
  func reading<Result>(
    _ part: Int, _ body: (RoutingStore) throws(RoutingError) -> Result
  ) throws(RoutingError) -> Result {
    do throws(RoutingError) {
      if opensWhenReached { try reach(part) }
      return try body(stores[part])
    } catch { throw error.naming(stores[part].path) }
  }

  /// Opens a database that a request has reached.
  private func reach(_ part: Int) throws(RoutingError) {
    let (isOpen, isReached) = reached.withLock { ($0.isOpen, $0.parts.contains(part)) }
    guard isOpen else { throw .databaseNotOpen }
    guard !isReached else { return }
    try stores[part].open()
    let expected = state.withLock { $0.head?.parts[part].fingerprint }
    if let expected, try expected != Part.fingerprint(stores[part]) {
      stores[part].close()
      throw .databaseUnreadable("it was replaced while it was used")
    }
    reached.withLock { if $0.isOpen { $0.parts.insert(part) } }
  }

  /// Reads from one of the databases without counting it as reached.
  func visiting<Result>(
    _ part: Int, _ body: (RoutingStore) throws(RoutingError) -> Result
  ) throws(RoutingError) -> Result {
    guard opensWhenReached else { return try reading(part, body) }
    let store = stores[part].copy()
    defer { store.close() }
    do throws(RoutingError) {
      try store.open()
      return try body(store)
    } catch { throw error.naming(store.path) }
  }

  /// The databases that may have a node; others need not be opened.
  func parts(mayHave node: Int64) throws(RoutingError) -> [Int] {
    guard opensWhenReached else { return Array(stores.indices) }
    guard let place = try self.node(node)?.coordinate else { return [] }
    return try parts(at: place)
  }

  /// The number of open databases; for tests.
  var openCount: Int { opensWhenReached ? reached.withLock { $0.parts.count } : stores.count }

  /// The databases whose box contains a point.
  func parts(at point: Coordinate) throws(RoutingError) -> [Int] {
    let boxes = try head().boxes
    return boxes.indices.filter { boxes[$0].contains(point) }
  }

  /// The databases whose box meets any of some boxes.
  func parts(meeting boxes: [BoundingBox]) throws(RoutingError) -> [Int] {
    let all = try head().boxes
    return all.indices.filter { part in boxes.contains { all[part].meets($0) } }
  }

  // MARK: Nodes

  /// Ids from this copy on belong to nodes at a barrier for which another database counts; see
  /// ``nodeID(_:_:)``.
  private static let firstPrivateCopy: Int64 = 1 << 12
  private static let copiesOfPart: Int64 = 1 << 6

  /// The node of the union for one of a database.
  ///
  /// It is the same, except at a barrier in several databases, since each assigns copies of the
  /// node to sides in its own way. There the database that cuts the ways counts, and among several
  /// the one with the most edges; the copies of others join nothing else.
  func nodeID(_ part: Int, _ node: Int64) throws(RoutingError) -> Int64 {
    guard let owner = try owner(of: node), owner != part else { return node }
    let copy = (node - RoutingNode.openStreetMapID(node)) >> RoutingNode.idBits
    let number = Self.firstPrivateCopy + Int64(part) * Self.copiesOfPart + min(copy, 63)
    return RoutingNode.openStreetMapID(node) + min(number, 1 << 13 - 1) << RoutingNode.idBits
  }

  /// The id in the union of a node that several databases have.
  func nodeID(_ nodes: [(part: Int, node: Int64)]) throws(RoutingError) -> Int64 {
    guard let first = nodes.first else { return RoutingNode.insideEdge }
    let owner = try owner(of: first.node)
    let best = nodes.first { $0.part == owner } ?? first
    return try nodeID(best.part, best.node)
  }

  /// The node in a database for one of the union; nil if the database does not have it.
  func node(_ id: Int64, in part: Int) throws(RoutingError) -> Int64? {
    let copy = id >> RoutingNode.idBits
    if copy >= Self.firstPrivateCopy {
      let number = copy - Self.firstPrivateCopy
      guard number / Self.copiesOfPart == part else { return nil }
      return RoutingNode.openStreetMapID(id) + (number % Self.copiesOfPart) << RoutingNode.idBits
    }
    if let owner = try owner(of: id), owner != part { return nil }
    return id
  }

  /// The database whose copies count at a barrier; nil if none cuts ways at the node.
  private func owner(of node: Int64) throws(RoutingError) -> Int? {
    let head = try head()
    guard head.parts.contains(where: { $0.barriers[node] != nil }) else { return nil }
    let key = RoutingNode.openStreetMapID(node)
    if let known = state.withLock({ $0.owners[key] }) { return known }
    var best: (isCut: Bool, edges: Int, part: Int)?
    let cutting = stores.indices.filter { head.parts[$0].barriers[node] != nil }
    let others = stores.indices.filter { head.parts[$0].barriers[node] == nil }
    for part in cutting + others {
      // A database that cuts the ways takes precedence.
      if best?.isCut == true, head.parts[part].barriers[node] == nil { break }
      let edges = try reading(part) { store throws(RoutingError) in
        var count = 0
        for copy: Int64 in 0..<8 {
          count += try store.allEdges(at: key + copy << RoutingNode.idBits, profile: nil).count
        }
        return count
      }
      guard edges > 0 else { continue }
      let isCut = head.parts[part].barriers[node] != nil
      let known = best.map { ($0.isCut ? 1 : 0, $0.edges) } ?? (-1, 0)
      if (isCut ? 1 : 0, edges) > known { best = (isCut, edges, part) }
    }
    let owner = best?.part ?? 0
    keep(\.owners, key, owner)
    return owner
  }

  private func keep<Key: Hashable & Sendable, Value: Sendable>(
    _ cache: WritableKeyPath<State, [Key: Value]> & Sendable, _ key: Key, _ value: Value
  ) {
    state.withLock {
      if $0[keyPath: cache].count >= Self.mostKept { $0[keyPath: cache].removeAll() }
      $0[keyPath: cache][key] = value
    }
  }

  /// A node of the union from the first database that has it; nil if none does.
  func node(_ id: Int64) throws(RoutingError) -> RoutingNode? {
    guard opensWhenReached else { return try node(id, inFirstOf: stores.indices)?.node }
    // First open databases and those before them that may have it, then the others.
    let open = reached.withLock { $0.parts }
    if let (node, part) = try node(id, inFirstOf: open.sorted()) {
      let earlier = try parts(at: node.coordinate).filter { $0 < part && !open.contains($0) }
      return try self.node(id, inFirstOf: earlier)?.node ?? node
    }
    return try node(id, inFirstOf: stores.indices.filter { !open.contains($0) })?.node
  }

  private func node(_ id: Int64, inFirstOf parts: some Sequence<Int>) throws(RoutingError) -> (
    node: RoutingNode, part: Int
  )? {
    for part in parts {
      guard let own = try node(id, in: part),
        let found = try reading(part, { store throws(RoutingError) in try store.getNode(own) })
      else { continue }
      let node = RoutingNode(
        id: id, latitude: found.latitude, longitude: found.longitude, elevation: found.elevation)
      return (node, part)
    }
    return nil
  }

  /// The nodes in a box, each once, from the south.
  func nodes(in box: BoundingBox, limit: Int) throws(RoutingError) -> [RoutingNode] {
    var found: [Int64: RoutingNode] = [:]
    for part in try parts(meeting: [box]) {
      let nodes = try reading(part) { store throws(RoutingError) in
        try store.getNodesInBoundingBox(box, limit: limit)
      }
      for node in nodes {
        let id = try nodeID(part, node.id)
        if found[id] == nil {
          found[id] = RoutingNode(
            id: id, latitude: node.latitude, longitude: node.longitude, elevation: node.elevation)
        }
      }
    }
    return found.values.sorted {
      ($0.latitude, $0.longitude, $0.id) < ($1.latitude, $1.longitude, $1.id)
    }.prefix(limit).map { $0 }
  }

  // MARK: Seams

  /// The way whose stretches replace an edge of a database; nil if none do.
  func seam(_ part: Int, _ row: Int64) throws(RoutingError) -> SeamWay? {
    let key = JoinedID(part: part, row: row).id
    if let known = state.withLock({ $0.seams[key] }) { return known }
    let chain = try reading(part) { store throws(RoutingError) in try store.chain(around: row) }
    guard let chain else {
      keep(\.seams, key, nil)
      return nil
    }
    var chains = [(part: part, chain: chain)]
    for other in stores.indices where other != part {
      if let found = try self.chain(like: chain, of: part, in: other) {
        chains.append((other, found))
      }
    }
    chains.sort { $0.part < $1.part }
    var seam: SeamWay?
    if chains.count > 1 {
      var merger = SeamMerger(chains) { nodes throws(RoutingError) in try self.nodeID(nodes) }
      seam = try merger.merged()
    }
    for (part, chain) in chains {
      for edge in chain.edges {
        let key = JoinedID(part: part, row: edge.id).id
        keep(\.seams, key, seam.flatMap { $0.rows.contains(key) ? $0 : nil })
      }
    }
    return seam.flatMap { $0.rows.contains(key) ? $0 : nil }
  }

  /// The chain of the same way in another database; nil if it does not have the way.
  private func chain(like chain: WayChain, of part: Int, in other: Int) throws(RoutingError)
    -> WayChain?
  {
    let box = try head().parts[other].box
    for index in 0...chain.edges.count {
      let ends =
        index < chain.edges.count ? chain.edges[index].fromNode : chain.edges[index - 1].toNode
      let place = try reading(part) { store throws(RoutingError) in try store.getNode(ends) }
      // A way with any part in this database lies completely in its box.
      guard let place, box.contains(place.coordinate) else { return nil }
      let isCut = try head().parts[other].barriers[ends] != nil
      for copy: Int64 in 0..<(isCut ? 8 : 1) {
        let node = chain.node(index) + copy << RoutingNode.idBits
        let found = try reading(other) { store throws(RoutingError) in
          try store.edge(ofWay: chain.way, at: node)
        }
        guard let found else { continue }
        return try reading(other) { store throws(RoutingError) in try store.chain(around: found) }
      }
    }
    return nil
  }

  /// The stretch with an id; nil for a whole edge without stretches.
  func stretch(_ id: JoinedID, _ seam: SeamWay) -> (index: Int, stretch: SeamWay.Stretch)? {
    if let index = seam.stretches.firstIndex(where: { $0.id == id.id }) {
      return (index, seam.stretches[index])
    }
    let index = seam.stretches.firstIndex { stretch in
      stretch.covers.contains { $0.part == id.part && $0.row == id.row && $0.isWhole }
    }
    return index.map { ($0, seam.stretches[$0]) }
  }

  var knownSeams: [Int64: SeamWay]? { state.withLock { $0.all } }

  func keep(_ seams: [Int64: SeamWay]) { state.withLock { $0.all = seams } }

  // MARK: Islands

  func knownIsland(_ key: IslandKey) -> Island?? { state.withLock { $0.islands[key] } }

  func keep(_ island: Island?, _ key: IslandKey) { keep(\.islands, key, island) }
}

extension RoutingError {
  /// The same error with the name of the database.
  func naming(_ path: String) -> RoutingError {
    switch self {
    case .databaseNotOpen: .databaseUnreadable("\(path) is not open")
    case .databaseUnreadable(let reason): .databaseUnreadable("\(path): \(reason)")
    case .databaseLocked(let reason): .databaseLocked("\(path): \(reason)")
    case .databaseUnusable(let reason): .databaseUnusable("\(path): \(reason)")
    case .databaseCorrupted(let reason): .databaseCorrupted("\(path): \(reason)")
    default: self
    }
  }
}
