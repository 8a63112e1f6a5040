// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SystemIO
import TagRules
import TrailData

/// Writes a graph and its costs for some profiles as a `.routing.db`.
struct DatabaseBuilder {
  /// The attribution that is required wherever the data is shown.
  static let attribution = "© OpenStreetMap contributors"
  static let licence = "ODbL-1.0"
  /// Used where neither the data nor the environment gives a time.
  static let unknownTime = "1970-01-01T00:00:00Z"

  let graph: GraphFile
  let profiles: [CostProfile]
  let costs: [EdgeCosts]
  /// The components of the graph for each profile.
  let components: [RouteComponents]
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

  /// Writes the database into an empty file that is not in use yet. Returns the CPU seconds spent
  /// on the edges and their indexes.
  func write(to path: String) throws(CairnError) -> Double {
    guard let first = costs.first else {
      throw CairnError("no-profile", .usage, "at least one profile is needed")
    }
    let edges = BarrierFolding.rest(of: graph.from.count, without: folding.leftOutEdges)
    let nodes = BarrierFolding.rest(of: graph.nodeIDs.count, without: folding.mergedNodes)
    let writer = try RoutingDatabaseWriter(
      path, nodeCount: nodeCount, edgeCount: edgeCount, profileCount: profiles.count,
      elevationCount: edges.joined().count { !graph.slopes[$0].isNaN })
    for node in nodes.joined() {
      let elevation = graph.elevations[node]
      try writer.addNode(
        id: graph.nodeIDs[node], at: coordinate(node),
        elevation: elevation.isNaN ? nil : Double(elevation))
    }
    try writer.finishNodes()
    let start = ResourceUse.current().cpuSeconds
    try addEdges(edges, first, to: writer)
    try writer.finishEdges()
    let edgeSeconds = ResourceUse.current().cpuSeconds - start
    for (index, profile) in profiles.enumerated() {
      let costs = costs[index]
      try writer.addProfile(
        .init(
          name: profile.name, fingerprint: try profile.fingerprint(),
          definition: try profile.canonicalText(),
          minimumCostPerMetre: costs.minimumCostPerMetre), id: index + 1)
      for (row, edge) in edges.joined().enumerated() {
        try writer.addCosts(
          profile: index + 1, edge: row + 1, cost: costs.cost[edge],
          reverseCost: costs.reverseCost[edge], duration: costs.duration[edge],
          reverseDuration: costs.reverseDuration[edge])
      }
      try addComponents(components[index], profile: index + 1, to: writer)
    }
    try addElevations(edges, to: writer)
    try writer.addTags((0..<graph.tagSets.count).map { graph.wayTags(ofTagSet: $0) })
    try addEdgeTags(edges, to: writer)
    try writer.finish(metadata: try metadata(profiles[0], first))
    return edgeSeconds
  }

  /// How many nodes the database has.
  var nodeCount: Int { graph.nodeIDs.count - folding.mergedNodes.count }
  /// How many edges the database has.
  var edgeCount: Int { graph.from.count - folding.leftOutEdges.count }

  private func addComponents(
    _ parts: RouteComponents, profile: Int, to writer: RoutingDatabaseWriter
  ) throws(CairnError) {
    try writer.addComponents(
      profile: profile,
      parts.components.lazy.map {
        .init(nodes: $0.nodes, edges: $0.edges, distance: $0.metres, isIsland: $0.isIsland)
      })
    try writer.addIslands(
      profile: profile,
      zip(parts.islandNodes, parts.islandComponents).lazy.map {
        (node: graph.nodeIDs[Int($0)], component: Int($1) + 1)
      })
  }

  private func addEdgeTags(_ edges: [Range<Int>], to writer: RoutingDatabaseWriter)
    throws(CairnError)
  {
    // Barriers are in the order of their edges.
    var barrier = 0
    var kept = edges.joined().makeIterator()
    try writer.addEdgeTags(count: edgeCount) { row in
      let edge = kept.next() ?? row
      let way = Int(graph.wayTagSets[Int(graph.ways[edge])]) + 1
      while barrier < graph.barrierEdges.count, Int(graph.barrierEdges[barrier]) < edge {
        barrier += 1
      }
      guard barrier < graph.barrierEdges.count, Int(graph.barrierEdges[barrier]) == edge else {
        return (way, nil)
      }
      return (way, Int(graph.barrierTagSets[barrier]) + 1)
    }
  }

  private func coordinate(_ node: Int) -> Coordinate {
    FixedCoordinate(latitude: graph.latitudes[node], longitude: graph.longitudes[node]).degrees
  }

  private func point(_ index: Int) -> Coordinate {
    FixedCoordinate(
      latitude: graph.pointLatitudes[index], longitude: graph.pointLongitudes[index]
    ).degrees
  }

  /// The tags of a set that have a column of their own.
  private struct TagColumns {
    var surface: UnsafeBufferPointer<UInt8>?
    var highway: UnsafeBufferPointer<UInt8>?
    var sacScale: UnsafeBufferPointer<UInt8>?
    var visibility: UnsafeBufferPointer<UInt8>?
  }

  private func tagColumns() -> [TagColumns] {
    let keys = ["surface", "highway", "sac_scale", "trail_visibility"].map {
      graph.strings.index(of: $0)
    }
    let route = graph.strings.index(of: "route")
    let ferry = graph.strings.index(of: TagSelection.ferryRoute)
    return (0..<graph.tagSets.count).map { set in
      let texts = keys.map { key in
        key.flatMap { graph.tagSets.value(of: $0, on: set) }.map { graph.strings.utf8(Int($0)) }
      }
      let isFerry = route.flatMap { graph.tagSets.value(of: $0, on: set) }.map { $0 == ferry }
      let highway = isFerry == true ? ferry.map { graph.strings.utf8(Int($0)) } : texts[1]
      return TagColumns(
        surface: texts[0], highway: highway, sacScale: texts[2], visibility: texts[3])
    }
  }

  private func addEdges(
    _ edges: [Range<Int>], _ costs: EdgeCosts, to writer: RoutingDatabaseWriter
  ) throws(CairnError) {
    let columns = tagColumns()
    // Made once: every reference to the method would copy all columns of the graph.
    let point: (Int) -> Coordinate = point
    for edge in edges.joined() {
      let way = Int(graph.ways[edge])
      let tags = columns[Int(graph.wayTagSets[way])]
      let name = graph.wayNames[way]
      var row = RoutingDatabaseWriter.Edge()
      row.fromNode = graph.nodeIDs[Int(folding.node(graph.from[edge]))]
      row.toNode = graph.nodeIDs[Int(folding.node(graph.to[edge]))]
      row.distance = graph.distances[edge]
      row.elevationGain = graph.gains[edge]
      row.elevationLoss = graph.losses[edge]
      row.surface = tags.surface
      row.highwayType = tags.highway
      row.sacScale = tags.sacScale
      row.trailVisibility = tags.visibility
      row.name = name == GraphFile.noText ? nil : graph.strings.utf8(Int(name))
      row.osmWayID = graph.wayIDs[way]
      row.cost = costs.cost[edge]
      row.reverseCost = costs.reverseCost[edge]
      row.isOneway = costs.isOneway[edge]
      try writer.addEdge(row, points: graph.points(ofEdge: edge), point)
    }
  }

  private func addElevations(_ edges: [Range<Int>], to writer: RoutingDatabaseWriter)
    throws(CairnError)
  {
    try graph.elevationProfiles.withUnsafeElements { elevations throws(CairnError) in
      for (row, edge) in edges.joined().enumerated() where !graph.slopes[edge].isNaN {
        try writer.addElevation(
          edge: row + 1, maximumSlope: graph.slopes[edge],
          profile: UnsafeBufferPointer(rebasing: elevations[graph.elevationProfile(ofEdge: edge)]))
      }
    }
  }

  private func metadata(_ profile: CostProfile, _ costs: EdgeCosts) throws(CairnError)
    -> [(key: String, value: String)]
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
      (RoutingMetadataKey.attribution, Self.attribution),
      (RoutingMetadataKey.licence, Self.licence),
      (RoutingMetadataKey.region, provenance.region ?? "everything"),
    ]
    if let regionID { entries.append((RoutingMetadataKey.regionID, regionID)) }
    if let regionName { entries.append((RoutingMetadataKey.regionName, regionName)) }
    if let source = provenance.source {
      entries.append((RoutingMetadataKey.sourceDigest, source.sha256))
    }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
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
    guard var low = nodes.min(), var high = nodes.max() else { return nil }
    if let first = points.min(), let last = points.max() {
      let units = FixedCoordinate.unitsPerDegree
      func stored(_ coordinate: Int32) -> Double {
        Double(Float(Double(coordinate) / units)) * units
      }
      low = min(low, Int32(clamping: Int(stored(first).rounded(.down))))
      high = max(high, Int32(clamping: Int(stored(last).rounded(.up))))
    }
    return (degrees(low), degrees(high))
  }

  private func degrees(_ units: Int32) -> Double {
    FixedCoordinate(latitude: units, longitude: 0).degrees.latitude
  }
}
