// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TrailData

/// The content of a `.graph` file, to write whatever a test needs.
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
  /// See ``GraphFile/slopes``. If it is empty, no edge has a slope or an elevation profile.
  package var slopes: [Double] = []
  /// See ``GraphFile/elevationProfileOffsets``.
  package var elevationProfileOffsets: [UInt32] = [0]
  /// See ``GraphFile/elevationProfiles``.
  package var elevationProfiles: [Float] = []
  /// See ``GraphFile/pointOffsets``.
  package var pointOffsets: [UInt32] = [0]
  /// See ``GraphFile/barrierEdges``.
  package var barrierEdges: [UInt32] = []
  /// See ``GraphFile/barrierTagSets``.
  package var barrierTagSets: [UInt32] = []
  /// See ``GraphFile/hazards``; in their order.
  package var hazards: [HazardRange] = []
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
  /// See ``GraphFile/tagSetNetworks``; if it is empty, no way has a route.
  package var tagSetNetworks: [UInt8] = []

  /// Creates an empty content.
  package init() {}

  /// Writes the content as a `.graph` file; `strings` are those of the file that it was built from.
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
    let hasNoProfiles = slopes.isEmpty
    try writer.add(
      "edge.slope", hasNoProfiles ? Array(repeating: .nan, count: from.count) : slopes)
    try writer.add(
      "edge.profile.offset",
      hasNoProfiles ? Array(repeating: 0, count: from.count + 1) : elevationProfileOffsets)
    try writer.add("edge.profile", elevationProfiles)
    try writer.add("edge.point.offset", pointOffsets)
    try writer.add("barrier.edge", barrierEdges)
    try writer.add("barrier.tagset", barrierTagSets)
    try GraphHazards.write(hazards, to: writer)
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
    try TagSetAreas.write([[UInt32]](repeating: [], count: sets), to: writer)
    try strings.copy(keeping: Array(0..<UInt32(strings.count)), to: writer)
    try writer.commit(provenance)
  }
}
