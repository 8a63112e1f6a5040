// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Writes a `.elevated` file in steps, so that unchanged columns are written while elevations are
/// being computed, and finished elevations while others still are.
///
/// Call ``copyColumns()`` first, then ``reserveElevations(samples:)``, and ``commit(_:)`` when its
/// columns are complete; one at a time, but from any thread.
package final class ElevatedWriter: @unchecked Sendable {
  /// The columns of a `.elevated` file that a `.trails` file lacks. Each may be written by another
  /// thread.
  package struct Columns: Sendable {
    /// Metres above sea level of each node within ±20 000; NaN if unknown.
    package let elevations: ReservedColumn<Float>
    /// The start of the samples after each ref, and finally the end.
    package let sampleOffsets: ReservedColumn<UInt32>
    /// Metres above sea level of the samples within ±20 000; NaN if unknown.
    package let sampleElevations: ReservedColumn<Float>
    /// Metres above sea level of the points of interest within ±20 000; NaN if unknown.
    package let pointElevations: ReservedColumn<Float>
  }

  private let trails: TrailsFile
  private let writer: ContainerWriter

  /// Starts a file with the content of another one. Throws 73 if it cannot be created.
  package init(_ trails: TrailsFile, to path: String) throws(CairnError) {
    self.trails = trails
    writer = try ContainerWriter(path, kind: .elevated)
  }

  /// Writes the columns common to both kinds of file.
  package func copyColumns() throws(CairnError) {
    try writer.add("node.id", trails.nodeIDs)
    try writer.add("node.latitude", trails.latitudes)
    try writer.add("node.longitude", trails.longitudes)
    try writer.add("tagged.node", trails.taggedNodes)
    try trails.nodeTags.copy(prefix: "tagged.tag", to: writer)
    try writer.add("way.id", trails.wayIDs)
    try writer.add("way.ref.offset", trails.refOffsets)
    try writer.add("way.ref", trails.refs)
    try trails.wayTags.copy(prefix: "way.tag", to: writer)
    try trails.routes.copy(to: writer)
    try trails.pointsOfInterest.copy(to: writer)
    try trails.areas.copy(to: writer)
    try trails.lines.copy(to: writer)
    try writer.add("seam.node", trails.seam)
    try trails.strings.copy(to: writer)
    writer.beginFlushing()
  }

  /// Reserves space for the elevations of all nodes, the samples and all points of interest.
  package func reserveElevations(samples: Int) -> Columns {
    Columns(
      elevations: writer.reserve("node.elevation", count: trails.nodeIDs.count),
      sampleOffsets: writer.reserve("ref.sample.offset", count: trails.refs.count + 1),
      sampleElevations: writer.reserve("sample.elevation", count: samples),
      pointElevations: writer.reserve(
        "poi.elevation", count: trails.pointsOfInterest.count))
  }

  /// Makes the file durable and gives it its final name. Throws 70 if a column is incomplete.
  package func commit(_ provenance: Provenance) throws(CairnError) {
    try writer.commit(provenance)
  }
}
