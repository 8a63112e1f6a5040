import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

extension Publisher {
  /// Where the earlier bundles of a region lie, in folders with ascending numbers.
  private func home(_ id: String) -> String { joinPath(store.previous, id) }

  private func rejectionPath(_ id: String) -> String { joinPath(store.rejected, "\(id).json") }

  /// The numbers of a region's earlier bundles, the latest last.
  private func previousNumbers(_ id: String) -> [Int] {
    store.previousNumbers(id)
  }

  /// Puts a bundle that was replaced where a rollback finds it, and removes those that are too
  /// many. Returns a note if files of somebody else's were found in it.
  func retire(_ folder: String, id: String) throws -> String? {
    guard pathExists(folder) else { return nil }
    guard keepPrevious > 0, let record = BundleRecord(inFolder: folder), !isRejected(record) else {
      return try discard(folder, id: id)
    }
    let note = try moveStrangers(folder, id: id)
    try makeFolders(home(id))
    let numbers = previousNumbers(id)
    try renamePath(folder, to: joinPath(home(id), "\((numbers.last ?? 0) + 1)"))
    for number in numbers.dropLast(keepPrevious - 1) {
      _ = try discard(joinPath(home(id), "\(number)"), id: id)
    }
    return note
  }

  /// Removes a folder that held a bundle or the beginnings of one, file by file, so that nothing
  /// of anybody else's goes. Returns a note if something is left; that is kept elsewhere.
  func discard(_ folder: String, id: String) throws -> String? {
    guard pathExists(folder) else { return nil }
    let note = try moveStrangers(folder, id: id)
    // The record last: by it what is left is known to be ours.
    let names = try folderContents(folder).filter { $0 != BundleRecord.fileName }
    for name in names + [BundleRecord.fileName] { unlink(joinPath(folder, name)) }
    guard rmdir(folder) == 0 else { throw systemFailure(folder, "remove") }
    return note
  }

  /// Moves what is not part of a bundle out of its folder. Returns a note on it.
  private func moveStrangers(_ folder: String, id: String) throws -> String? {
    let ours: Set<String> = [
      "\(id).routing.db", RegionRecord.fileName, BundleRecord.fileName,
    ]
    let files = ours.union(BundleRecord(inFolder: folder)?.files.keys.map { $0 } ?? [])
    let target = try store.moveStrangers(folder, named: id) {
      files.contains($0) || isTemporary($0)
    }
    return target.map {
      "files in its folder that are not part of the bundle were moved to \($0)"
    }
  }

  /// Whether a bundle was rolled back.
  func isRejected(_ record: BundleRecord) -> Bool {
    BundleRecord(rejectionPath(record.id)) == record
  }

  /// Whether a region's bundle was rolled back, and no other one was published since.
  func isHeld(_ id: String) -> Bool {
    guard let rejected = BundleRecord(rejectionPath(id)) else { return false }
    return published(id) != rejected
  }

  /// Forgets that a bundle of a region was rolled back. Returns whether one was.
  @discardableResult
  func accept(_ id: String) -> Bool { unlink(rejectionPath(id)) == 0 }

  /// Publishes the bundle of a region that was published before the present one, which is not
  /// published again until the inputs change. Returns its record.
  ///
  /// Throws 66 if there is none.
  func rollBack(_ id: String) throws -> BundleRecord {
    let candidates = previousNumbers(id).reversed().map { joinPath(home(id), "\($0)") }
    for candidate in candidates {
      // Where a kill kept it from being removed, one lies here that was rolled back, or what is
      // left of one.
      guard let record = BundleRecord(inFolder: candidate), !isRejected(record),
        isWhole(candidate, record)
      else {
        _ = try discard(candidate, id: id)
        continue
      }
      if let present = published(id) {
        try write(try encodeJSON(present), to: rejectionPath(id))
      }
      try swap(candidate, folder(id))
      try syncFolder(output)
      _ = try discard(candidate, id: id)
      return record
    }
    throw CairnError(
      "no-previous", .noInput, "has no earlier bundle of \(id)", at: Location(file: output),
      hint: "cairn run --keep-previous N says how many are kept")
  }

  /// Clears away what a run left that was killed while it published. Nothing of that is needed,
  /// except where the file system cannot exchange two folders.
  func recover() {
    for name in (try? folderContents(store.staging)) ?? [] {
      let path = joinPath(store.staging, name)
      let id = name.hasSuffix(".old") ? String(name.dropLast(4)) : name
      if name.hasSuffix(".old"), !pathExists(folder(id)), BundleRecord(inFolder: path) != nil {
        try? renamePath(path, to: folder(id))
      } else if BundleRecord(inFolder: path) != nil || isBeginning(path) {
        _ = try? discard(path, id: id)
      } else if name == IndexRecord.fileName || isTemporary(name) {
        unlink(path)
      }
    }
  }

  /// Whether a folder has nothing but the beginnings of a bundle's first file.
  private func isBeginning(_ folder: String) -> Bool {
    (try? folderContents(folder))?.allSatisfy(isTemporary) ?? false
  }

  private func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }
}

extension ActionStore {
  /// The numbers of a region's earlier bundles, the latest last.
  func previousNumbers(_ id: String) -> [Int] {
    let home = joinPath(previous, id)
    return ((try? folderContents(home)) ?? []).compactMap { Int($0) }
      .filter { pathExists(joinPath(home, "\($0)/\(BundleRecord.fileName)")) }.sorted()
  }
}
