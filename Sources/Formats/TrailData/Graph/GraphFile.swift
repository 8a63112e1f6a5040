// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

// Columns of a .graph file (n nodes, e edges, w ways, s tag sets):
//
//   node.id         Int64[n]     ids of the ends of edges, ascending: those of OpenStreetMap, then
//                                those of copies at barriers, see GraphNodeID
//   node.latitude   Int32[n]     10⁻⁷ degrees
//   node.longitude  Int32[n]     10⁻⁷ degrees
//   node.elevation  Float32[n]   metres above sea level, NaN where unknown
//   edge.from       UInt32[e]    nodes, as indices into node.*; in the direction of the way
//   edge.to         UInt32[e]
//   edge.way        UInt32[e]    ways, as indices into way.*; ascending
//   edge.distance   Float64[e]   metres along the geometry
//   edge.gain       Float64[e]   metres climbed along the geometry
//   edge.loss       Float64[e]   metres descended along the geometry
//   edge.slope      Float64[e]   slope of the steepest interval of the edge's elevation profile
//                                in percent, positive uphill; NaN where unknown
//   edge.profile.offset UInt32[e+1] where each edge's elevation profile begins
//   edge.profile    Float32[v]   elevation profiles: metres above sea level at evenly spaced
//                                positions of each edge, from its start to its end; none where
//                                unknown, otherwise at least 2
//   edge.point.offset UInt32[e+1] where each edge's points begin
//   barrier.edge    UInt32[b]    the edges of zero length that stand for barriers, as indices
//                                into edge.*, ascending
//   barrier.tagset  UInt32[b]    the tags of each barrier's node, as indices into tagset.*
//   hazard.edge     UInt32[h]    the edges with hazards on them, as indices into edge.*; the rows
//                                ascend by edge, start, end, type and id
//   hazard.start    UInt32[h]    where each begins, in decimetres from the start of its edge
//   hazard.end      UInt32[h]    where it ends
//   hazard.type     UInt8[h]     type of the object: 0 node, 1 way, 2 relation
//   hazard.id       Int64[h]     its OpenStreetMap id
//   hazard.tagset   UInt32[h]    its tags, as indices into tagset.*
//   point.latitude  Int32[p]     the points between the end nodes, in 10⁻⁷ degrees
//   point.longitude Int32[p]
//   way.id          Int64[w]     OpenStreetMap ids, ascending; again where other tags hold for a part
//   way.name        UInt32[w]    text, or noText
//   way.tagset      UInt32[w]    tag sets, as indices into tagset.*
//   tagset.*                     each distinct set of the tags of ways, barriers and hazards that
//                                costs and warnings may depend on
//   tagset.network  UInt8[s]     the waymarked routes of the set, see RouteNetworks
//   tagset.area.offset UInt32[s + 1]  the start of the areas of each set in the next column, and the end
//   tagset.area     UInt32[]     the areas that close or limit the ways of each set, as indices of their
//                                own tags into tagset.*
//   string.*                     the texts

/// The content of a `.graph` file, open for reading.
///
/// Opening checks everything that users of the file rely on: indices are within their columns, ids
/// and texts in order, coordinates valid, and lengths finite and not negative.
package struct GraphFile: Sendable {
  /// The largest distance in metres between two elevations of an elevation profile, for edges up to
  /// ``elevationProfileIntervalLimit`` times as long.
  package static let elevationProfileSpacingMetres = 30.0
  /// The largest number of intervals of an elevation profile.
  package static let elevationProfileIntervalLimit = 20_000
  /// The largest slope in percent, up or down, allowed in a file. Steeper ones, between nodes at
  /// nearly the same coordinate, are limited to it.
  package static let maximumSlope = 1e6

  /// The index of a missing text.
  package static let noText = UInt32.max

  /// The container itself.
  package let container: ContainerReader
  /// Ids of the ends of edges, ascending; see ``GraphNodeID``.
  package let nodeIDs: Column<Int64>
  /// Latitudes of the nodes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes of the nodes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// Metres above sea level of the nodes; NaN if unknown.
  package let elevations: Column<Float>
  /// The start node of each edge, in the direction of its way.
  package let from: Column<UInt32>
  /// The end node of each edge.
  package let to: Column<UInt32>
  /// The way of each edge.
  package let ways: Column<UInt32>
  /// Metres along each edge's geometry.
  package let distances: Column<Double>
  /// Ascent along each edge in metres.
  package let gains: Column<Double>
  /// Descent along each edge in metres.
  package let losses: Column<Double>
  /// Slope of the steepest interval of each edge's elevation profile in percent, positive uphill
  /// along the edge; NaN if unknown.
  package let slopes: Column<Double>
  /// The start of each edge's elevation profile in ``elevationProfiles``, and finally the end.
  package let elevationProfileOffsets: Column<UInt32>
  /// The elevation profiles: metres above sea level at evenly spaced positions of each edge, from
  /// its start to its end.
  package let elevationProfiles: Column<Float>
  /// The start of each edge's points, and finally the end.
  package let pointOffsets: Column<UInt32>
  /// The edges of zero length that stand for barriers, ascending.
  package let barrierEdges: Column<UInt32>
  /// The tags of each barrier's node, as indices into ``tagSets``.
  package let barrierTagSets: Column<UInt32>
  /// The hazards on the edges.
  package let hazards: GraphHazards
  /// Latitudes of the points between end nodes in 10⁻⁷ degrees.
  package let pointLatitudes: Column<Int32>
  /// Longitudes of the points between end nodes in 10⁻⁷ degrees.
  package let pointLongitudes: Column<Int32>
  /// OpenStreetMap ids of the ways.
  package let wayIDs: Column<Int64>
  /// The name of each way, or ``noText``.
  package let wayNames: Column<UInt32>
  /// The tag set of each way.
  package let wayTagSets: Column<UInt32>
  /// The distinct sets of tags.
  package let tagSets: TagTable
  /// The ``RouteNetworks`` of each set; sets that differ only in these are distinct.
  package let tagSetNetworks: Column<UInt8>
  /// The areas that close or limit the ways of each set. Sets that differ only in these are distinct.
  package let tagSetAreas: TagSetAreas
  /// The texts of tags and names.
  package let strings: StringTable

  /// Opens a file and checks it on some threads. Throws 66 if it cannot be read and 65 if it is of
  /// another kind or damaged.
  package init(_ path: String, threads: Int = 1) throws(CairnError) {
    let container = try ContainerReader(path, kinds: [.graph], threads: threads)
    self.container = container
    nodeIDs = try container.column("node.id")
    let nodes = nodeIDs.count
    latitudes = try container.column("node.latitude", count: nodes)
    longitudes = try container.column("node.longitude", count: nodes)
    elevations = try container.column("node.elevation", count: nodes)
    from = try container.column("edge.from")
    let edges = from.count
    to = try container.column("edge.to", count: edges)
    ways = try container.column("edge.way", count: edges)
    distances = try container.column("edge.distance", count: edges)
    gains = try container.column("edge.gain", count: edges)
    losses = try container.column("edge.loss", count: edges)
    slopes = try container.column("edge.slope", count: edges)
    elevationProfileOffsets = try container.column("edge.profile.offset", count: edges + 1)
    elevationProfiles = try container.column("edge.profile")
    pointOffsets = try container.column("edge.point.offset", count: edges + 1)
    barrierEdges = try container.column("barrier.edge")
    barrierTagSets = try container.column("barrier.tagset", count: barrierEdges.count)
    pointLatitudes = try container.column("point.latitude")
    pointLongitudes = try container.column("point.longitude", count: pointLatitudes.count)
    wayIDs = try container.column("way.id")
    wayNames = try container.column("way.name", count: wayIDs.count)
    wayTagSets = try container.column("way.tagset", count: wayIDs.count)
    strings = try StringTable(container)
    let setCount = try container.column("tagset.offset", of: UInt32.self).count - 1
    tagSets = try TagTable(
      container, prefix: "tagset", objects: max(0, setCount), strings: strings.count)
    tagSetNetworks = try container.column("tagset.network", count: tagSets.count)
    tagSetAreas = try TagSetAreas(container, tagSets: tagSets.count)
    hazards = try GraphHazards(container, edges: edges, tagSets: tagSets.count)
    try check(threads: threads)
  }

  private func check(threads: Int) throws(CairnError) {
    let (nodes, edges) = (nodeIDs.count, from.count)
    guard nodes < Int(Int32.max), edges < Int(Int32.max) else {
      throw CairnError(
        "too-large", .dataError,
        "has \(nodes) nodes and \(edges) edges; at most 2 147 483 646 are possible",
        at: Location(file: container.path))
    }
    try checkAll(
      threads: threads,
      [
        { try checkEdges() },
        { try checkLengthsOfEdges() },
        {
          try checkOffsets(pointOffsets, end: pointLatitudes.count, "edge.point.offset", container)
          try checkCoordinates(pointLatitudes, pointLongitudes, "point", container)
        },
        {
          try checkOffsets(
            elevationProfileOffsets, end: elevationProfiles.count, "edge.profile.offset",
            container)
          try checkElevationProfiles(
            elevationProfiles, elevationProfileOffsets, slopes, "edge.profile", container)
        },
        {
          try checkAscending(nodeIDs, "node.id", container)
          try checkCoordinates(latitudes, longitudes, "node", container)
          try checkElevations(elevations, "node.elevation", container)
        },
      ])
  }

  private func checkLengthsOfEdges() throws(CairnError) {
    try checkLengths(distances, "edge.distance", container)
    try checkLengths(gains, "edge.gain", container)
    try checkLengths(losses, "edge.loss", container)
  }

  private func checkEdges() throws(CairnError) {
    try checkIndices(from, below: nodeIDs.count, "edge.from", container)
    try checkIndices(to, below: nodeIDs.count, "edge.to", container)
    try checkIndices(ways, below: wayIDs.count, "edge.way", container)
    try checkAscending(ways, unique: false, "edge.way", container)
    try checkAscending(wayIDs, unique: false, "way.id", container)
    try checkIndices(barrierEdges, below: from.count, "barrier.edge", container)
    try checkAscending(barrierEdges, "barrier.edge", container)
    try checkIndices(barrierTagSets, below: tagSets.count, "barrier.tagset", container)
    try checkIndices(wayTagSets, below: tagSets.count, "way.tagset", container)
    for name in wayNames where name != Self.noText && Int(name) >= strings.count {
      throw container.damage("column way.name has an index out of range")
    }
  }

  /// The indices of an edge's points in the point columns.
  package func points(ofEdge edge: Int) -> Range<Int> {
    Int(pointOffsets[edge])..<Int(pointOffsets[edge + 1])
  }

  /// The indices of an edge's elevation profile in ``elevationProfiles``: none, or at least two.
  package func elevationProfile(ofEdge edge: Int) -> Range<Int> {
    Int(elevationProfileOffsets[edge])..<Int(elevationProfileOffsets[edge + 1])
  }
}
