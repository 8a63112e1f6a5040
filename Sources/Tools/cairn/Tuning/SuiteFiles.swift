// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Manifests
import SystemIO
import TuningSuites

extension SuiteSources {
  /// Files as they are, and the published databases of manifests.
  static let pipeline = SuiteSources { path throws(CairnError) in
    let manifest = try Manifest.load(path)
    return manifest.regions.map { region in
      ManifestDatabase(
        region: region.id,
        database: joinPath(
          manifest.output, "\(region.id)/\(manifest.databaseStem(of: region)).routing.db"),
        elevation: manifest.elevation(of: region).map { $0.path(for: region) })
    }
  }
}
