// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests
import ResultStore
import SystemIO

/// The output folder of a manifest: its bundles, and the records of earlier runs in `.cairn`.
///
/// Opening it writes nothing.
package struct OutputFolder: Sendable {
  package let path: String
  package let store: ActionStore
  package let digests: DigestCache
  /// The shapes of the manifest's regions.
  package let shapes = RegionShapes()

  /// Opens the output folder of a manifest, which need not exist.
  ///
  /// - Parameter isParanoid: Whether files and results are read again instead of trusting recorded
  ///   information.
  package init(_ manifest: Manifest, isParanoid: Bool = false) {
    path = manifest.output
    var store = ActionStore(ofOutput: path)
    digests = DigestCache(store.digestsPath, isTrusted: !isParanoid)
    (store.isParanoid, store.digests) = (isParanoid, digests)
    self.store = store
  }

  /// Whether a run has ever written to it.
  package var exists: Bool { pathExists(store.root) }

  /// Reserves the folder for this process while the lock exists.
  ///
  /// Throws 75 if another process has it, and 73 or 74 if it cannot be written.
  package func lock() throws -> FileLock {
    try store.prepare()
    return try FileLock(store.lockPath)
  }

  /// The recorded resource use of earlier runs.
  package func history() -> RunHistory { RunHistory(store.historyPath) }

  /// Makes the resolver of actions.
  package func resolver(_ programs: StagePrograms, sourceDateEpoch: String?) -> ActionResolver {
    ActionResolver(
      programs: programs, digests: digests, sourceDateEpoch: sourceDateEpoch, shapes: shapes)
  }
}
