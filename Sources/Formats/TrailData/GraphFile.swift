// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy

// Columns of a .graph file (n nodes, e edges, w ways, s tag sets):
//
//   node.id         Int64[n]     ids of the ends of edges, ascending: those of OpenStreetMap, and
//                                beyond them those of copies at barriers, see GraphNodeID
//   node.latitude   Int32[n]     10⁻⁷ degrees
//   node.longitude  Int32[n]     10⁻⁷ degrees
//   node.elevation  Float32[n]   metres above sea level, NaN where unknown
//   edge.from       UInt32[e]    nodes, as places in node.*; along the way's own direction
//   edge.to         UInt32[e]
//   edge.way        UInt32[e]    ways, as places in way.*; ascending
//   edge.distance   Float64[e]   metres along the geometry
//   edge.gain       Float64[e]   metres climbed along the geometry
//   edge.loss       Float64[e]   metres descended along the geometry
//   edge.slope      Float64[e]   slope of the steepest stretch of the edge's profile in percent,
//                                positive where it climbs; NaN where unknown
//   edge.profile.offset UInt32[e+1] where each edge's profile begins
//   edge.profile    Float32[v]   metres above sea level at evenly spaced places of each edge, from
//                                its start to its end; none where unknown, otherwise at least 2
//   edge.point.offset UInt32[e+1] where each edge's points begin
//   barrier.edge    UInt32[b]    the edges without extent that stand for barriers, as places in
//                                edge.*, ascending
//   barrier.tagset  UInt32[b]    the tags of each barrier's node, as places in tagset.*
//   point.latitude  Int32[p]     the points between the end nodes, in 10⁻⁷ degrees
//   point.longitude Int32[p]
//   way.id          Int64[w]     OpenStreetMap ids
//   way.name        UInt32[w]    text, or noText
//   way.tagset      UInt32[w]    tag sets, as places in tagset.*
//   tagset.*                     each distinct set of the tags that costs may depend on, of ways
//                                and of barriers
//   tagset.network  UInt8[s]     the waymarked routes that belong to the set, see RouteNetworks
//   string.*                     the texts

/// The content of a `.graph` file, open for reading.
///
/// Opening checks every number that later work relies on: no index leads outside a column, ids and
/// texts are in order, positions lie on the Earth, and lengths are finite and not negative.
package struct GraphFile: Sendable {
  /// The distance in metres that the places of an edge's profile have at most, up to a length of
  /// ``profileStretchLimit`` such stretches.
  package static let profileSpacingMetres = 30.0
  /// The largest number of stretches that a profile is cut into.
  package static let profileStretchLimit = 20_000
  /// The largest slope in percent, up or down, that a file may hold; what is steeper, between two
  /// nodes on nearly one spot, is written as this.
  package static let greatestSlope = 1e6

  /// The number in place of a text that is not there.
  package static let noText = UInt32.max

  /// The container as such.
  package let container: ContainerReader
  /// Ids of the ends of edges, ascending; see ``GraphNodeID``.
  package let nodeIDs: Column<Int64>
  /// Latitudes of the nodes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes of the nodes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// Metres above sea level of the nodes, NaN where unknown.
  package let elevations: Column<Float>
  /// Where each edge begins, along its way's own direction.
  package let from: Column<UInt32>
  /// Where each edge ends.
  package let to: Column<UInt32>
  /// The way of each edge.
  package let ways: Column<UInt32>
  /// Metres along each edge's geometry.
  package let distances: Column<Double>
  /// Metres climbed along each edge.
  package let gains: Column<Double>
  /// Metres descended along each edge.
  package let losses: Column<Double>
  /// Slope of the steepest stretch of each edge's profile in percent, positive where it climbs
  /// along the edge; NaN where unknown.
  package let slopes: Column<Double>
  /// Where each edge's profile begins in ``profileElevations``, and at last the end.
  package let profileOffsets: Column<UInt32>
  /// Metres above sea level at evenly spaced places of each edge, from its start to its end.
  package let profileElevations: Column<Float>
  /// Where each edge's points begin, and at last the end.
  package let pointOffsets: Column<UInt32>
  /// The edges without extent that stand for barriers, ascending.
  package let barrierEdges: Column<UInt32>
  /// The tags of each barrier's node, as places in ``tagSets``.
  package let barrierTagSets: Column<UInt32>
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
  /// The ``RouteNetworks`` of each set; sets that differ in nothing else are two.
  package let tagSetNetworks: Column<UInt8>
  /// The texts of tags and names.
  package let strings: StringTable

  /// Opens a file. Throws 66 if it cannot be read and 65 if it is of another kind or damaged.
  package init(_ path: String) throws(CairnError) {
    let container = try ContainerReader(path, kinds: [.graph])
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
    profileOffsets = try container.column("edge.profile.offset", count: edges + 1)
    profileElevations = try container.column("edge.profile")
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
    guard nodes < Int(Int32.max), edges < Int(Int32.max) else {
      throw CairnError(
        "too-large", .dataError, "has \(nodes) nodes and \(edges) edges, more than 2 147 483 646",
        at: Location(file: path))
    }
    try checkIndices(from, below: nodes, "edge.from", container)
    try checkIndices(to, below: nodes, "edge.to", container)
    try checkIndices(ways, below: wayIDs.count, "edge.way", container)
    try checkOffsets(pointOffsets, end: pointLatitudes.count, "edge.point.offset", container)
    try checkIndices(barrierEdges, below: edges, "barrier.edge", container)
    try checkAscending(barrierEdges, "barrier.edge", container)
    try checkIndices(barrierTagSets, below: tagSets.count, "barrier.tagset", container)
    try checkIndices(wayTagSets, below: tagSets.count, "way.tagset", container)
    try checkAscending(nodeIDs, "node.id", container)
    try checkAscending(ways, unique: false, "edge.way", container)
    try checkPositions(latitudes, longitudes, "node", container)
    try checkPositions(pointLatitudes, pointLongitudes, "point", container)
    try checkElevations(elevations, "node.elevation", container)
    try checkLengths(distances, "edge.distance", container)
    try checkLengths(gains, "edge.gain", container)
    try checkLengths(losses, "edge.loss", container)
    try checkOffsets(profileOffsets, end: profileElevations.count, "edge.profile.offset", container)
    try checkProfiles(profileElevations, profileOffsets, slopes, "edge.profile", container)
    for name in wayNames where name != Self.noText && Int(name) >= strings.count {
      throw container.damage("column way.name points outside its table")
    }
  }

  /// The places of an edge's points in the point columns.
  package func points(ofEdge edge: Int) -> Range<Int> {
    Int(pointOffsets[edge])..<Int(pointOffsets[edge + 1])
  }

  /// The places of an edge's profile in ``profileElevations``: none, or at least two.
  package func profile(ofEdge edge: Int) -> Range<Int> {
    Int(profileOffsets[edge])..<Int(profileOffsets[edge + 1])
  }
}

/// The content of a `.graph` file while the builder collects it.
package struct GraphContent: Equatable, Sendable {
  /// See ``GraphFile/nodeIDs``.
  package var nodeIDs: [Int64] = []
  /// See ``GraphFile/latitudes``.
  package var latitudes: [Int32] = []
  /// See ``GraphFile/longitudes``.
  package var longitudes: [Int32] = []
  /// See ``GraphFile/elevations``.
  package var elevations: [Float] = []
  /// See ``GraphFile/from``.
  package var from: [UInt32] = []
  /// See ``GraphFile/to``.
  package var to: [UInt32] = []
  /// See ``GraphFile/ways``.
  package var ways: [UInt32] = []
  /// See ``GraphFile/distances``.
  package var distances: [Double] = []
  /// See ``GraphFile/gains``.
  package var gains: [Double] = []
  /// See ``GraphFile/losses``.
  package var losses: [Double] = []
  /// See ``GraphFile/slopes``. Where it is empty, no edge has a slope or a profile.
  package var slopes: [Double] = []
  /// See ``GraphFile/profileOffsets``.
  package var profileOffsets: [UInt32] = [0]
  /// See ``GraphFile/profileElevations``.
  package var profileElevations: [Float] = []
  /// See ``GraphFile/pointOffsets``.
  package var pointOffsets: [UInt32] = [0]
  /// See ``GraphFile/barrierEdges``.
  package var barrierEdges: [UInt32] = []
  /// See ``GraphFile/barrierTagSets``.
  package var barrierTagSets: [UInt32] = []
  /// See ``GraphFile/pointLatitudes``.
  package var pointLatitudes: [Int32] = []
  /// See ``GraphFile/pointLongitudes``.
  package var pointLongitudes: [Int32] = []
  /// See ``GraphFile/wayIDs``.
  package var wayIDs: [Int64] = []
  /// See ``GraphFile/wayNames``.
  package var wayNames: [UInt32] = []
  /// See ``GraphFile/wayTagSets``.
  package var wayTagSets: [UInt32] = []
  /// See ``GraphFile/tagSets``.
  package var tagSets = TagLists()
  /// See ``GraphFile/tagSetNetworks``; where it is empty, no way has a route.
  package var tagSetNetworks: [UInt8] = []

  /// Makes an empty content.
  package init() {}

  /// Writes the content as a `.graph` file with the texts of the file that it was built from.
  package func write(to path: String, strings: StringTable, provenance: Provenance)
    throws(CairnError)
  {
    let writer = try ContainerWriter(path, kind: .graph)
    try writer.add("node.id", nodeIDs)
    try writer.add("node.latitude", latitudes)
    try writer.add("node.longitude", longitudes)
    try writer.add("node.elevation", elevations)
    try writer.add("edge.from", from)
    try writer.add("edge.to", to)
    try writer.add("edge.way", ways)
    try writer.add("edge.distance", distances)
    try writer.add("edge.gain", gains)
    try writer.add("edge.loss", losses)
    let isWithoutProfiles = slopes.isEmpty
    try writer.add(
      "edge.slope", isWithoutProfiles ? Array(repeating: .nan, count: from.count) : slopes)
    try writer.add(
      "edge.profile.offset",
      isWithoutProfiles ? Array(repeating: 0, count: from.count + 1) : profileOffsets)
    try writer.add("edge.profile", profileElevations)
    try writer.add("edge.point.offset", pointOffsets)
    try writer.add("barrier.edge", barrierEdges)
    try writer.add("barrier.tagset", barrierTagSets)
    try writer.add("point.latitude", pointLatitudes)
    try writer.add("point.longitude", pointLongitudes)
    try writer.add("way.id", wayIDs)
    try writer.add("way.name", wayNames)
    try writer.add("way.tagset", wayTagSets)
    try tagSets.write(prefix: "tagset", to: writer)
    let sets = max(0, tagSets.offsets.count - 1)
    try writer.add(
      "tagset.network",
      tagSetNetworks.isEmpty ? [UInt8](repeating: 0, count: sets) : tagSetNetworks)
    try strings.copy(to: writer)
    try writer.commit(provenance)
  }
}
