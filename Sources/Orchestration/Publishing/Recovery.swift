// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Glibc
import SystemIO

/// The remains of a run killed while publishing: folders under `.cairn/staging` not yet exchanged
/// or with the previous bundle, and the next index.
extension Publisher {
  /// Removes the remains of a run killed while publishing. None are needed, unless the file system
  /// cannot exchange two folders.
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

  /// Whether a folder contains only unfinished files.
  private func isUnfinished(_ folder: String) -> Bool {
    (try? folderContents(folder))?.allSatisfy(files.isTemporary) ?? false
  }
}

extension PublishedIndex {
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
