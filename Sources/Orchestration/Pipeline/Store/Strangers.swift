// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemIO

/// Folders of Cairn's go without what somebody else has put into them: that is moved aside.
extension ActionStore {
  /// Where files of others are kept that lay in a folder that went.
  var kept: String { joinPath(root, "kept") }

  /// Moves what is not ours out of a folder. Returns where it is now, or nil if there was nothing.
  ///
  /// - Parameter name: What the folder was, for the name of the new one.
  func moveStrangers(_ folder: String, named name: String, isOurs: (String) -> Bool) throws
    -> String?
  {
    let strangers = try folderContents(folder).filter { !isOurs($0) }
    guard !strangers.isEmpty else { return nil }
    var number = 1
    while pathExists(joinPath(kept, "\(name).\(number)")) { number += 1 }
    let target = joinPath(kept, "\(name).\(number)")
    try makeFolders(target)
    for name in strangers { try renamePath(joinPath(folder, name), to: joinPath(target, name)) }
    return target
  }

  /// Removes the folder of an attempt or of a result. Returns where the files of others are now
  /// that lay in it, or nil if there were none.
  @discardableResult
  func discard(_ folder: String) throws -> String? {
    let target = try moveStrangers(folder, named: splitPath(folder).name, isOurs: ownership(folder))
    removeTree(folder)
    return target
  }

  /// Whether a folder of this name is an attempt or a result, by what lies in it.
  func isOurs(_ folder: String) -> Bool {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      let names = try? folderContents(folder)
    else { return false }
    return names.isEmpty || names.contains(where: ownership(folder))
  }

  /// What tells the files of an attempt from those that came into its folder later: their names,
  /// or that they are not younger than the result, which is written last. (A stage of the user's
  /// may leave anything.) Nobody can set back the time of a status change.
  private func ownership(_ folder: String) -> (String) -> Bool {
    let names = Set(Self.ownNames).union(result(inFolder: folder)?.outputs.keys.map { $0 } ?? [])
    let end = changeTime(joinPath(folder, "result.json"))
    return { name in
      if names.contains(name) || name.hasSuffix(".tmp") || name.hasSuffix(".trails") { return true }
      guard let end, let time = changeTime(joinPath(folder, name)) else { return false }
      return time <= end
    }
  }
}

/// The time of a file's last status change in nanoseconds since 1970; nil if it is not there.
private func changeTime(_ path: String) -> Int? {
  var status = stat()
  guard lstat(path, &status) == 0 else { return nil }
  return status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
}
