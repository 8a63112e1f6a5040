// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// The surroundings of the region of a `.trails` file: ways that are not kept but influence the
/// elevations of those that are.
///
/// Its ways also have refs to the nodes of the region; indices from the number of the region's
/// nodes on mean its own nodes.
package struct Margin: Sendable {
  /// OpenStreetMap ids of its nodes, ascending, without those of the region.
  package let nodeIDs: Column<Int64>
  /// Latitudes of these nodes in 10⁻⁷ degrees.
  package let latitudes: Column<Int32>
  /// Longitudes of these nodes in 10⁻⁷ degrees.
  package let longitudes: Column<Int32>
  /// The start of each way's refs in ``refs``, and finally the end.
  package let refOffsets: Column<UInt32>
  /// The nodes of all ways.
  package let refs: Column<UInt32>
  /// The tags of the ways that influence their elevations.
  package let wayTags: TagTable
  /// Latitudes of the peaks in 10⁻⁷ degrees.
  package let peakLatitudes: Column<Int32>
  /// Longitudes of the peaks in 10⁻⁷ degrees.
  package let peakLongitudes: Column<Int32>
  /// The tags that mark the peaks, and their elevations.
  package let peakTags: TagTable

  init(_ container: ContainerReader, regionNodes: Int, strings: Int) throws(CairnError) {
    nodeIDs = try container.column("margin.node.id")
    latitudes = try container.column("margin.node.latitude", count: nodeIDs.count)
    longitudes = try container.column("margin.node.longitude", count: nodeIDs.count)
    refOffsets = try container.column("margin.way.ref.offset")
    refs = try container.column("margin.way.ref")
    wayTags = try TagTable(
      container, prefix: "margin.way.tag", objects: refOffsets.count - 1, strings: strings)
    peakLatitudes = try container.column("margin.peak.latitude")
    peakLongitudes = try container.column("margin.peak.longitude", count: peakLatitudes.count)
    peakTags = try TagTable(
      container, prefix: "margin.peak.tag", objects: peakLatitudes.count, strings: strings)
    try checkAscending(nodeIDs, "margin.node.id", container)
    try checkCoordinates(latitudes, longitudes, "margin.node", container)
    try checkOffsets(refOffsets, end: refs.count, "margin.way.ref.offset", container)
    try checkIndices(refs, below: regionNodes + nodeIDs.count, "margin.way.ref", container)
    try checkCoordinates(peakLatitudes, peakLongitudes, "margin.peak", container)
  }

  /// The number of its ways.
  package var wayCount: Int { wayTags.count }
}

/// The surroundings of a region during collection by a parser; in a file, a ``Margin``.
package struct MarginLists: Equatable, Sendable {
  /// See ``Margin/nodeIDs``.
  package var nodeIDs: [Int64] = []
  /// See ``Margin/latitudes``.
  package var latitudes: [Int32] = []
  /// See ``Margin/longitudes``.
  package var longitudes: [Int32] = []
  /// See ``Margin/refOffsets``.
  package var refOffsets: [UInt32] = [0]
  /// See ``Margin/refs``.
  package var refs: [UInt32] = []
  /// See ``Margin/wayTags``.
  package var wayTags = TagLists()
  /// See ``Margin/peakLatitudes``.
  package var peakLatitudes: [Int32] = []
  /// See ``Margin/peakLongitudes``.
  package var peakLongitudes: [Int32] = []
  /// See ``Margin/peakTags``.
  package var peakTags = TagLists()

  /// Makes an empty margin.
  package init() {}

  /// The nodes of a region with this many that are also nodes of the margin's ways, ascending.
  func seam(regionNodes: Int) -> [UInt32] {
    Set(refs.lazy.filter { $0 < regionNodes }).sorted()
  }

  func write(to writer: ContainerWriter) throws(CairnError) {
    try writer.add("margin.node.id", nodeIDs)
    try writer.add("margin.node.latitude", latitudes)
    try writer.add("margin.node.longitude", longitudes)
    try writer.add("margin.way.ref.offset", refOffsets)
    try writer.add("margin.way.ref", refs)
    try wayTags.write(prefix: "margin.way.tag", to: writer)
    try writer.add("margin.peak.latitude", peakLatitudes)
    try writer.add("margin.peak.longitude", peakLongitudes)
    try peakTags.write(prefix: "margin.peak.tag", to: writer)
  }
}
