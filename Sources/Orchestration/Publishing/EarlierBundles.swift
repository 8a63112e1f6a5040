// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Glibc
import Manifests
import ResultStore
import SystemIO

/// The earlier bundles, and those that were rolled back.
package struct EarlierBundles: Sendable {
  let index: PublishedIndex
  let files: BundleFiles
  /// The number of earlier bundles of a region to keep.
  let keepPrevious: Int

  private var store: ActionStore { files.store }

  /// Moves a replaced bundle to the place for rollbacks, and removes those beyond the number to
  /// keep. A damaged one is removed. Returns a note if it was, or contained foreign files.
  ///
  /// - Parameter isPruning: Whether bundles beyond that number are removed.
  func retire(_ folder: String, id: String, isPruning: Bool = true) throws -> String? {
    guard nameExists(folder), !removeLink(folder) else { return nil }
    guard keepPrevious > 0, let record = BundleRecord(inFolder: folder), try !isRejected(record)
    else {
      return try files.discard(folder, id: id)
    }
    guard try files.isWhole(folder, record) else {
      // It would push out an earlier one, and could not be published again.
      let note = try files.discard(folder, id: id)
      let damage = "its bundle was damaged and is not kept for a rollback"
      return note.map { "\(damage); \($0)" } ?? damage
    }
    let note = try files.moveForeignFiles(folder, id: id)
    removeLink(home(id))
    try makeOwnFolder(store.previous)
    try makeOwnFolder(home(id))
    let numbers = store.previousNumbers(id)
    try files.move(folder, to: joinPath(home(id), "\((numbers.last ?? 0) + 1)"))
    for number in isPruning ? numbers.dropLast(keepPrevious - 1) : [] {
      _ = try files.discard(joinPath(home(id), "\(number)"), id: id)
    }
    return note
  }

  /// Whether a bundle was rolled back. Throws 65 if that cannot be read.
  package func isRejected(_ record: BundleRecord) throws(CairnError) -> Bool {
    let path = rejectionPath(record.id)
    guard nameExists(path) else { return false }
    guard let rejected = BundleRecord(path) else {
      throw CairnError(
        "damaged-record", .dataError,
        "is damaged; cannot tell which bundle of \(record.id) was rolled back",
        at: Location(file: path),
        hint: "cairn rollback --undo MANIFEST \(record.id) lets the next run publish what its "
          + "inputs give")
    }
    return rejected.isSame(as: record)
  }

  /// Whether a region's bundle was rolled back, and no other one was published since.
  package func isHeld(_ id: String) -> Bool {
    guard let rejected = BundleRecord(rejectionPath(id)) else { return false }
    return index.published(id)?.isSame(as: rejected) != true
  }

  /// Clears the rollback of a region's bundle. Returns whether there was one.
  @discardableResult
  package func accept(_ id: String) -> Bool { unlink(rejectionPath(id)) == 0 }

  /// Publishes the bundle of a region before the current one, and holds the current one back until
  /// its inputs change. Returns the record of the bundle.
  ///
  /// Throws 66 if there is none, and the errors of reading one, which is kept: it need not be
  /// damaged.
  package func rollBack(_ id: String, of manifest: Manifest) throws -> BundleRecord {
    let candidates = folders(id).reversed()
    for candidate in candidates {
      // A run killed before removing rolled-back bundles may have left them, or parts of them,
      // here.
      guard let record = BundleRecord(inFolder: candidate), try !isRejected(record),
        try files.isWhole(candidate, record)
      else {
        _ = try files.discard(candidate, id: id)
        continue
      }
      if let present = index.published(id) {
        try files.write(try encodeJSON(present), to: rejectionPath(id))
        try syncFile(rejectionPath(id))
        try syncFolder(store.rejected)
      }
      let entry = index.entry(
        record, RegionRecord(inFolder: candidate), of: manifest.name, .stale,
        PublishedIndex.heldReason)
      try index.publish(id, as: entry, of: manifest) { try files.swap(candidate, index.folder(id)) }
      _ = try files.discard(candidate, id: id)
      return record
    }
    throw CairnError(
      "no-previous", .noInput, "has no earlier bundle of \(id)", at: Location(file: index.output),
      hint: "set how many to keep with cairn run --keep-previous N")
  }

  /// The earlier bundles of a region, the latest last.
  func folders(_ id: String) -> [String] {
    store.previousNumbers(id).map { joinPath(home(id), "\($0)") }
  }

  /// The folder of the earlier bundles of a region, which are in folders with ascending numbers.
  private func home(_ id: String) -> String { joinPath(store.previous, id) }

  private func rejectionPath(_ id: String) -> String { joinPath(store.rejected, "\(id).json") }
}

extension ActionStore {
  /// The numbers of a region's earlier bundles, the latest last.
  package func previousNumbers(_ id: String) -> [Int] {
    let home = joinPath(previous, id)
    guard isRealFolder(previous), isRealFolder(home) else { return [] }
    return ((try? folderContents(home)) ?? []).compactMap { Int($0) }
      .filter { number in
        let folder = joinPath(home, "\(number)")
        return isRealFolder(folder) && pathExists(joinPath(folder, BundleRecord.fileName))
      }.sorted()
  }
}
