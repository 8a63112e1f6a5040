// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CLinux
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Glibc
import ResultStore
import SystemIO

/// Writes, moves, exchanges and removes the files of bundles, and nothing else in their folders.
package struct BundleFiles: Sendable {
  let store: ActionStore
  let digests: DigestCache

  /// Writes a file that is flushed later.
  package func write(_ bytes: [UInt8], to path: String) throws(CairnError) {
    try AtomicOutput.write(bytes, to: path, flushing: false) { _ in true }
  }

  /// Gives a result a name in a bundle, without copying it if it may be shared and the file system
  /// can do that. Throws 74 if it has changed since its stage wrote it.
  package func place(_ product: FinishedAction.Product, at target: String, isShared: Bool) throws {
    guard isShared, isRealFile(product.path),
      try digests.digest(ofFile: product.path) == product.record.sha256
    else {
      return try copyFile(product.path, to: target, checking: product.record.sha256)
    }
    if linkFile(product.path, to: target) {
      // Only its status has changed.
      digests.remember(product.record.sha256, ofFile: target, isFlushed: false)
    } else {
      try copyFile(product.path, to: target, checking: product.record.sha256)
    }
  }

  /// Copies a file. Throws 74 if the content does not match a given digest, since it has changed
  /// since its stage wrote it.
  func copyFile(_ path: String, to target: String, checking sum: String? = nil) throws {
    let output = try AtomicOutput(target) { _ in true }
    let digest = SHA256Digest()
    // Nothing of a bundle being moved is left out.
    try output.write(contentOf: path, addingTo: digest, isWhole: sum == nil)
    let copied = digest.finish()
    guard copied == sum ?? copied else {
      throw CairnError(
        .inputOutput, .ioError, "has changed since the stage wrote it",
        at: Location(file: path), hint: "rebuild it with --force")
    }
    try output.commit(flushing: false)
  }

  /// Waits until all files of a folder are on the disk, and their names.
  func flush(_ folder: String) throws {
    for name in try folderContents(folder) { try syncFile(joinPath(folder, name)) }
    try syncFolder(folder)
  }

  /// Whether a folder contains all files of a bundle, unchanged. Throws if one cannot be read, so
  /// that its state is unknown.
  package func isWhole(_ folder: String, _ record: BundleRecord) throws -> Bool {
    try record.files.allSatisfy { name, record in
      let path = joinPath(folder, name)
      return try isFile(path, ofBytes: record.bytes)
        && digests.digest(ofFile: path) == record.sha256
    }
  }

  /// Exchanges two folders, or renames the first one if the second one does not exist.
  package func swap(_ staged: String, _ folder: String) throws {
    guard pathExists(folder) else {
      try move(staged, to: folder)
      return
    }
    if cairn_exchange_paths(staged, folder) == 0 { return }
    guard Self.cannotExchange.contains(errno) else { throw systemFailure(folder, "replace") }
    try replace(folder, with: staged)
  }

  /// The errors of file systems that cannot exchange two folders: old and network ones, overlays of
  /// containers, and mounts.
  private static let cannotExchange = [EINVAL, ENOSYS, ENOTSUP, EPERM, EXDEV]

  /// The suffix of a replaced bundle in the staging folder.
  static let oldSuffix = ".old"

  /// Exchanges two folders in three steps. The region is missing for an instant; if the run is
  /// killed then, the next one repairs it.
  func replace(_ folder: String, with staged: String) throws {
    let id = splitPath(folder).name
    let old = joinPath(store.staging, id + Self.oldSuffix)
    _ = try discard(old, id: id)
    try move(folder, to: old)
    do { try move(staged, to: folder) } catch {
      try move(old, to: folder)
      throw error
    }
    try move(old, to: staged)
  }

  /// Renames the folder of a bundle, or copies it if the file system cannot rename it there: from
  /// one mount to another, or out of a lower layer of an overlay.
  ///
  /// A copy gets its final name when it is complete; the folder is removed afterwards.
  func move(_ folder: String, to target: String) throws {
    var isElsewhere = false
    do throws(CairnError) {
      try retrying({ rename(folder, target) }) { code in
        isElsewhere = code == EXDEV
        return systemFailure(target, "rename to")
      }
    } catch {
      guard isElsewhere else { throw error }
      let (parent, name) = splitPath(target)
      let copied = joinPath(parent, ".\(name).moving.tmp")
      // A run that was killed here left it.
      _ = try discard(copied, id: name)
      let names = try folderContents(folder)
      // Links and folders in it are not Cairn's.
      guard names.allSatisfy({ isRealFile(joinPath(folder, $0)) }) else { throw error }
      try makeOwnFolder(copied)
      // The record first, since it identifies the rest as Cairn's.
      let ordered =
        names.filter { $0 == BundleRecord.fileName } + names.filter { $0 != BundleRecord.fileName }
      for name in ordered {
        try copyFile(joinPath(folder, name), to: joinPath(copied, name))
      }
      for name in ordered { try syncFile(joinPath(copied, name)) }
      try syncFolder(copied)
      try renamePath(copied, to: target)
      try syncFolder(parent)
      for name in ordered.reversed() { unlink(joinPath(folder, name)) }
      rmdir(folder)
    }
  }

  /// Removes a folder with a bundle or part of one, file by file, so that no other file is lost.
  /// Returns a note if there were other files, which are kept elsewhere.
  ///
  /// - Parameter files: The files of the bundle if its record cannot be read.
  package func discard(
    _ folder: String, id: String, otherwise files: [String: FileRecord]? = nil
  ) throws -> String? {
    guard nameExists(folder), !removeLink(folder) else { return nil }
    let note = try moveForeignFiles(folder, id: id, otherwise: files)
    // The record last, since it identifies the rest as Cairn's.
    let names = try folderContents(folder).filter { $0 != BundleRecord.fileName }
    for name in names + [BundleRecord.fileName] { unlink(joinPath(folder, name)) }
    guard rmdir(folder) == 0 else { throw systemFailure(folder, "remove") }
    return note
  }

  /// Moves what Cairn did not make out of a bundle's folder. Returns a note about it.
  func moveForeignFiles(
    _ folder: String, id: String, otherwise files: [String: FileRecord]? = nil
  ) throws -> String? {
    let record = BundleRecord(inFolder: folder)
    let recorded = record?.files ?? files ?? [:]
    let target = try store.moveForeignFiles(folder, named: id) { name in
      name == BundleRecord.fileName
        ? record != nil : isTemporary(name) || isOurs(name, in: folder, recorded[name], id: id)
    }
    return target.map { "files in its folder that are not Cairn's were moved to \($0)" }
  }

  /// Whether a file of a bundle's folder is what the record names, or a damaged file of Cairn's
  /// under such a name. A user's file, folder or link may have taken the name.
  private func isOurs(_ name: String, in folder: String, _ recorded: FileRecord?, id: String)
    -> Bool
  {
    let path = joinPath(folder, name)
    guard isRealFile(path) else { return false }
    if name == RegionRecord.fileName, RegionRecord(inFolder: folder) != nil { return true }
    guard recorded != nil || name == "\(id).routing.db" else { return false }
    do {
      let file = try InputFile(path)
      if isCairnDatabase(name, head: try file.read(0..<min(128, file.size))) { return true }
    } catch {
      // It cannot be read, so it is kept.
      return false
    }
    return recorded.map { isRecorded(path, $0) } ?? false
  }

  /// Whether a file is what a record says; false if it cannot be read.
  func isRecorded(_ path: String, _ record: FileRecord) -> Bool {
    do {
      return try isRealFile(path) && isFile(path, ofBytes: record.bytes)
        && digests.digest(ofFile: path) == record.sha256
    } catch { return false }
  }

  func isTemporary(_ name: String) -> Bool { AtomicOutput.finalName(ofTemporary: name) != nil }
}
