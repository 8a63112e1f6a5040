// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Glibc
import Manifests
import ResultStore
import SystemIO

/// The earlier bundles, and those that are held back.
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
    guard keepPrevious > 0, let record = BundleRecord(inFolder: folder), try !isRolledBack(record)
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

  /// The bundle of a region that is held back; nil if none is. Throws 65 if that cannot be read.
  package func held(_ id: String) throws(CairnError) -> HeldBundle? {
    let path = rejectionPath(id)
    guard nameExists(path) else { return nil }
    guard let held = HeldBundle(path) else {
      throw CairnError(
        "damaged-record", .dataError,
        "is damaged; cannot tell which bundle of \(id) is held back",
        at: Location(file: path),
        hint: "cairn rollback --undo MANIFEST \(id) lets the next run publish what its "
          + "inputs give")
    }
    return held
  }

  /// Whether a bundle was rolled back. Throws 65 if that cannot be read.
  private func isRolledBack(_ record: BundleRecord) throws(CairnError) -> Bool {
    guard let held = try held(record.id), held.drift == nil else { return false }
    return held.bundle.isSame(as: record)
  }

  /// Whether a region's bundle was rolled back, and no other one was published since.
  package func isRolledBack(_ id: String) -> Bool {
    guard let held = HeldBundle(rejectionPath(id)), held.drift == nil else { return false }
    return index.published(id)?.isSame(as: held.bundle) != true
  }

  /// Holds a bundle back that drift refused, also in later runs. If it is held back already, it still
  /// is since then.
  package func hold(_ bundle: HeldBundle) throws {
    var bundle = bundle
    if let held = HeldBundle(rejectionPath(bundle.bundle.id)),
      held.drift?.limit == bundle.drift?.limit, held.bundle.isSame(as: bundle.bundle)
    {
      bundle.since = held.since
    }
    try write(bundle)
  }

  /// Judges a bundle anew that drift refused.
  package func forgetDrift(_ id: String) {
    if HeldBundle(rejectionPath(id))?.drift != nil { accept(id) }
  }

  private func write(_ held: HeldBundle) throws {
    let path = rejectionPath(held.bundle.id)
    try files.write(try encodeJSON(held), to: path)
    try syncFile(path)
    try syncFolder(store.rejected)
  }

  /// Holds no bundle of a region back any longer. Returns whether one was.
  @discardableResult
  package func accept(_ id: String) -> Bool { unlink(rejectionPath(id)) == 0 }

  /// Publishes the bundle of a region before the current one, and holds the current one back until
  /// its inputs change. Returns the record of the bundle.
  ///
  /// Throws 66 if there is none, and the errors of reading one, which is kept: it need not be
  /// damaged.
  ///
  /// - Parameter time: The present time, in seconds since 1970.
  package func rollBack(_ id: String, of manifest: Manifest, time: Int?) throws -> BundleRecord {
    let candidates = folders(id).reversed()
    for candidate in candidates {
      // A run killed before removing rolled-back bundles may have left them, or parts of them,
      // here.
      guard let record = BundleRecord(inFolder: candidate), try flaw(of: record, candidate) == nil
      else {
        _ = try files.discard(candidate, id: id)
        continue
      }
      if let present = index.published(id) {
        try write(HeldBundle(present, time: time))
      }
      let entry = index.entry(
        record, RegionRecord(inFolder: candidate), of: manifest.name, .stale,
        HeldBundle.rolledBackReason)
      try index.publish(id, as: entry, of: manifest) { try files.swap(candidate, index.folder(id)) }
      _ = try files.discard(candidate, id: id)
      return record
    }
    throw CairnError(
      "no-previous", .noInput, "has no earlier bundle of \(id)", at: Location(file: index.output),
      hint: "set how many to keep with cairn run --keep-previous N")
  }

  /// Why a rollback passes over an earlier bundle; nil if it does not. Throws the errors of reading it.
  package func flaw(of record: BundleRecord, _ folder: String) throws -> String? {
    if try isRolledBack(record) { return "rolled back" }
    return try files.isWhole(folder, record) ? nil : "damaged"
  }

  /// The earlier bundles of a region, the latest last.
  package func folders(_ id: String) -> [String] {
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
