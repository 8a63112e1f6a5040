// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Glibc
import SystemIO

extension Publisher {
  /// The folder of the earlier bundles of a region, which are in folders with ascending numbers.
  private func home(_ id: String) -> String { joinPath(store.previous, id) }

  private func rejectionPath(_ id: String) -> String { joinPath(store.rejected, "\(id).json") }

  /// The numbers of a region's earlier bundles, the latest last.
  private func previousNumbers(_ id: String) -> [Int] {
    store.previousNumbers(id)
  }

  /// Moves a replaced bundle to where a rollback finds it, and removes those beyond the number that
  /// is kept. Returns a note if it contained files that are not Cairn's.
  func retire(_ folder: String, id: String) throws -> String? {
    guard nameExists(folder), !removeLink(folder) else { return nil }
    guard keepPrevious > 0, let record = BundleRecord(inFolder: folder), try !isRejected(record)
    else {
      return try discard(folder, id: id)
    }
    let note = try moveForeignFiles(folder, id: id)
    removeLink(home(id))
    try makeOwnFolder(store.previous)
    try makeOwnFolder(home(id))
    let numbers = previousNumbers(id)
    try moveBundle(folder, to: joinPath(home(id), "\((numbers.last ?? 0) + 1)"))
    for number in numbers.dropLast(keepPrevious - 1) {
      _ = try discard(joinPath(home(id), "\(number)"), id: id)
    }
    return note
  }

  /// Removes a folder that contained a bundle or a part of one, file by file, so that no other file
  /// is lost. Returns a note if there were other files; these are kept elsewhere.
  func discard(_ folder: String, id: String) throws -> String? {
    guard nameExists(folder), !removeLink(folder) else { return nil }
    let note = try moveForeignFiles(folder, id: id)
    // The record last: by it the rest is known to be Cairn's.
    let names = try folderContents(folder).filter { $0 != BundleRecord.fileName }
    for name in names + [BundleRecord.fileName] { unlink(joinPath(folder, name)) }
    guard rmdir(folder) == 0 else { throw systemFailure(folder, "remove") }
    return note
  }

  /// Moves what is not part of a bundle out of its folder. Returns a note about it.
  private func moveForeignFiles(_ folder: String, id: String) throws -> String? {
    let ours: Set<String> = [
      "\(id).routing.db", RegionRecord.fileName, BundleRecord.fileName,
    ]
    let files = ours.union(BundleRecord(inFolder: folder)?.files.keys.map { $0 } ?? [])
    let target = try store.moveForeignFiles(folder, named: id) {
      files.contains($0) || isTemporary($0)
    }
    return target.map {
      "files in its folder that are not part of the bundle were moved to \($0)"
    }
  }

  /// Takes away what is published of a region that left the manifest. Returns a note if there were
  /// files in its folder that are not Cairn's; these are kept elsewhere.
  func withdraw(_ id: String, of manifest: Manifest) throws -> String? {
    let staged = joinPath(store.staging, id)
    _ = try discard(staged, id: id)
    try publish(id, as: nil, of: manifest) { try moveBundle(folder(id), to: staged) }
    return try discard(staged, id: id)
  }

  /// Whether a bundle was rolled back. Throws 65 if that cannot be read.
  func isRejected(_ record: BundleRecord) throws(CairnError) -> Bool {
    let path = rejectionPath(record.id)
    guard nameExists(path) else { return false }
    guard let rejected = BundleRecord(path) else {
      throw CairnError(
        "damaged-record", .dataError,
        "is damaged, so it is not known which bundle of \(record.id) was rolled back",
        at: Location(file: path),
        hint: "cairn rollback --undo MANIFEST \(record.id) lets the next run publish what its "
          + "inputs give")
    }
    return rejected.isSame(as: record)
  }

  /// Whether a region's bundle was rolled back, and no other one was published since.
  func isHeld(_ id: String) -> Bool {
    guard let rejected = BundleRecord(rejectionPath(id)) else { return false }
    return published(id)?.isSame(as: rejected) != true
  }

  /// Forgets that a bundle of a region was rolled back. Returns whether one was.
  @discardableResult
  func accept(_ id: String) -> Bool { unlink(rejectionPath(id)) == 0 }

  /// Publishes the bundle of a region that was published before the present one, and holds that one
  /// back until its inputs change. Returns the record of the bundle.
  ///
  /// Throws 66 if there is none.
  func rollBack(_ id: String, of manifest: Manifest) throws -> BundleRecord {
    let candidates = previousNumbers(id).reversed().map { joinPath(home(id), "\($0)") }
    for candidate in candidates {
      // If a run was killed before it removed them, bundles that were rolled back, or parts of them,
      // are still here.
      guard let record = BundleRecord(inFolder: candidate), try !isRejected(record),
        isWhole(candidate, record)
      else {
        _ = try discard(candidate, id: id)
        continue
      }
      if let present = published(id) {
        try write(try encodeJSON(present), to: rejectionPath(id))
        try syncFile(rejectionPath(id))
        try syncFolder(store.rejected)
      }
      let entry = self.entry(
        record, RegionRecord(inFolder: candidate), of: manifest.name, .stale, Self.heldReason)
      try publish(id, as: entry, of: manifest) { try swap(candidate, folder(id)) }
      _ = try discard(candidate, id: id)
      return record
    }
    throw CairnError(
      "no-previous", .noInput, "has no earlier bundle of \(id)", at: Location(file: output),
      hint: "cairn run --keep-previous N sets how many are kept")
  }

  /// Removes what a run left that was killed while it published. Nothing of that is needed, except
  /// where the file system cannot exchange two folders.
  func recover() {
    for name in (try? folderContents(store.staging)) ?? [] {
      let path = joinPath(store.staging, name)
      // A link under the name of a region is removed when its bundle is assembled.
      guard isRealFolder(path) || isTemporary(name) else { continue }
      let id = name.hasSuffix(".old") ? String(name.dropLast(4)) : name
      if name.hasSuffix(".old"), !pathExists(folder(id)), BundleRecord(inFolder: path) != nil {
        try? moveBundle(path, to: folder(id))
      } else if BundleRecord(inFolder: path) != nil || isUnfinished(path) {
        _ = try? discard(path, id: id)
      } else if isTemporary(name) {
        unlink(path)
      }
    }
    recoverIndex()
  }

  /// Whether a folder contains nothing but unfinished files.
  private func isUnfinished(_ folder: String) -> Bool {
    (try? folderContents(folder))?.allSatisfy(isTemporary) ?? false
  }

  private func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }
}

extension ActionStore {
  /// The numbers of a region's earlier bundles, the latest last.
  func previousNumbers(_ id: String) -> [Int] {
    let home = joinPath(previous, id)
    guard isRealFolder(previous), isRealFolder(home) else { return [] }
    return ((try? folderContents(home)) ?? []).compactMap { Int($0) }
      .filter { number in
        let folder = joinPath(home, "\(number)")
        return isRealFolder(folder) && pathExists(joinPath(folder, BundleRecord.fileName))
      }.sorted()
  }
}
