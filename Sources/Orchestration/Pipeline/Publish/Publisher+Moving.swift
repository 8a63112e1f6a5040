// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

extension Publisher {
  /// Renames the folder of a bundle, or copies it where the file system cannot rename it there: from
  /// one mount to another, and out of a lower layer of an overlay.
  ///
  /// A copy gets its final name when it is whole; the folder is removed after that.
  func moveBundle(_ folder: String, to target: String) throws {
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
      // The record first: by it the rest is known to be Cairn's.
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

  /// Gives a result a name in a bundle, without copying it if it may be shared and the file system
  /// can do that. Throws 74 if it has changed since its stage wrote it.
  func place(_ product: FinishedAction.Product, at target: String, isShared: Bool) throws {
    guard isShared, isRealFile(product.path),
      try digests.digest(ofFile: product.path) == product.record.sha256
    else {
      return try copyFile(product.path, to: target, checking: product.record.sha256)
    }
    if link(product.path, target) == 0 {
      // Its status has changed, and nothing else.
      digests.remember(product.record.sha256, ofFile: target, isFlushed: false)
    } else {
      try copyFile(product.path, to: target, checking: product.record.sha256)
    }
  }

  /// Copies a file. Throws 74 if a digest is given and the content has another one: then it has
  /// changed since its stage wrote it.
  func copyFile(_ path: String, to target: String, checking sum: String? = nil) throws {
    let output = try AtomicOutput(target) { _ in true }
    let digest = SHA256Digest()
    // Of a bundle that is being moved nothing is left out.
    try output.write(contentOf: path, addingTo: digest, isWhole: sum == nil)
    let copied = digest.finish()
    guard copied == sum ?? copied else {
      throw CairnError(
        .inputOutput, .ioError, "has changed since the stage wrote it",
        at: Location(file: path), hint: "rebuild it with --force")
    }
    try output.commit(flushing: false)
  }
}
