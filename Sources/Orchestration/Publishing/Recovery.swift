// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Glibc
import SystemIO

/// The remains of a run killed while publishing: folders under `.cairn/staging` not yet exchanged
/// or with the previous bundle, and the next index.
extension Publisher {
  /// Cleans up after a run killed while publishing. A bundle that it had replaced is kept for a
  /// rollback; the rest is not needed, unless the file system cannot exchange two folders.
  ///
  /// - Parameter report: Called with what a user should know about a region. What cannot be settled
  ///   stays for the next run.
  package func recover(report: (_ id: String, _ message: String) -> Void) {
    // A bundle that was not yet published comes before the one that it was to replace.
    for name in ((try? folderContents(files.store.staging)) ?? []).sorted() {
      let path = joinPath(files.store.staging, name)
      // A link under the name of a region is removed when its bundle is assembled.
      guard isRealFolder(path) || files.isTemporary(name) else { continue }
      let isOld = name.hasSuffix(BundleFiles.oldSuffix)
      let id = isOld ? String(name.dropLast(BundleFiles.oldSuffix.count)) : name
      do {
        if BundleRecord(inFolder: path) != nil {
          if isOld, !pathExists(index.folder(id)) {
            try files.move(path, to: index.folder(id))
          } else if let note = try settle(path, id: id) {
            report(id, note)
          }
        } else if isUnfinished(path) {
          _ = try files.discard(path, id: id)
        } else if files.isTemporary(name) {
          unlink(path)
        }
      } catch { report(id, asCairnError(error).description) }
    }
    index.recover()
    do { try index.complete() } catch {
      report(IndexRecord.fileName, asCairnError(error).description)
    }
  }

  /// Empties a region's place in the staging folder, and returns its path.
  func emptyStaging(_ id: String) throws -> String {
    let staged = joinPath(files.store.staging, id)
    for path in [staged, staged + BundleFiles.oldSuffix] { _ = try settle(path, id: id) }
    return staged
  }

  /// Removes a staged bundle, or keeps it for a rollback if it was published and has been replaced.
  /// Returns a note if there were foreign files.
  private func settle(_ staged: String, id: String) throws -> String? {
    let old = joinPath(files.store.staging, id + BundleFiles.oldSuffix)
    guard let record = BundleRecord(inFolder: staged), let present = index.published(id),
      !present.isSame(as: record), staged == old || index.names(staged, record)
    else { return try files.discard(staged, id: id) }
    // Under this name a later run knows it, whatever the index says by then.
    if staged != old { try renamePath(staged, to: old) }
    earlier.accept(id)
    return try earlier.retire(old, id: id, isPruning: false)
  }

  /// Whether a folder contains only unfinished files.
  private func isUnfinished(_ folder: String) -> Bool {
    (try? folderContents(folder))?.allSatisfy(files.isTemporary) ?? false
  }
}

extension PublishedIndex {
  /// Writes a damaged `index.json` again, from the copy that the last run kept and the records of the
  /// bundles. The damaged file is moved to the folder for foreign files.
  ///
  /// Without a copy, or if no bundle of it is published, the file may be somebody's and stays.
  ///
  /// - Parameter report: Called with a note of what was done.
  package func mend(report: (String) -> Void) throws {
    guard let copy = copyOfDamaged() else { return }
    let path = joinPath(output, IndexRecord.fileName)
    let staged = try stage(copy)
    let kept = try store.keep(path)
    try renamePath(staged, to: path)
    try syncFolder(output)
    report("\(IndexRecord.fileName) was damaged and is written again; it was moved to \(kept)")
  }

  /// The copy of a damaged `index.json`; nil if the file is none of Cairn's, as far as can be told, or is
  /// not damaged.
  func copyOfDamaged() -> IndexRecord? {
    guard isRealFile(joinPath(output, IndexRecord.fileName)), IndexRecord(inFolder: output) == nil,
      let copy = IndexRecord(inFolder: store.published),
      copy.regions.contains(where: { isPublished($0) })
    else { return nil }
    return copy
  }

  /// Writes an index with the bundles as they are now to the staging folder. Returns its path.
  private func stage(_ known: IndexRecord) throws -> String {
    let regions = known.regions.map { described($0) }.filter { $0.files != nil }
    let staged = joinPath(store.staging, IndexRecord.fileName)
    try AtomicOutput.write(
      try encodeJSON(IndexRecord(regions: regions, of: known.name)), to: staged, flushing: true
    ) { _ in true }
    return staged
  }

  /// Brings the index up to date if a run was killed that had published bundles since it wrote it.
  fileprivate func complete() throws {
    guard nameExists(outdatedMark), let known = IndexRecord(inFolder: output) else { return }
    try renamePath(try stage(known), to: joinPath(output, IndexRecord.fileName))
    try syncFolder(output)
    unlink(outdatedMark)
  }

  /// Whether `index.json` still names a bundle that is not the published one: a run was killed
  /// after it had replaced the bundle.
  fileprivate func names(_ staged: String, _ record: BundleRecord) -> Bool {
    func differences(_ record: BundleRecord, _ folder: String) -> [String]? {
      IndexRecord(inFolder: output)?.regions.first { $0.id == record.id }?
        .differences(from: record, RegionRecord(inFolder: folder))
    }
    guard let present = published(record.id) else { return false }
    return differences(record, staged) == [] && differences(present, folder(record.id)) != []
  }

  /// Finishes the work of a run killed between publishing a bundle and updating the index.
  func recover() {
    let staged = joinPath(store.staging, IndexRecord.fileName)
    guard let next = IndexRecord(inFolder: store.staging) else {
      unlink(staged)
      return
    }
    let isDone = next.isTrue(of: output, insteadOf: IndexRecord(inFolder: output))
    // Otherwise the change has not happened; the end of this run writes the index anyway.
    if !isDone || rename(staged, joinPath(output, IndexRecord.fileName)) != 0 { unlink(staged) }
  }
}
