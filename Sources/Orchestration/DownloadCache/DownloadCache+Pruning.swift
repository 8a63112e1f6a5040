// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

extension DownloadCache {
  /// A file that Cairn put into the cache.
  package struct Entry: Equatable, Sendable {
    /// Its SHA-256; nil for an incomplete download.
    package var sha256: String?
    /// Its path.
    package var path: String
    /// Its size in bytes.
    package var bytes: Int
    /// When it was last used, in seconds since 1970.
    package var lastUse: Int
  }

  /// The entries of the cache, most recently used first; empty if the folder is not a cache of
  /// Cairn's. Files with other names are not listed.
  package func entries() throws(CairnError) -> [Entry] {
    guard exists else { return [] }
    var entries: [Entry] = []
    for name in try names(in: downloads) where isDigest(name) {
      if let entry = entry(joinPath(downloads, name), sha256: name) { entries.append(entry) }
    }
    for name in try names(in: partial) where name.hasSuffix(".part") {
      guard isDigest(String(name.dropLast(5))) else { continue }
      if let entry = entry(joinPath(partial, name), sha256: nil) { entries.append(entry) }
    }
    return entries.sorted { (-$0.lastUse, $0.path) < (-$1.lastUse, $1.path) }
  }

  /// The entries unused for a time, and of the others the least recently used, until the rest is
  /// within a size limit.
  ///
  /// - Parameters:
  ///   - olderThanSeconds: The time for which an entry must be unused; nil for no limit.
  ///   - maximumBytes: The size that may stay; nil for no limit.
  ///   - now: The current time in seconds since 1970.
  package static func superfluous(
    _ entries: [Entry], olderThanSeconds: Int?, maximumBytes: Int?, now: Int
  ) -> [Entry] {
    var total = 0
    return entries.sorted { (-$0.lastUse, $0.path) < (-$1.lastUse, $1.path) }.filter { entry in
      if let age = olderThanSeconds, now &- entry.lastUse > age { return true }
      total &+= entry.bytes
      return maximumBytes.map { total > $0 } ?? false
    }
  }

  /// Removes entries, except those that another process is downloading. Returns the removed ones.
  package func remove(_ entries: [Entry]) -> [Entry] {
    entries.filter { entry in
      guard entry.sha256 == nil else { return unlink(entry.path) == 0 }
      let opened = open(entry.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard opened >= 0 else { return false }
      defer { close(opened) }
      guard flock(opened, LOCK_EX | LOCK_NB) == 0, unlink(entry.path) == 0 else { return false }
      unlink(entry.path + ".state")
      return true
    }
  }

  private func names(in folder: String) throws(CairnError) -> [String] {
    pathExists(folder) ? try folderContents(folder) : []
  }

  private func entry(_ path: String, sha256: String?) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // A file without hard links elsewhere is the only copy; the size is that held by the cache.
    return Entry(
      sha256: sha256, path: path, bytes: Int(status.st_size),
      lastUse: max(status.st_atim.tv_sec, status.st_mtim.tv_sec))
  }
}
