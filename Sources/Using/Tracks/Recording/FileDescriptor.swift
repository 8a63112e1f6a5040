// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The number of an error of the system, with its message.
struct SystemFailure: Error {
  let number: Int32

  init() { number = errno }

  var isMissingFile: Bool { number == ENOENT }
  var message: String { String(cString: strerror(number)) }
}

/// An open regular file, closed with the last reference.
final class FileDescriptor {
  enum Access { case reading, writing }

  private let number: Int32

  /// Opens a file. For writing, it is created if missing, readable only by its owner, since it
  /// contains locations. Returns nil for anything but a regular file.
  static func open(_ path: String, _ access: Access) throws(SystemFailure) -> FileDescriptor? {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let flags = O_CLOEXEC | O_NONBLOCK | (access == .writing ? O_RDWR | O_CREAT : O_RDONLY)
    let opened = retrying { openFile(path, flags, 0o600) }
    guard opened >= 0 else { throw SystemFailure() }
    let file = FileDescriptor(opened)
    var status = stat()
    guard fstat(opened, &status) == 0 else { throw SystemFailure() }
    return status.st_mode & S_IFMT == S_IFREG ? file : nil
  }

  private init(_ number: Int32) { self.number = number }

  deinit {
    // A program being started briefly holds a copy of the descriptor and its lock; unlocking covers
    // it, too.
    flock(number, LOCK_UN)
    close(number)
  }

  /// Locks the file for this process, without waiting; false if another process has it.
  func lock() -> Bool { Self.retrying { flock(number, LOCK_EX | LOCK_NB) } == 0 }

  /// Up to this many bytes from an offset; fewer only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(SystemFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Self.retrying {
          pread(number, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
        }
      }
      if got < 0 { throw SystemFailure() }
      if got == 0 { break }
      done += got
    }
    bytes.removeLast(count - done)
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes { buffer in
        Self.retrying {
          pwrite(
            number, buffer.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
        }
      }
      if put < 0 { throw SystemFailure() }
      done += put
    }
  }

  func truncate(to size: Int) throws(SystemFailure) {
    if Self.retrying({ ftruncate(number, off_t(size)) }) < 0 { throw SystemFailure() }
  }

  /// Waits until the file's content is on the disk.
  func flush() throws(SystemFailure) {
    #if canImport(Darwin)
      // There, fsync leaves it in the drive's cache.
      if fcntl(number, F_FULLFSYNC) >= 0 { return }
    #endif
    if Self.retrying({ fsync(number) }) < 0 { throw SystemFailure() }
  }

  static func remove(_ path: String) throws(SystemFailure) {
    if unlink(path) < 0 { throw SystemFailure() }
  }

  /// Flushes the entries of a file's folder to disk, if the file system can.
  static func flushFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard opened >= 0 else { return }
    _ = fsync(opened)
    close(opened)
  }

  /// Repeats a call while signals interrupt it.
  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
