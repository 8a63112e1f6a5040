// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// The output folder of a manifest: the bundles in it, and what `.cairn` keeps of earlier runs.
///
/// Opening it writes nothing.
struct OutputFolder: Sendable {
  let path: String
  let store: ActionStore
  let digests: DigestCache
  /// The shapes of the manifest's regions, which what is made depends on.
  let shapes = RegionShapes()

  /// Opens the output folder of a manifest, which need not exist.
  ///
  /// - Parameter isParanoid: Whether files and results are read again instead of trusting what is
  ///   known about them.
  init(_ manifest: Manifest, isParanoid: Bool = false) {
    path = manifest.output
    let root = Self.storeRoot(manifest)
    digests = DigestCache(ActionStore(root: root).digestsPath, isTrusted: !isParanoid)
    store = ActionStore(root: root, isParanoid: isParanoid, digests: digests)
  }

  /// The root of the store in the output folder of a manifest.
  static func storeRoot(_ manifest: Manifest) -> String { joinPath(manifest.output, ".cairn") }

  /// Whether a run has ever written to it.
  var exists: Bool { pathExists(store.root) }

  /// Reserves the folder for this process as long as the lock lives.
  ///
  /// Throws 75 if another process has it, and 73 or 74 if it cannot be written.
  func lock() throws -> FileLock {
    try store.prepare()
    return try FileLock(store.lockPath)
  }

  /// What earlier runs took, as recorded.
  func history() -> RunHistory { RunHistory(store.historyPath) }

  /// What publishes bundles in it.
  ///
  /// - Parameters:
  ///   - keepPrevious: How many earlier bundles of a region are kept.
  ///   - regionsWithAcceptedDrift: The regions that are published however much they differ from
  ///     what is published now.
  func publisher(keepPrevious: Int = 1, regionsWithAcceptedDrift: Set<String> = []) -> Publisher {
    Publisher(
      output: path, store: store, digests: digests, shapes: shapes, keepPrevious: keepPrevious,
      regionsWithAcceptedDrift: regionsWithAcceptedDrift)
  }

  /// What finds out on what actions depend.
  func resolver(_ programs: StagePrograms, sourceDateEpoch: String?) -> ActionResolver {
    ActionResolver(
      programs: programs, digests: digests, sourceDateEpoch: sourceDateEpoch, shapes: shapes)
  }
}
