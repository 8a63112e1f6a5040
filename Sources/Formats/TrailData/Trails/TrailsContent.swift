// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// The content of a `.trails` file during collection by a parser.
///
/// The parser is responsible for the order: ids ascending and unique, tags of an object sorted by
/// key, texts sorted by their bytes and unique. Then the same data gives the same bytes, whatever
/// its format.
package struct TrailsContent: Equatable, Sendable {
  /// OpenStreetMap ids of the nodes, ascending.
  package var nodeIDs: [Int64] = []
  /// Latitudes of the nodes in 10⁻⁷ degrees.
  package var latitudes: [Int32] = []
  /// Longitudes of the nodes in 10⁻⁷ degrees.
  package var longitudes: [Int32] = []
  /// The nodes with tags, ascending, as indices into the node columns.
  package var taggedNodes: [UInt32] = []
  /// The tags of ``taggedNodes``.
  package var nodeTags = TagLists()
  /// OpenStreetMap ids of the ways, ascending.
  package var wayIDs: [Int64] = []
  /// The start of each way's refs in ``refs``, and finally the end.
  package var refOffsets: [UInt32] = [0]
  /// The nodes of all ways, as indices into the node columns.
  package var refs: [UInt32] = []
  /// The tags of the ways.
  package var wayTags = TagLists()
  /// The start of each way's waymarked routes in ``wayRoutes``, and finally the end.
  ///
  /// If it contains only the leading 0, no way has a route.
  package var wayRouteOffsets: [UInt32] = [0]
  /// The routes of all ways, as indices into ``routeIDs``, ascending within a way.
  package var wayRoutes: [UInt32] = []
  /// OpenStreetMap ids of the waymarked routes, ascending.
  package var routeIDs: [Int64] = []
  /// The tags of the waymarked routes.
  package var routeTags = TagLists()
  /// The start of each waymarked route's members in ``routeMembers``, and finally the end.
  ///
  /// If it contains only the leading 0, no route has members.
  package var routeMemberOffsets: [UInt32] = [0]
  /// The members of all waymarked routes, in the order of their relations.
  package var routeMembers: [RouteMember] = []
  /// Types of the points of interest, ascending.
  package var poiTypes: [OSMObjectType] = []
  /// OpenStreetMap ids of the points of interest, ascending within a type.
  package var poiIDs: [Int64] = []
  /// Latitudes of the points of interest in 10⁻⁷ degrees.
  package var poiLatitudes: [Int32] = []
  /// Longitudes of the points of interest in 10⁻⁷ degrees.
  package var poiLongitudes: [Int32] = []
  /// The tags of the points of interest.
  package var poiTags = TagLists()
  /// The areas that are dangerous or closed.
  package var areas = LineObjectLists()
  /// Rivers, lifts and the like, which are found by their names.
  package var lines = LineObjectLists()
  /// The surroundings of the region.
  package var margin = MarginLists()
  /// The texts of all tags as UTF-8, sorted by their bytes, unique.
  package var strings: [[UInt8]] = []

  /// Makes an empty content.
  package init() {}

  /// Writes the content as a `.trails` file.
  package func write(to path: String, provenance: Provenance) throws(CairnError) {
    let columns = LargeColumns(
      nodeIDs: ComputedColumn(nodeIDs), latitudes: ComputedColumn(latitudes),
      longitudes: ComputedColumn(longitudes), refs: ComputedColumn(refs))
    try Self.write(
      columns, to: path, rest: { self }, provenance: { _ throws(CairnError) in provenance })
  }

  /// The columns that grow with the nodes of ways and take by far most of a file.
  package struct LargeColumns: Sendable {
    /// See ``TrailsContent/nodeIDs``.
    package var nodeIDs: ComputedColumn<Int64>
    /// See ``TrailsContent/latitudes``.
    package var latitudes: ComputedColumn<Int32>
    /// See ``TrailsContent/longitudes``.
    package var longitudes: ComputedColumn<Int32>
    /// See ``TrailsContent/refs``.
    package var refs: ComputedColumn<UInt32>

    /// Creates the columns.
    package init(
      nodeIDs: ComputedColumn<Int64>, latitudes: ComputedColumn<Int32>,
      longitudes: ComputedColumn<Int32>, refs: ComputedColumn<UInt32>
    ) {
      self.nodeIDs = nodeIDs
      self.latitudes = latitudes
      self.longitudes = longitudes
      self.refs = refs
    }
  }

  /// Writes a `.trails` file whose large columns are computed while being written. With more than
  /// one thread, the rest of the content, whose own large columns are ignored, is computed and
  /// written meanwhile. The provenance is requested last. Returns the rest.
  @discardableResult
  package static func write(
    _ columns: LargeColumns, to path: String, threads: Int = 1,
    rest: @escaping @Sendable () -> TrailsContent,
    provenance: (TrailsContent) throws(CairnError) -> Provenance
  ) throws(CairnError) -> TrailsContent {
    // One thread adds columns, the others write into those that are there already.
    nonisolated(unsafe) let writer = try ContainerWriter(path, kind: .trails)
    let pieces = ColumnPieceQueue(
      writer.pieces("node.id.lower", columns.nodeIDs.lowerHalves)
        + writer.pieces("node.latitude", columns.latitudes)
        + writer.pieces("node.longitude", columns.longitudes)
        + writer.pieces("way.ref", columns.refs))
    let content = try pieces.write(threads: threads) { () throws(CairnError) in
      let content = rest()
      let (starts, upper) = columns.nodeIDs.upperHalves()
      try writer.add("node.id.start", starts)
      try writer.add("node.id.upper", upper)
      try content.writeRest(regionNodes: columns.nodeIDs.count, to: writer)
      return content
    }
    try writer.commit(try provenance(content))
    return content
  }

  private func writeRest(regionNodes: Int, to writer: ContainerWriter) throws(CairnError) {
    try writer.add("tagged.node", taggedNodes)
    try nodeTags.write(prefix: "tagged.tag", to: writer)
    try writer.add("way.id", wayIDs)
    try writer.add("way.ref.offset", refOffsets)
    try wayTags.write(prefix: "way.tag", to: writer)
    let hasRoutes = wayRouteOffsets.count == wayIDs.count + 1
    let offsets = hasRoutes ? wayRouteOffsets : Array(repeating: 0, count: wayIDs.count + 1)
    try writer.add("way.route.offset", offsets)
    try writer.add("way.route", wayRoutes)
    try writer.add("route.id", routeIDs)
    try routeTags.write(prefix: "route.tag", to: writer)
    let hasMembers = routeMemberOffsets.count == routeIDs.count + 1
    try writer.add(
      "route.member.offset",
      hasMembers ? routeMemberOffsets : Array(repeating: 0, count: routeIDs.count + 1))
    try writer.add("route.member.id", routeMembers.map(\.id))
    try writer.add("route.member.kind", routeMembers.map(\.kind))
    try writer.add("poi.type", poiTypes.map(\.rawValue))
    try writer.add("poi.id", poiIDs)
    try writer.add("poi.latitude", poiLatitudes)
    try writer.add("poi.longitude", poiLongitudes)
    try poiTags.write(prefix: "poi.tag", to: writer)
    try areas.write(prefix: "area", to: writer)
    try lines.write(prefix: "line", to: writer)
    try writeStrings(strings, to: writer)
    try writer.add("seam.node", margin.seam(regionNodes: regionNodes))
    try margin.write(to: writer)
  }
}
