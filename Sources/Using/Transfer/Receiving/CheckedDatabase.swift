// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import Foundation

/// A routing database that opens, and its metadata.
struct CheckedDatabase {
  private static let type = TransferEnvelope.Kind.routingdb.rawValue

  private let metadata: [String: String]

  /// Opens a database for a moment. Throws ``TransferError/notWhatItSays(type:reason:)``.
  init(_ file: URL) throws(TransferError) {
    try checkLength(file, Self.type)
    let store = RoutingStore(path: file.path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      metadata = try store.metadata()
    } catch { throw .notWhatItSays(type: Self.type, reason: error.description) }
  }

  /// The time of the OpenStreetMap data; nil if not stated.
  var dataTime: Date? { metadata[RoutingMetadataKey.osmDataDate].flatMap { parsedTimestamp($0) } }

  /// Throws ``TransferError/notWhatItSays(type:reason:)`` if it belongs to another region: by its
  /// id, if that is a UUID, or by its area.
  func check(isOf id: UUID, _ region: TransferRegion?) throws(TransferError) {
    if let found = metadata[RoutingMetadataKey.regionID].flatMap({ UUID(uuidString: $0) }),
      found != id
    {
      throw .notWhatItSays(type: Self.type, reason: "it is of the region \(found.uuidString)")
    }
    guard let region, let text = metadata[RoutingMetadataKey.boundingBox],
      let box = BoundingBox(commandLine: text)
    else { return }
    let area = BoundingBox(
      west: region.west, south: region.south, east: region.east, north: region.north)
    // Ways cross the border, so the boxes of neighbours overlap.
    guard !area.contains(box.centre), !box.contains(area.centre) else { return }
    throw .notWhatItSays(
      type: Self.type, reason: "it is of \(box), and the region “\(printable(region.name))” is not")
  }
}

/// Checks that a file is MBTiles with tiles of the zooms of a region. Throws
/// ``TransferError/notWhatItSays(type:reason:)``.
func checkTiles(_ file: URL, of region: TransferRegion) throws(TransferError) {
  let type = TransferEnvelope.Kind.mbtiles.rawValue
  try checkLength(file, type)
  var problem: String?
  do throws(CairnError) {
    // A statement takes no longer than the size of the file explains, whatever `tiles` is.
    let database = try SQLiteConnection(file.path, .readOnly)
    defer { database.close() }
    let tiles = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles LIMIT 1")
    if try !tiles.step() { problem = "it has no tiles" }
    _ = try database.prepare("SELECT value FROM metadata WHERE name = 'format' LIMIT 1").step()
    for zoom in ["min", "max"] {
      let found = try database.integer("SELECT \(zoom)(zoom_level) FROM tiles") ?? -1
      // Limited: the region is sound.
      if !(Int64(region.minZoom)...Int64(region.maxZoom)).contains(found), problem == nil {
        problem = "it has tiles of zoom \(found)"
      }
    }
  } catch { problem = error.message }
  if let problem { throw .notWhatItSays(type: type, reason: problem) }
}

private func checkLength(_ file: URL, _ type: String) throws(TransferError) {
  guard let cut = SQLiteConnection.truncation(of: file.path) else { return }
  throw .notWhatItSays(
    type: type,
    reason: "only \(grouped(cut.bytes)) of \(grouped(cut.expected)) bytes are there")
}
