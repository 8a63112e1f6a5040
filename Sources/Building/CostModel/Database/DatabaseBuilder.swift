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
  /// The length in metres below which a component is an island.
  let islandMetres: Double
  /// The day for which access was evaluated; nil if unknown.
  let accessDate: CalendarDate?
  /// The creation time to state, ISO 8601; nil for the time of the data.
  let createdAt: String?

  /// Writes the database into an empty file that is not in use yet. Returns the CPU seconds spent
  /// on the edges and their indexes.
  func write(to path: String) throws(CairnError) -> Double {
    guard let first = costs.first else {
      throw CairnError("no-profile", .usage, "at least one profile is needed")
    }
    let writer = try RoutingDatabaseWriter(
      path, nodeCount: graph.nodeIDs.count, edgeCount: graph.from.count,
      profileCount: profiles.count, elevationCount: graph.slopes.count { !$0.isNaN })
    for node in graph.nodeIDs.indices {
      let elevation = graph.elevations[node]
      try writer.addNode(
        id: graph.nodeIDs[node], at: coordinate(node),
        elevation: elevation.isNaN ? nil : Double(elevation))
    }
    try writer.finishNodes()
    let start = ResourceUse.current().cpuSeconds
    try addEdges(first, to: writer)
    try writer.finishEdges()
    let edgeSeconds = ResourceUse.current().cpuSeconds - start
    for (index, profile) in profiles.enumerated() {
      let costs = costs[index]
      try writer.addProfile(
        .init(
          name: profile.name, fingerprint: try profile.fingerprint(),
          definition: try profile.canonicalText(),
          minimumCostPerMetre: costs.minimumCostPerMetre), id: index + 1)
      for edge in graph.from.indices {
        try writer.addCosts(
          profile: index + 1, edge: edge + 1, cost: costs.cost[edge],
          reverseCost: costs.reverseCost[edge], duration: costs.duration[edge],
          reverseDuration: costs.reverseDuration[edge])
      }
      try addComponents(components[index], profile: index + 1, to: writer)
    }
    try addElevations(to: writer)
    try writer.addTags((0..<graph.tagSets.count).map { graph.wayTags(ofTagSet: $0) })
    try addEdgeTags(to: writer)
    try writer.finish(metadata: try metadata(profiles[0], first))
    return edgeSeconds
  }

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

  private func addEdgeTags(to writer: RoutingDatabaseWriter) throws(CairnError) {
    // Barriers are in the order of their edges.
    var barrier = 0
    try writer.addEdgeTags(count: graph.from.count) { edge in
      let way = Int(graph.wayTagSets[Int(graph.ways[edge])]) + 1
      guard barrier < graph.barrierEdges.count, Int(graph.barrierEdges[barrier]) == edge else {
        return (way, nil)
      }
      barrier += 1
      return (way, Int(graph.barrierTagSets[barrier - 1]) + 1)
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

  private func addEdges(_ costs: EdgeCosts, to writer: RoutingDatabaseWriter) throws(CairnError) {
    let columns = tagColumns()
    // Made once: every reference to the method would copy all columns of the graph.
    let point: (Int) -> Coordinate = point
    for edge in graph.from.indices {
      let way = Int(graph.ways[edge])
      let tags = columns[Int(graph.wayTagSets[way])]
      let name = graph.wayNames[way]
      var row = RoutingDatabaseWriter.Edge()
      row.fromNode = graph.nodeIDs[Int(graph.from[edge])]
      row.toNode = graph.nodeIDs[Int(graph.to[edge])]
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

  private func addElevations(to writer: RoutingDatabaseWriter) throws(CairnError) {
    try graph.elevationProfiles.withUnsafeElements { elevations throws(CairnError) in
      for edge in graph.from.indices where !graph.slopes[edge].isNaN {
        try writer.addElevation(
          edge: edge + 1, maximumSlope: graph.slopes[edge],
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
      (RoutingMetadataKey.createdAt, createdAt ?? dataDate ?? Self.unknownTime),
      (RoutingMetadataKey.boundingBox, boundingBox()?.description ?? ""),
      (RoutingMetadataKey.nodeCount, "\(graph.nodeIDs.count)"),
      (RoutingMetadataKey.edgeCount, "\(graph.from.count)"),
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
    if let source = provenance.source {
      entries.append((RoutingMetadataKey.sourceDigest, source.sha256))
    }
    return entries.sorted { $0.0 < $1.0 }.map { (key: $0.0, value: $0.1) }
  }

  /// The bounding box of all nodes and points.
  private func boundingBox() -> BoundingBox? {
    guard let south = minimum(graph.latitudes, graph.pointLatitudes),
      let west = minimum(graph.longitudes, graph.pointLongitudes)
    else { return nil }
    let north = maximum(graph.latitudes, graph.pointLatitudes)
    let east = maximum(graph.longitudes, graph.pointLongitudes)
    let low = FixedCoordinate(latitude: south, longitude: west).degrees
    let high = FixedCoordinate(latitude: north, longitude: east).degrees
    return BoundingBox(
      west: low.longitude, south: low.latitude, east: high.longitude, north: high.latitude)
  }

  private func minimum(_ nodes: Column<Int32>, _ points: Column<Int32>) -> Int32? {
    guard let first = nodes.min() else { return nil }
    return min(first, points.min() ?? first)
  }

  private func maximum(_ nodes: Column<Int32>, _ points: Column<Int32>) -> Int32 {
    max(nodes.max() ?? .min, points.max() ?? .min)
  }
}
