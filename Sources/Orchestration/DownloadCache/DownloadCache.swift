// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// The folder in which downloads are kept for all manifests of a user, by digest.
///
/// `downloads/SHA256` are complete, read-only files, renamed or linked there once they are checked.
/// `partial` holds unfinished downloads. Several processes may use a cache at a time. Only files
/// with such names are ever removed.
package struct DownloadCache: Equatable, Sendable {
  /// The folder.
  package let path: String

  /// The file that marks the folder as a cache (bford.info/cachedir), and as Cairn's.
  static let tagName = "CACHEDIR.TAG"
  static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # Cairn download cache 1
    # Whatever is in this folder can be downloaded again: cairn cache prune removes it.

    """
  private static let mark = "# Cairn download cache 1\n"

  /// Names a cache, which need not exist.
  package init(_ path: String) { self.path = path }

  /// The location of the cache by the environment: `CAIRN_CACHE`, or else `cairn` in
  /// `XDG_CACHE_HOME`, or in `HOME/.cache`; nil if none of them is an absolute path.
  package static func location(environment: (String) -> String?) -> String? {
    func folder(_ name: String) -> String? {
      environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return folder("CAIRN_CACHE") ?? folder("XDG_CACHE_HOME").map { joinPath($0, "cairn") }
      ?? folder("HOME").map { joinPath($0, ".cache/cairn") }
  }

  var downloads: String { joinPath(path, "downloads") }
  var partial: String { joinPath(path, "partial") }

  /// Whether the folder is a cache of Cairn's.
  package var exists: Bool {
    guard let bytes = try? InputFile(joinPath(path, Self.tagName)).readAll(limit: 4096) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).contains(Self.mark)
  }

  /// Creates the folder unless it exists. Throws 73 if it cannot be written, or if it is not empty
  /// and not a cache of Cairn's.
  package func prepare() throws(CairnError) {
    let isOurs = exists
    if !isOurs, pathExists(path) {
      let names = try folderContents(path)
      // Another process may be creating it.
      guard names.allSatisfy({ $0.hasPrefix(".\(Self.tagName)") }) || exists else {
        throw CairnError(
          .outputIsForeign, .cannotCreate, "exists and is not a Cairn download cache",
          at: Location(file: path), hint: "set CAIRN_CACHE to an empty folder")
      }
    }
    try makeFolders(path)
    if !isOurs {
      try AtomicOutput.write(Array(Self.tag.utf8), to: joinPath(path, Self.tagName)) { _ in true }
    }
    try makeFolders(downloads)
    try makeFolders(partial)
    guard access(downloads, W_OK) == 0, access(partial, W_OK) == 0 else {
      throw CairnError(
        .cannotCreate, .cannotCreate, "cannot be written: \(systemMessage(errno))",
        at: Location(file: path), hint: "set CAIRN_CACHE to another folder")
    }
  }

  /// The path of a file in the cache, which need not exist.
  package func file(_ sha256: String) -> String { joinPath(downloads, sha256) }

  /// The path of an unfinished download, by the digest of its identity.
  package func partialFile(_ digest: String) -> String { joinPath(partial, "\(digest).part") }

  /// Whether a file is in the cache, with its size; its content is not looked at.
  package func has(_ sha256: String, bytes: Int? = nil) -> Bool {
    guard isDigest(sha256), let found = sizeOfFile(file(sha256)) else { return false }
    return bytes.map { $0 == found } ?? (found > 0)
  }

  /// Gives a file of the cache another name, by a hard link or a copy. Returns its size; nil if it
  /// is not in the cache. A damaged file is dropped.
  ///
  /// - Parameter isChecked: Whether its digest has just been computed.
  package func take(_ sha256: String, as output: String, isChecked: Bool = false)
    throws(CairnError) -> Int?
  {
    guard isDigest(sha256) else { return nil }
    let path = file(sha256)
    guard let bytes = sizeOfFile(path) else { return nil }
    if !isChecked {
      let digest = try SHA256Digest.ofFile(path)
      guard digest == sha256 else {
        unlink(path)
        return nil
      }
    }
    noteUse(path)
    if link(path, output) != 0 { try Self.copy(path, to: output) }
    return bytes
  }

  /// Adds a file with a verified digest. Returns whether that was possible; a caller with the file
  /// does not need the cache.
  @discardableResult
  package func add(_ path: String, sha256: String) -> Bool {
    guard isDigest(sha256), (try? prepare()) != nil else { return false }
    let target = file(sha256)
    if sizeOfFile(target) == sizeOfFile(path) { return true }
    unlink(target)
    if link(path, target) != 0, (try? Self.copy(path, to: target)) == nil { return false }
    protect(sha256)
    return true
  }

  /// Makes a file of the cache read-only and notes that it was used.
  package func protect(_ sha256: String) {
    chmod(file(sha256), 0o444)
    noteUse(file(sha256))
  }

  /// Waits for one of a few slots shared by all processes with this cache; it is free again when
  /// the lock is released.
  ///
  /// Throws 75 if none is free in time.
  package func place(
    _ name: String, of count: Int, waitingSeconds: Int, wait: (_ seconds: Int) -> Void
  ) throws(CairnError) -> FileLock {
    try prepare()
    var waited = 0
    while true {
      for number in 1...max(1, count) {
        do throws(CairnError) {
          return try FileLock(joinPath(path, "\(name)-\(number).lock"))
        } catch {
          guard error.code == .isLocked else { throw error }
          if number == max(1, count), waited >= waitingSeconds { throw error }
        }
      }
      wait(1)
      waited += 1
    }
  }

  /// Records in the access time when a file was last used; its modification time stays.
  private func noteUse(_ path: String) {
    var times = [timespec(), timespec()]
    clock_gettime(CLOCK_REALTIME, &times[0])
    // UTIME_OMIT, whose macro Swift cannot import.
    times[1].tv_nsec = (1 << 30) - 2
    utimensat(AT_FDCWD, path, times, 0)
  }

  /// Copies a file to an unused name, or to a pipe or device.
  package static func copy(_ path: String, to target: String) throws(CairnError) {
    let output = try AtomicOutput(target) { _ in false }
    try output.write(contentOf: path)
    try output.commit()
  }
}

/// Whether a text is a SHA-256 in lower-case hexadecimal digits.
package func isDigest(_ text: String) -> Bool {
  text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

/// The size of a file that is not a symbolic link; nil for anything else.
func sizeOfFile(_ path: String) -> Int? {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
  return Int(status.st_size)
}
