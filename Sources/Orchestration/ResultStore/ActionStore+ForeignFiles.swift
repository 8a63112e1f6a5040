// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import Manifests
import SystemIO

/// Foreign files in Cairn's folders are moved aside before a folder is removed.
extension ActionStore {
  /// The folder for foreign files from removed folders.
  package var kept: String { joinPath(root, "kept") }

  /// Moves foreign files out of a folder. Returns their new location; nil if there were none.
  ///
  /// - Parameter name: The folder's purpose, for the name of the new one.
  package func moveForeignFiles(_ folder: String, named name: String, isOurs: (String) -> Bool)
    throws
    -> String?
  {
    let foreign = try folderContents(folder).filter { !isOurs($0) }
    guard !foreign.isEmpty else { return nil }
    let target = try newKept(name)
    try makeOwnFolder(target)
    for name in foreign { try renamePath(joinPath(folder, name), to: joinPath(target, name)) }
    return target
  }

  /// Moves a file to the folder for foreign files. Returns its new location.
  package func keep(_ path: String) throws(CairnError) -> String {
    let target = try newKept(splitPath(path).name)
    try renamePath(path, to: target)
    return target
  }

  /// A path in the folder for foreign files that nothing has.
  private func newKept(_ name: String) throws(CairnError) -> String {
    try makeOwnFolder(kept)
    var number = 1
    while nameExists(joinPath(kept, "\(name).\(number)")) { number += 1 }
    return joinPath(kept, "\(name).\(number)")
  }

  /// Removes the folder of an attempt or of a result. Returns the new location of foreign files in
  /// it; nil if there were none.
  @discardableResult
  package func discard(_ folder: String) throws -> String? {
    if removeLink(folder) { return nil }
    let target = try moveForeignFiles(
      folder, named: splitPath(folder).name, isOurs: ownership(folder))
    removeTree(folder)
    return target
  }

  /// Whether a folder is an attempt or a result, by its content.
  package func isOurs(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let names = try? folderContents(folder)
    else { return false }
    return names.isEmpty || names.contains(where: ownership(folder))
  }

  /// Tells the files of an attempt from those added later: by their names, or because they are not
  /// newer than the result, which is written last. (A custom stage may leave anything.) The time of
  /// a status change cannot be set back.
  private func ownership(_ folder: String) -> (String) -> Bool {
    let names = Set(Stage.attemptFiles).union(
      result(inFolder: folder)?.outputs.keys.map { $0 } ?? [])
    let end = changeTime(joinPath(folder, "result.json"))
    return { name in
      if names.contains(name) || name.hasSuffix(".tmp") || name.hasSuffix(".trails") { return true }
      guard let end, let time = changeTime(joinPath(folder, name)) else { return false }
      return time <= end
    }
  }
}

/// The time of a file's last status change in nanoseconds since 1970; nil if it does not exist.
private func changeTime(_ path: String) -> Int? {
  var status = stat()
  guard lstat(path, &status) == 0 else { return nil }
  return status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
}
