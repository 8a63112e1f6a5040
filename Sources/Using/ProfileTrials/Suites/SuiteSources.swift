// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Where the files that a suite names come from.
package struct SuiteSources: Sendable {
  /// A database of a manifest.
  package struct ManifestDatabase: Sendable, Equatable {
    /// The id of its region.
    package var region: String
    /// Its path.
    package var database: String

    /// Describes a database.
    package init(region: String, database: String) {
      (self.region, self.database) = (region, database)
    }
  }

  /// The databases of all regions of a manifest; nil where manifests cannot be read. Throws what is
  /// wrong with the manifest.
  package typealias Manifests =
    @Sendable (_ path: String) throws(CairnError) -> [ManifestDatabase]

  /// The largest list of pairs or times that is read.
  package static let limitBytes = 1 << 28

  package var manifests: Manifests?
  package var exists: @Sendable (_ path: String) -> Bool
  package var content: @Sendable (_ path: String) throws(CairnError) -> [UInt8]

  /// Takes files as they are.
  package init(manifests: Manifests? = nil) {
    self.manifests = manifests
    exists = { pathExists($0) }
    content = { path throws(CairnError) in try InputFile(path).readAll(limit: Self.limitBytes) }
  }

  /// Has no files, but behaves as if each were there and had nothing in it.
  package static let none: Self = {
    var sources = SuiteSources()
    sources.exists = { _ in true }
    sources.content = { _ in [] }
    return sources
  }()
}
