// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The file operations of an updater: each is done or not done, whenever the app ends.
enum UpdateFiles {
  /// Whether a file, folder or link exists, including a broken link.
  static func exists(_ file: URL) -> Bool {
    var status = stat()
    return lstat(file.path, &status) == 0
  }

  /// The size of a regular file; nil for anything else.
  static func size(_ file: URL) -> Int? {
    var status = stat()
    guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(clamping: status.st_size)
  }

  /// The first bytes of a file, up to 128; nil if it cannot be read.
  static func head(_ file: URL) -> [UInt8]? {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &head, head.count)
    return count < 0 ? nil : Array(head.prefix(count))
  }

  static func isFolder(_ folder: URL) -> Bool {
    var status = stat()
    return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, sorted; empty if there is no such folder.
  static func names(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  static func makeFolder(_ folder: URL) throws(UpdateError) {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch { throw failure(folder) }
    guard isFolder(folder) else { throw .notWritten("\(folder.path): is not a folder") }
  }

  /// Removes a file or folder, whatever it is.
  static func remove(_ file: URL) throws(UpdateError) {
    guard exists(file) else { return }
    do { try FileManager.default.removeItem(at: file) } catch { throw failure(file) }
  }

  /// Removes an empty folder; returns false if it is not empty or cannot be read.
  static func removeIfEmpty(_ folder: URL) -> Bool { rmdir(folder.path) == 0 }

  static func rename(_ file: URL, to target: URL) throws(UpdateError) {
    #if canImport(Darwin)
      let result = Darwin.rename(file.path, target.path)
    #elseif canImport(Glibc)
      let result = Glibc.rename(file.path, target.path)
    #elseif canImport(Musl)
      let result = Musl.rename(file.path, target.path)
    #else
      let result = Android.rename(file.path, target.path)
    #endif
    guard result == 0 else { throw failure(target) }
  }

  /// Hard-links a file, or copies it if the file system has no hard links.
  static func share(_ file: URL, as target: URL) throws(UpdateError) {
    try remove(target)
    if link(file.path, target.path) == 0 { return }
    do { try FileManager.default.copyItem(at: file, to: target) } catch { throw failure(target) }
  }

  /// Writes a small file at once.
  static func write(_ data: Data, to file: URL) throws(UpdateError) {
    let new = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).tmp")
    do { try data.write(to: new) } catch { throw failure(new) }
    try flush(new)
    try rename(new, to: file)
    try flush(file.deletingLastPathComponent())
  }

  /// Waits until a file or the names in a folder are on the disk.
  static func flush(_ file: URL) throws(UpdateError) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(file) }
    defer { close(descriptor) }
    // Some file systems cannot flush folders.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(file) }
  }

  /// Exchanges two folders in one step; returns false if the system or the file system cannot, or
  /// Swift has no call for it.
  static func exchange(_ one: URL, _ other: URL) -> Bool {
    #if canImport(Darwin)
      renamex_np(one.path, other.path, UInt32(RENAME_SWAP)) == 0
    #else
      false
    #endif
  }

  /// The free bytes on the disk of a folder; nil if unknown.
  static func free(_ folder: URL) -> Int? {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    let (bytes, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return isTooMuch ? .max : Int(clamping: bytes)
  }

  static func failure(_ file: URL) -> UpdateError {
    .notWritten("\(file.path): \(String(cString: strerror(errno)))")
  }
}

/// Keeps other updaters out of a folder as long as it lives.
final class UpdateLock {
  private let descriptor: Int32

  init(_ file: URL) throws(UpdateError) {
    descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw UpdateFiles.failure(file) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .busy
    }
  }

  deinit {
    // A program being started briefly holds a copy of the descriptor; unlocking covers it, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
