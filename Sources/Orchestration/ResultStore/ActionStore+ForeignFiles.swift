// SPDX-License-Identifier: Apache-2.0
import Glibc
import Manifests
import SystemIO

/// Files of others in Cairn's folders are moved aside before a folder is removed.
extension ActionStore {
  /// Where files of others are kept that were in a removed folder.
  package var kept: String { joinPath(root, "kept") }

  /// Moves what is not Cairn's out of a folder. Returns where it is now, or nil if there was nothing.
  ///
  /// - Parameter name: What the folder was, for the name of the new one.
  package func moveForeignFiles(_ folder: String, named name: String, isOurs: (String) -> Bool)
    throws
    -> String?
  {
    let foreign = try folderContents(folder).filter { !isOurs($0) }
    guard !foreign.isEmpty else { return nil }
    var number = 1
    while nameExists(joinPath(kept, "\(name).\(number)")) { number += 1 }
    let target = joinPath(kept, "\(name).\(number)")
    try makeOwnFolder(kept)
    try makeOwnFolder(target)
    for name in foreign { try renamePath(joinPath(folder, name), to: joinPath(target, name)) }
    return target
  }

  /// Removes the folder of an attempt or of a result. Returns where files of others that were in it
  /// are now, or nil if there were none.
  @discardableResult
  package func discard(_ folder: String) throws -> String? {
    if removeLink(folder) { return nil }
    let target = try moveForeignFiles(
      folder, named: splitPath(folder).name, isOurs: ownership(folder))
    removeTree(folder)
    return target
  }

  /// Whether a folder is an attempt or a result, by what it contains.
  package func isOurs(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let names = try? folderContents(folder)
    else { return false }
    return names.isEmpty || names.contains(where: ownership(folder))
  }

  /// Tells the files of an attempt from those that came into its folder later: by their names, or
  /// because they are not newer than the result, which is written last. (A stage of the user's may
  /// leave anything.) The time of a status change cannot be set back.
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
