// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CommandLineKit
import SystemIO
import TrailData

/// An extract as mappers see it: every `highway`, all tags of ways and of their nodes, and where ways are
/// incomplete.
package struct MappedExtract: Sendable {
  /// The ways, routes and points.
  package var content: TrailsContent
  /// The ids of the nodes next to a missing node of a way, as where a file was cut, ascending.
  package var cutNodes: [Int64]
  /// The box that the file says it covers.
  package var bounds: BoundingBox?
  /// The time of the data, ISO 8601 in UTC, if the input states it.
  package var dataTimestamp: String?

  /// Reads a PBF file, or OpenStreetMap XML. Throws as their parsers do.
  package init(_ path: String, threads: Int, progress: Progress? = nil) throws(CairnError) {
    let file = try InputFile(path)
    let head = try file.read(0..<min(2, file.size))
    let candidates: OSMCandidates
    // A PBF file begins with the length of a header that is shorter than 64 KiB.
    if head == [0, 0] {
      let parser = try PBFParser(
        file, highways: .everything, threads: threads, progress: progress)
      bounds = parser.header.bounds?.box
      candidates = try parser.candidates(for: [.everything])
    } else {
      let parser = OverpassParser(
        file, highways: .everything, threads: threads, progress: progress)
      candidates = try parser.candidates()
    }
    content = try candidates.cut(.everything).0
    cutNodes = candidates.cutNodes
    dataTimestamp = candidates.dataTimestamp
  }
}

extension HeaderBlock.Bounds {
  /// The box in degrees; nil if it is invalid.
  fileprivate var box: BoundingBox? {
    let unit = 1e-9
    let corner = Coordinate(latitude: Double(bottom) * unit, longitude: Double(left) * unit)
    let other = Coordinate(latitude: Double(top) * unit, longitude: Double(right) * unit)
    guard corner.isValid, other.isValid, corner.latitude < other.latitude else { return nil }
    return BoundingBox(
      west: corner.longitude, south: corner.latitude, east: other.longitude, north: other.latitude)
  }
}
