// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

/// A file that grows while it is fetched and stays when that is interrupted, so that the next
/// attempt can go on where this one ended.
final class PartialFile {
  let path: String
  private let descriptor: Int32
  /// How many bytes there are.
  private(set) var size: Int

  /// Opens or makes the file.
  ///
  /// Throws 73 or 74 if that cannot be, 75 if another process is fetching into it.
  init(_ path: String) throws(CairnError) {
    self.path = path
    try makeFolders(splitPath(path).folder)
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard opened >= 0 else { throw Self.failure(path, "create") }
    // The lock is on what is there and not on its name: who finds it taken is no danger to it.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      throw CairnError(
        .isLocked, .temporaryFailure, "is being fetched by another process",
        at: Location(file: path), hint: "wait until it ends, or stop it")
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw CairnError(
        .outputIsForeign, .cannotCreate, "is there already, and is no file",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
    descriptor = opened
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Adds bytes at the end. Throws 74 where they find no room.
  func append(_ bytes: UnsafeRawBufferPointer) throws(CairnError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(size))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, "write") }
      done += count
      size += count
    }
  }

  /// Begins anew.
  func clear() throws(CairnError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, "empty") }
    size = 0
  }

  /// Makes the content durable and gives it its final name.
  func commit(as target: String) throws(CairnError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, "flush") }
    guard rename(path, target) == 0 else { throw Self.failure(target, "rename to") }
    try syncFolder(splitPath(target).folder)
  }

  private static func failure(_ path: String, _ action: String) -> CairnError {
    let number = errno
    let isRefused = [ENOENT, EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, EXDEV].contains(number)
    return CairnError(
      isRefused ? .cannotCreate : .inputOutput, isRefused ? .cannotCreate : .ioError,
      "cannot \(action): \(systemMessage(number))", at: Location(file: path),
      hint: number == ENOSPC ? "free some disk space and run again" : nil)
  }
}
