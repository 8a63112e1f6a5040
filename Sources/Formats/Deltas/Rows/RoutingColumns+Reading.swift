// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit

// Columns from a database. Only what would trap is checked: the digest shows whether the database
// is the same when it is written again.
extension RoutingColumns {
  /// Reads a database. Throws 65 if it is not one, is damaged, or cannot have been written by this
  /// version of Cairn.
  init(path: String) throws(CairnError) {
    let database = try SQLiteConnection(path, .readOnly)
    var size = 0
    do throws(DeltaError) { size = try fileSize(path) } catch { throw Self.foreign() }
    // The parts read are no longer than the database, so offsets fit 32 bits.
    guard size <= DatabaseDelta.greatestSize else { throw Self.foreign() }
    guard try database.integer("PRAGMA application_id") == RoutingSchema.applicationID,
      try database.integer("PRAGMA user_version") == RoutingSchema.version
    else { throw Self.foreign() }
    try database.refuseComputedSchema(exceptViews: RoutingSchema.extensionViews.map(\.sql))
    try readSmallTables(database)
    try readNodes(database)
    try reserve(database, size)
    try readEdges(database)
    try readBlocks(database)
    try readIslands(database)
    try readRules(database)
    try readWays(database)
    try readHazards(database)
  }

  private mutating func readWays(_ database: SQLiteConnection) throws(CairnError) {
    wayOrder.reserveCapacity(ways.count)
    var isSound = true
    try database.scan(["way", "edges"], from: "routing_way_blocks", orderedBy: "way") {
      row throws(CairnError) in
      let found = WayBlock.forEach(row.blob(1), first: row.integer(0)) { _, edge in
        if ways.indices.contains(Int(clamping: edge &- 1)), wayOrder.count < ways.count {
          wayOrder.append(Int32(truncatingIfNeeded: edge - 1))
        } else {
          isSound = false
        }
      }
      isSound = isSound && found
    }
    guard isSound, wayOrder.count == ways.count else { throw Self.foreign() }
  }

  private mutating func readHazards(_ database: SQLiteConnection) throws(CairnError) {
    let row = try database.prepare(
      """
      SELECT \(EdgeHazard.columns.joined(separator: ", ")) FROM routing_hazards
      ORDER BY 1, 2, 3, 4, 5
      """)
    while try row.step() {
      let hazard = EdgeHazard(row)
      guard ways.indices.contains(Int(clamping: hazard.edge &- 1)) else { throw Self.foreign() }
      hazards.append(hazard)
    }
    if hazards.isEmpty { return }
    var positions = [Int32](repeating: 0, count: ways.count)
    for (position, edge) in wayOrder.enumerated() {
      positions[Int(edge)] = Int32(truncatingIfNeeded: position + 1)
    }
    for index in hazards.indices {
      hazards[index].edge = Int64(positions[Int(hazards[index].edge - 1)])
    }
    hazards.sort()
  }

  private static func foreign() -> CairnError {
    CairnError(.database, .dataError, "is not a routing database that can be taken apart")
  }

  private mutating func readSmallTables(_ database: SQLiteConnection) throws(CairnError) {
    let entries = try database.prepare("SELECT key, value FROM routing_metadata ORDER BY rowid")
    while try entries.step() {
      metadata.append((entries.text(0) ?? "", entries.text(1) ?? ""))
    }
    let profile = try database.prepare(
      """
      SELECT name, fingerprint, definition, min_cost_per_metre FROM routing_profiles ORDER BY id
      """)
    while try profile.step() {
      profiles.append(
        .init(
          name: profile.text(0) ?? "", fingerprint: profile.text(1) ?? "",
          definition: profile.text(2) ?? "", minimumCostPerMetre: profile.number(3)))
    }
    let tag = try database.prepare(
      "SELECT tagset, key, value FROM routing_tags ORDER BY tagset, key")
    while try tag.step() {
      let set = tag.integer(0)
      guard set > 0, set < 1 << 31, set >= tags.count, set - Int64(tags.count) < 1 << 16 else {
        throw Self.foreign()
      }
      while tags.count < set { tags.append([]) }
      tags[tags.count - 1].append((tag.text(1) ?? "", tag.text(2) ?? ""))
    }
  }

  private mutating func readNodes(_ database: SQLiteConnection) throws(CairnError) {
    try database.scan(
      ["id", "latitude", "longitude", "elevation"], from: "routing_nodes", orderedBy: "id"
    ) { row in
      nodes.append(row.integer(0))
      latitudes.append(row.number(1))
      longitudes.append(row.number(2))
      elevations.append(row.number(3))
    }
  }

  /// Reserves the most memory that the columns of edges can need: a growing array takes its memory
  /// twice, while unused reserved memory is not allocated.
  private mutating func reserve(_ database: SQLiteConnection, _ size: Int) throws(CairnError) {
    let rows = try database.integer("SELECT max(id) FROM routing_edges") ?? 0
    // Each edge takes more than 16 bytes of the file.
    let count = min(max(0, Int(clamping: rows)), size / 16)
    for column in [\Self.ways, \Self.from, \Self.to] {
      self[keyPath: column].reserveCapacity(count)
    }
    for column in [
      \Self.distances, \Self.gains, \Self.losses, \Self.costs, \Self.reverseCosts,
    ] { self[keyPath: column].reserveCapacity(count) }
    for column in [\Self.pointEnds, \Self.tagSets, \Self.barriers, \Self.profileEnds] {
      self[keyPath: column].reserveCapacity(count)
    }
    for index in texts.indices {
      texts[index].starts.reserveCapacity(count)
      texts[index].lengths.reserveCapacity(count)
    }
    oneways.reserveCapacity(count)
    points.reserveCapacity(size / 8)
    profileBytes.reserveCapacity(size / 2)
  }

  private mutating func readEdges(_ database: SQLiteConnection) throws(CairnError) {
    let columns = [
      "id", "osm_way_id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss",
      "cost", "reverse_cost", "is_oneway", "surface", "highway_type", "sac_scale",
      "trail_visibility", "name", "geometry",
    ]
    try database.scan(columns, from: "routing_edges", orderedBy: "id") { row throws(CairnError) in
      ways.append(row.integer(1))
      guard row.integer(0) == ways.count, !row.isNull(1) else { throw Self.foreign() }
      from.append(row.integer(2))
      to.append(row.integer(3))
      distances.append(row.number(4))
      gains.append(row.number(5))
      losses.append(row.number(6))
      costs.append(row.number(7))
      reverseCosts.append(row.number(8))
      oneways.append(row.integer(9) == 0 ? 0 : 1)
      for (index, column) in (10...14).enumerated() {
        texts[index].add(row.isNull(column) ? nil : row.blob(column))
      }
      let blob = row.blob(15)
      guard blob.count % 8 == 0 else { throw Self.foreign() }
      for offset in stride(from: 0, to: blob.count, by: 8) {
        points.append(
          UInt64(littleEndian: blob.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
      pointEnds.append(Int32(truncatingIfNeeded: points.count))
    }
  }

  private mutating func readBlocks(_ database: SQLiteConnection) throws(CairnError) {
    let count = profiles.count
    blocks = [[UInt64]](repeating: [], count: max(0, 2 * count - 1))
    for index in blocks.indices { blocks[index].reserveCapacity(ways.count) }
    try database.scan(
      ["id", "costs", "durations"], from: "routing_cost_blocks", orderedBy: "id"
    ) { row throws(CairnError) in
      let profile = row.integer(0) >> 32
      guard profile > 0, profile <= count else { throw Self.foreign() }
      if profile > 1 { blocks[Int(profile) - 2].addNumbers(row.blob(1)) }
      blocks[count - 2 + Int(profile)].addNumbers(row.blob(2))
    }
    guard blocks.allSatisfy({ $0.count == ways.count }) else { throw Self.foreign() }
    try database.scan(
      ["block", "tagsets", "barriers"], from: "routing_tagset_blocks", orderedBy: "block"
    ) { row throws(CairnError) in
      guard let sets = PackedNumbers(row.blob(1)) else { throw Self.foreign() }
      for index in 0..<sets.count { tagSets.append(Int32(clamping: sets[index])) }
      let stands = row.isNull(2) ? nil : PackedNumbers(row.blob(2))
      guard stands.map({ $0.count == sets.count }) ?? true else { throw Self.foreign() }
      for index in 0..<sets.count {
        barriers.append(Int32(clamping: stands?[index] ?? 0))
      }
    }
    guard tagSets.count == ways.count else { throw Self.foreign() }
    slopes = [Int32](repeating: .min, count: ways.count)
    try database.scan(
      ["block", "slopes", "ends", "profiles"], from: "routing_elevation_blocks",
      orderedBy: "block"
    ) { row throws(CairnError) in try addElevations(row) }
    addUnknownElevations(upTo: ways.count)
  }

  private mutating func addElevations(_ row: SQLiteRow) throws(CairnError) {
    let number = row.integer(0)
    guard number >= 0, number <= Int64(Int32.max),
      let block = ElevationBlock(slopes: row.blob(1), ends: row.blob(2), profiles: row.blob(3))
    else { throw Self.foreign() }
    let first = Int(number) * ElevationBlock.edges
    guard first >= profileEnds.count, block.count <= ways.count - first else {
      throw Self.foreign()
    }
    addUnknownElevations(upTo: first)
    for index in 0..<block.count {
      if let slope = block.slope(index) {
        slopes[first + index] = Int32(clamping: Int((slope * 100).rounded()))
      }
      profileBytes.append(contentsOf: block.profile(index))
      profileEnds.append(Int32(truncatingIfNeeded: profileBytes.count))
    }
  }

  private mutating func addUnknownElevations(upTo count: Int) {
    let end = Int32(truncatingIfNeeded: profileBytes.count)
    while profileEnds.count < count { profileEnds.append(end) }
  }

  private mutating func readRules(_ database: SQLiteConnection) throws(CairnError) {
    try database.scan(
      ["id", "edges", "classes", "prices"], from: "routing_rules", orderedBy: "id"
    ) { row throws(CairnError) in
      guard let edges = PackedNumbers(row.blob(1)) else { throw Self.foreign() }
      rules.append(
        .init(
          id: row.integer(0), edges: (0..<edges.count).map { edges[$0] },
          classes: [UInt8](row.blob(2)), prices: [UInt8](row.blob(3))))
    }
  }

  private mutating func readIslands(_ database: SQLiteConnection) throws(CairnError) {
    components = .init(repeating: [], count: profiles.count)
    islands = .init(repeating: [], count: profiles.count)
    let component = try database.prepare(
      """
      SELECT profile, component, nodes, edges, distance, is_island FROM routing_components
      ORDER BY profile, component
      """)
    while try component.step() {
      let profile = component.integer(0) &- 1
      guard components.indices.contains(Int(truncatingIfNeeded: profile)),
        component.integer(1) == components[Int(profile)].count + 1
      else { throw Self.foreign() }
      components[Int(profile)].append(
        .init(
          nodes: Int(component.integer(2)), edges: Int(component.integer(3)),
          distance: component.number(4), isIsland: component.integer(5) != 0))
    }
    let node = try database.prepare(
      "SELECT profile, node, component FROM routing_islands ORDER BY profile, node")
    while try node.step() {
      let profile = Int(truncatingIfNeeded: node.integer(0) &- 1)
      guard islands.indices.contains(profile) else { throw Self.foreign() }
      islands[profile].append((node.integer(1), node.integer(2)))
    }
  }
}

extension RoutingColumns.Texts {
  /// Adds the text of an edge, or NULL. A text repeated from the previous edge is stored once.
  mutating func add(_ text: UnsafeRawBufferPointer?) {
    guard let text else {
      starts.append(UInt32(truncatingIfNeeded: bytes.count))
      lengths.append(-1)
      return
    }
    if let start = starts.last, let length = lengths.last, length == text.count,
      bytes[range(starts.count - 1)].elementsEqual(text)
    {
      starts.append(start)
    } else {
      starts.append(UInt32(truncatingIfNeeded: bytes.count))
      bytes.append(contentsOf: text)
    }
    lengths.append(Int32(truncatingIfNeeded: text.count))
  }

  /// Whether two edges have the same text.
  func areEqual(_ edge: Int, _ other: Int) -> Bool {
    guard lengths[edge] == lengths[other], lengths[edge] >= 0 else { return false }
    return starts[edge] == starts[other] || bytes[range(edge)].elementsEqual(bytes[range(other)])
  }
}

extension [Int32] {
  /// A range among consecutive ones, given the ends of all.
  func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(self[index - 1]))..<Int(self[index])
  }
}

extension [UInt64] {
  /// Adds the numbers of a blob of costs or times.
  fileprivate mutating func addNumbers(_ blob: UnsafeRawBufferPointer) {
    for offset in stride(from: 0, to: blob.count - 7, by: 8) {
      append(UInt64(littleEndian: blob.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
  }
}
