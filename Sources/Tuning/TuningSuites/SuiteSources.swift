// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGPX
import CairnGeodesy
import CairnRoutingDatabase
import GPXInput
import SystemIO

/// The sources of the files that a suite names.
package struct SuiteSources: Sendable {
  /// A database of a manifest.
  package struct ManifestDatabase: Sendable, Equatable {
    /// The id of its region.
    package var region: String
    /// Its path.
    package var database: String
    /// The folders of its elevation tiles, preferred first.
    package var elevation: [String]

    /// Describes a database.
    package init(region: String, database: String, elevation: [String] = []) {
      (self.region, self.database, self.elevation) = (region, database, elevation)
    }
  }

  /// The databases of all regions of a manifest; nil if manifests cannot be read. Throws the errors
  /// of the manifest.
  package typealias Manifests =
    @Sendable (_ path: String) throws(CairnError) -> [ManifestDatabase]

  /// The largest list of pairs or times that is read.
  package static let limitBytes = 1 << 28

  package var manifests: Manifests?
  package var exists: @Sendable (_ path: String) -> Bool
  /// The database for a path, or in a bundle's folder. Throws 66 if there is none.
  package var database: @Sendable (_ path: String) throws(CairnError) -> String
  package var content: @Sendable (_ path: String) throws(CairnError) -> [UInt8]
  /// The points of the tracks of a GPX file, or of its routes if it has no tracks.
  package var points: @Sendable (_ path: String) throws(CairnError) -> [Coordinate]
  /// The bounding box of a database's data; nil if not stated.
  package var box: @Sendable (_ database: String) throws(CairnError) -> BoundingBox?

  /// Uses files unchanged.
  package init(manifests: Manifests? = nil) {
    self.manifests = manifests
    exists = { pathExists($0) }
    database = { path throws(CairnError) in try fileOfBundle(path, ".routing.db") }
    content = { path throws(CairnError) in try InputFile(path).readAll(limit: Self.limitBytes) }
    points = { path throws(CairnError) in
      // Only the places of its points count.
      let file = try GPXFile(path) { _ in }
      return (file.tracks.isEmpty ? file.routes : file.tracks).flatMap {
        $0.points.map(\.coordinate)
      }
    }
    box = { database throws(CairnError) in
      try RoutingStore.reading(database) { store throws(RoutingError) in
        try store.metadata()[RoutingMetadataKey.boundingBox].flatMap {
          BoundingBox(commandLine: $0)
        }
      }
    }
  }

  /// Has no files, but behaves as if each existed and were empty.
  package static let none: Self = {
    var sources = SuiteSources()
    sources.exists = { _ in true }
    sources.database = { $0 }
    sources.content = { _ in [] }
    sources.points = { _ in [] }
    sources.box = { _ in nil }
    return sources
  }()
}

extension RoutingStore {
  /// Opens a database, reads something from it and closes it. Throws 66 and 65 if it cannot be read
  /// or used.
  package static func reading<Content>(
    _ path: String, _ body: (RoutingStore) throws(RoutingError) -> Content
  ) throws(CairnError) -> Content {
    let store = RoutingStore(path: path)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      return try body(store)
    } catch { throw error.ofCommand(at: path) }
  }
}
