// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import OSMInput
import Synchronization
import SystemIO

/// The shapes of regions in files, each file read once in a run.
package final class RegionShapes: Sendable {
  private struct State {
    var regions: [String: Result<Region, CairnError>] = [:]
    var collections: [String: Result<RegionFeatures, CairnError>] = [:]
    var digests: [String: String] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// The region of a file, or of one of its features, counted from 1.
  ///
  /// Throws 66 if the file cannot be read and 65 if it contains no such region.
  package func region(_ path: String, feature: Int?) throws(CairnError) -> Region {
    let name = feature.map { "\(path)#\($0)" } ?? path
    return try state.withLock { state -> Result<Region, CairnError> in
      if let known = state.regions[name] { return known }
      if state.digests[path] == nil { state.digests[path] = try? SHA256Digest.ofFile(path) }
      let region = Result { () throws(CairnError) -> Region in
        guard let feature else { return try RegionFile.read(path) }
        let collection =
          state.collections[path] ?? Result { () throws(CairnError) in try RegionFeatures(path) }
        state.collections[path] = collection
        return try collection.get().region(feature)
      }
      state.regions[name] = region
      return region
    }.get()
  }

  /// The digest of a file when it was first read; nil if it has not been read.
  package func digest(ofFile path: String) -> String? { state.withLock { $0.digests[path] } }

  /// The box around a shape.
  package func extent(_ shape: Manifest.Shape) throws(CairnError) -> BoundingBox {
    switch shape {
    case .box(let box): box
    case .polygon(let path): try region(path, feature: nil).extent
    case .feature(let path, let number): try region(path, feature: number).extent
    }
  }
}
