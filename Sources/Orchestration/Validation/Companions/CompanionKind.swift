// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnWaypoints
import SystemIO
import Tiles

/// A kind of file published beside a routing database.
package enum CompanionKind: String, Codable, Sendable {
  /// `REGION.waypoints.db`.
  case waypoints
  /// `REGION.places.db`.
  case places
  /// `REGION.trails.mbtiles` and other archives of map tiles.
  case tiles

  /// The kind of a file by its header, for map tiles also by their table; nil for any other or
  /// unreadable file.
  package init?(file path: String) {
    guard let file = try? InputFile(path), file.size >= 100 else { return nil }
    var head = [UInt8](repeating: 0, count: 100)
    let count = try? head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    guard count == head.count else { return nil }
    if WaypointSchema.recognises(head: head) {
      self = .waypoints
    } else if PlaceSchema.recognises(head: head) {
      self = .places
    } else if PMTilesHeader.recognises(head: head)
      || (try? MBTilesFile.isMBTiles(path, head: head)) == true
    {
      self = .tiles
    } else {
      return nil
    }
  }
}
