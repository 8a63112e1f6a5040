// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import CairnTagRules
import SystemIO
import TrailData

/// Writes a graph and its costs for some profiles as a `.routing.db`.
struct DatabaseBuilder {
  /// Used where neither the data nor the environment gives a time.
  static let unknownTime = "1970-01-01T00:00:00Z"

  let graph: GraphFile
  let profiles: [CostProfile]
  let costs: [EdgeCosts]
  /// The components of the graph for each profile.
  let components: [RouteComponents]
  /// The time-dependent part of the costs.
  let prices: RulePrices
  /// The edges and nodes that are left out.
  let folding: BarrierFolding
  /// The length in metres below which a component is an island.
  let islandMetres: Double
  /// The day for which access was evaluated; nil if unknown.
  let accessDate: CalendarDate?
  /// The creation time to state, ISO 8601; nil for the time of the data.
  let createdAt: String?
  /// The region's id and name, if they are known.
  var regionID: String?
  var regionName: String?

  /// Writes bytes at an offset in the file; on any thread.
  typealias Write =
    @Sendable (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(CairnError) -> Void

  /// Writes the database into an empty file. The bytes do not depend on the number of threads.
  func write(
    threads: Int, partSizes: RoutingDatabaseWriter.PartSizes = .standard, _ write: @escaping Write
  ) throws {
    guard let first = costs.first else {
      throw CairnError("no-profile", .usage, "at least one profile is needed")
    }
    let rows = DatabaseRows(graph, costs, components, folding)
    let orders = IndexOrders(rows, threads: threads)
    var writer = RoutingDatabaseWriter(partSizes: partSizes)
    writer.addNodes(count: rows.nodes.count, rows.addNodes)
    writer.addEdges(count: rows.edges.count, rows.addEdges)
    writer.addMetadata(try metadata(profiles[0], first, rows.climbCosts(threads: threads)))
    writer.addProfiles(try zip(profiles, costs).map(Self.profile))
    writer.addCosts(
      profileCount: profiles.count, edgeCount: rows.edges.count, rows.addCosts)
    writer.addElevations(edgeCount: rows.edges.count, rows.addElevations)
    writer.addComponents(components.map { $0.components.map(Self.component) })
    writer.addIslands(profileCount: profiles.count, rows.addIslands)
    writer.addTags(setCount: graph.tagSets.count, rows.addTags)
    writer.addEdgeTags(edgeCount: rows.edges.count, rows.addEdgeTags)
    writer.addHazards(count: rows.hazards.count, rows.addHazards)
    writer.addRules(rules(rows.edges))
    writer.addGraph(rows.graphBlocks())
    writer.addWays(rows.ways())
    writer.addNodeIndex(count: rows.nodes.count, orders.addNodes)
    writer.addEdgeIndexes(count: rows.edges.count, from: orders.addFrom, to: orders.addTo)
    writer.addViews()
    try Self.write(try DatabasePages(writer.content), threads: threads, write)
  }

  /// The rows of `routing_rules`.
  func rules(_ edges: [UInt32]) -> [StoredRule.Row] {
    RuleRows(graph, profiles, on: accessDate).rows(prices, edges).map(\.row)
  }

  /// Lays out the parts of a database on several threads and writes them.
  private static func write(
    _ database: DatabasePages, threads: Int, _ write: @escaping Write
  ) throws {
    let queue = WorkQueue(count: database.partCount)
    let turns = Turns()
    try withWorkers(min(threads, database.partCount)) { _ in
      do {
        var part = try database.makePart()
        while let index = queue.next() {
          try database.layOut(index, in: &part)
          guard turns.wait(for: index) else { return }
          try database.place(index, &part)
          turns.end(index)
          try part.write(write)
        }
      } catch {
        queue.cancel()
        turns.cancel()
        throw error
      }
    }
    try database.finish(write)
  }

  private static func profile(_ profile: CostProfile, _ costs: EdgeCosts) throws(CairnError)
    -> RoutingDatabaseWriter.Profile
  {
    let definition = try profile.canonicalText()
    return .init(
      name: profile.name, fingerprint: SHA256Digest.ofText(definition), definition: definition,
      minimumCostPerMetre: costs.minimumCostPerMetre)
  }

  private static func component(_ component: RouteComponents.Component)
    -> RoutingDatabaseWriter.Component
  {
    .init(
      nodes: component.nodes, edges: component.edges, distance: component.metres,
      isIsland: component.isIsland)
  }

  /// The number of nodes in the database.
  var nodeCount: Int { graph.nodeIDs.count - folding.mergedNodes.count }
  /// The number of edges in the database.
  var edgeCount: Int { graph.from.count - folding.leftOutEdges.count }

  func metadata(_ profile: CostProfile, _ costs: EdgeCosts, _ climbs: [ClimbCosts])
    throws(CairnError) -> [(key: String, value: String)]
  {
    let provenance = graph.container.provenance
    let dataDate = provenance.dataTimestamp
    let tiles = provenance.elevationTiles ?? []
    var entries = [
      (RoutingMetadataKey.version, "\(RoutingSchema.version)"),
      (RoutingMetadataKey.contentVersion, "\(RoutingSchema.contentVersion)"),
      (RoutingMetadataKey.createdAt, createdAt ?? dataDate ?? Self.unknownTime),
      (RoutingMetadataKey.boundingBox, boundingBox()?.description ?? ""),
      (RoutingMetadataKey.nodeCount, "\(nodeCount)"),
      (RoutingMetadataKey.edgeCount, "\(edgeCount)"),
      (RoutingMetadataKey.elevationSource, tiles.isEmpty ? "none" : tiles.joined(separator: ",")),
      (RoutingMetadataKey.osmDataDate, dataDate ?? "unknown"),
      (RoutingMetadataKey.accessDate, accessDate?.description ?? "unknown"),
      (RoutingMetadataKey.profile, profile.name),
      (RoutingMetadataKey.profileFingerprint, try profile.fingerprint()),
      (RoutingMetadataKey.minimumCostPerMetre, "\(costs.minimumCostPerMetre)"),
      (RoutingMetadataKey.islandThreshold, "\(islandMetres)"),
      (RoutingMetadataKey.generator, provenance.tool),
      (RoutingMetadataKey.attribution, Provenance.attribution),
      (RoutingMetadataKey.licence, Provenance.licence),
      (RoutingMetadataKey.region, provenance.region ?? "everything"),
    ]
    if let regionID { entries.append((RoutingMetadataKey.regionID, regionID)) }
    if let regionName { entries.append((RoutingMetadataKey.regionName, regionName)) }
    if let source = provenance.source {
      entries.append((RoutingMetadataKey.sourceDigest, source.sha256))
    }
    entries += ClimbCosts.metadata(climbs)
    let barriers = barrierKinds().text
    if !barriers.isEmpty { entries.append((RoutingMetadataKey.barriers, barriers)) }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  /// The kinds of the barriers whose nodes have copies in the database.
  private func barrierKinds() -> BarrierKinds {
    var kinds = BarrierKinds()
    for (edge, set) in zip(graph.barrierEdges, graph.barrierTagSets) {
      let copy = max(graph.from[Int(edge)], graph.to[Int(edge)])
      guard folding.node(copy) == copy else { continue }
      let tags = graph.tagSets.texts(of: Int(set), in: graph.strings)
      kinds[graph.nodeIDs[Int(copy)]] = tags["barrier"]
    }
    return kinds
  }

  /// The bounding box of all nodes and points as they are stored: rounding a point to Float32 may
  /// move it past the original one. Multiples of 10⁻⁷ degrees, rounded outward.
  private func boundingBox() -> BoundingBox? {
    guard let latitudes = range(graph.latitudes, graph.pointLatitudes),
      let longitudes = range(graph.longitudes, graph.pointLongitudes)
    else { return nil }
    return BoundingBox(
      west: longitudes.low, south: latitudes.low, east: longitudes.high, north: latitudes.high)
  }

  /// The least and the greatest coordinate in degrees; nil if there are no nodes.
  private func range(_ nodes: Column<Int32>, _ points: Column<Int32>)
    -> (low: Double, high: Double)?
  {
    guard var (low, high) = Self.limits(nodes) else { return nil }
    if let (first, last) = Self.limits(points) {
      let units = FixedCoordinate.unitsPerDegree
      func stored(_ coordinate: Int32) -> Double {
        Double(Float(Double(coordinate) / units)) * units
      }
      low = min(low, Int32(clamping: Int(stored(first).rounded(.down))))
      high = max(high, Int32(clamping: Int(stored(last).rounded(.up))))
    }
    return (degrees(low), degrees(high))
  }

  private static func limits(_ column: Column<Int32>) -> (least: Int32, greatest: Int32)? {
    column.withUnsafeElements { all in
      guard let first = all.first else { return nil }
      var (least, greatest) = (first, first)
      for value in all {
        least = min(least, value)
        greatest = max(greatest, value)
      }
      return (least, greatest)
    }
  }

  private func degrees(_ units: Int32) -> Double {
    FixedCoordinate(latitude: units, longitude: 0).degrees.latitude
  }
}
