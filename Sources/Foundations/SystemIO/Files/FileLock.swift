// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc

extension CairnError.Code {
  /// Another process is working with the same files.
  package static let isLocked: Self = "is-locked"
}

/// An exclusive lock on a file, which the kernel releases when the process ends in any way. The
/// file itself stays, with the id of the process that last held the lock.
package final class FileLock: Sendable {
  /// The locked file.
  package let path: String
  private let descriptor: Int32

  /// Takes the lock without waiting, and creates the file if it is missing.
  ///
  /// Throws 75 with the holder's process id if another process, or another lock of this one, holds
  /// it; 73 if the file cannot be created.
  package init(_ path: String) throws(CairnError) {
    let opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      guard errno == ELOOP else { throw writeError(errno, path, doing: "create") }
      throw CairnError(
        .outputIsForeign, .cannotCreate, "is a symbolic link, which is not followed",
        at: Location(file: path), hint: "remove it")
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and is \(kindOfFile(status)), not a lock",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
    guard Self.lock(opened) else {
      let code = errno
      let holder = Self.holder(opened)
      close(opened)
      guard code == EWOULDBLOCK else { throw writeError(code, path, doing: "lock") }
      throw CairnError(
        .isLocked, .temporaryFailure,
        "is held by \(holder.map { "process \($0)" } ?? "another process")",
        at: Location(file: path), hint: "wait until it ends, or stop it")
    }
    self.path = path
    descriptor = opened
    ftruncate(opened, 0)
    // Only for the error message of other processes: the lock does not depend on it.
    var line = "\(getpid())\n"
    line.withUTF8 { _ = pwrite(opened, $0.baseAddress, $0.count, 0) }
  }

  deinit {
    // A program being started briefly holds a copy of the descriptor; unlocking covers it, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock. A program being started by a killed holder keeps its copy of the descriptor
  /// until it runs; if the holder is gone, this waits for that, at most a second.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK, let holder = holder(descriptor), holder > 0,
        kill(holder, 0) != 0, errno == ESRCH
      else { break }
      usleep(10_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: digits, as: UTF8.self))
  }
}
