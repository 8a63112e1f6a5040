// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Writes the `.elevated` file of a `.trails` file, so that finished elevations are written while
/// others are still being computed.
///
/// Call ``reserveElevations(samples:)``, and ``commit(_:)`` when its columns are complete; one at a
/// time, but from any thread.
package final class ElevatedWriter: @unchecked Sendable {
  /// The elevations. Each column may be written by another thread.
  package struct Columns: Sendable {
    /// Metres above sea level of each node within ±20 000; NaN if unknown.
    package let elevations: ReservedColumn<Float>
    /// The ref before each sample, ascending.
    package let sampleRefs: ReservedColumn<UInt32>
    /// Metres above sea level of the samples within ±20 000; NaN if unknown.
    package let sampleElevations: ReservedColumn<Float>
    /// Metres above sea level of the points of interest within ±20 000; NaN if unknown.
    package let pointElevations: ReservedColumn<Float>
  }

  private let trails: TrailsFile
  private let writer: ContainerWriter

  /// Starts the file with the elevations of a `.trails` file. Throws 73 if it cannot be created.
  package init(_ trails: TrailsFile, to path: String) throws(CairnError) {
    self.trails = trails
    writer = try ContainerWriter(path, kind: .elevated)
    try writer.add("trails.digest", Array(trails.container.digest.utf8))
  }

  /// Reserves space for the elevations of all nodes, the samples and all points of interest.
  package func reserveElevations(samples: Int) -> Columns {
    Columns(
      elevations: writer.reserve("node.elevation", count: trails.nodeIDs.count),
      sampleRefs: writer.reserve("sample.ref", count: samples),
      sampleElevations: writer.reserve("sample.elevation", count: samples),
      pointElevations: writer.reserve(
        "poi.elevation", count: trails.pointsOfInterest.count))
  }

  /// Makes the file durable and gives it its final name. Throws 70 if a column is incomplete.
  package func commit(_ provenance: Provenance) throws(CairnError) {
    try writer.commit(provenance)
  }
}
