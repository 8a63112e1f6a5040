// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Glibc
import SystemIO

/// What a run leaves that was killed while it published: folders under `.cairn/staging` that were not
/// exchanged yet or hold the bundle that was, and the index that was to follow.
extension Publisher {
  /// Removes what a run left that was killed while it published. Nothing of that is needed, except
  /// where the file system cannot exchange two folders.
  package func recover() {
    for name in (try? folderContents(files.store.staging)) ?? [] {
      let path = joinPath(files.store.staging, name)
      // A link under the name of a region is removed when its bundle is assembled.
      guard isRealFolder(path) || files.isTemporary(name) else { continue }
      let id = name.hasSuffix(".old") ? String(name.dropLast(4)) : name
      if name.hasSuffix(".old"), !pathExists(index.folder(id)), BundleRecord(inFolder: path) != nil
      {
        try? files.move(path, to: index.folder(id))
      } else if BundleRecord(inFolder: path) != nil || isUnfinished(path) {
        _ = try? files.discard(path, id: id)
      } else if files.isTemporary(name) {
        unlink(path)
      }
    }
    index.recover()
  }

  /// Whether a folder contains nothing but unfinished files.
  private func isUnfinished(_ folder: String) -> Bool {
    (try? folderContents(folder))?.allSatisfy(files.isTemporary) ?? false
  }
}

extension PublishedIndex {
  /// Finishes what a run left that was killed between a change of what is published and the index.
  func recover() {
    let staged = joinPath(store.staging, IndexRecord.fileName)
    guard let next = IndexRecord(inFolder: store.staging) else {
      unlink(staged)
      return
    }
    let isDone = next.isTrue(of: output, insteadOf: IndexRecord(inFolder: output))
    // Otherwise what it says has not happened; the end of this run writes the index anyway.
    if !isDone || rename(staged, joinPath(output, IndexRecord.fileName)) != 0 { unlink(staged) }
  }
}
