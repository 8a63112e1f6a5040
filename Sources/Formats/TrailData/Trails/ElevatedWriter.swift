// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Writes a `.elevated` file in steps, so that what does not change is written while elevations are
/// computed, and these while others still are.
///
/// First ``copyColumns()``, then ``reserveElevations(samples:)``, and ``commit(_:)`` when its columns
/// are complete; one at a time, but from any thread.
package final class ElevatedWriter: @unchecked Sendable {
  /// The columns that a `.elevated` file has and a `.trails` file has not. Each may be written by
  /// another thread.
  package struct Columns: Sendable {
    /// Metres above sea level of each node within ±20 000, NaN where unknown.
    package let elevations: ReservedColumn<Float>
    /// Where the samples after each ref begin, and finally the end.
    package let sampleOffsets: ReservedColumn<UInt32>
    /// Metres above sea level of the samples within ±20 000, NaN where unknown.
    package let sampleElevations: ReservedColumn<Float>
    /// Metres above sea level of the points of interest within ±20 000, NaN where unknown.
    package let pointElevations: ReservedColumn<Float>
  }

  private let trails: TrailsFile
  private let writer: ContainerWriter

  /// Starts a file with the content of another one. Throws 73 if it cannot be created.
  package init(_ trails: TrailsFile, to path: String) throws(CairnError) {
    self.trails = trails
    writer = try ContainerWriter(path, kind: .elevated)
  }

  /// Writes the columns that both kinds of file have.
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

  /// Makes space for the elevations of all nodes, so many samples and all points of interest.
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
