// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// An incomplete download. It stays when an attempt is interrupted, so that the next one can resume
/// it.
///
/// The accompanying `PATH.state` identifies Cairn's own partial files: a file with content but
/// without state was written by another program and is left alone.
package final class PartialFile {
  /// The version of the file to which the bytes belong.
  package struct Version: Equatable {
    /// The SHA-256 of the URL, since URLs may contain passwords.
    package var urlDigest: String
    /// The validator of the response, see ``ResponseHead/validator``.
    package var validator: String?
    /// The size of the complete file.
    package var totalBytes: Int?

    init(urlDigest: String, validator: String? = nil, totalBytes: Int? = nil) {
      (self.urlDigest, self.validator, self.totalBytes) = (urlDigest, validator, totalBytes)
    }
  }

  let path: String
  private let descriptor: Int32
  /// The number of bytes in the file.
  package private(set) var size: Int
  /// The version to which the bytes belong; nil while there are none.
  package private(set) var version: Version?

  private static let signature = "cairn partial download 1\n"
  private static let stateBytesLimit = 4096
  private var statePath: String { path + ".state" }

  /// Opens or creates the file.
  ///
  /// Throws 73 or 74 if that is impossible, or if another program wrote it; 75 if another process
  /// is downloading into it.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    try makeFolders(splitPath(path).folder)
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard opened >= 0 else { throw Self.failure(path, "create") }
    descriptor = opened
    size = 0
    // The lock is on the file and not on its name, so it cannot be left behind.
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      throw CairnError(
        .isLocked, .temporaryFailure, "is being fetched by another process",
        at: Location(file: path), hint: "wait until it ends, or stop it")
    }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.foreign(path, "exists and is not a file")
    }
    size = Int(status.st_size)
    version = try readState()
    if size > 0, version == nil {
      throw Self.foreign(path, "exists and was not written by cairn-fetch")
    }
  }

  deinit {
    // A program being started briefly holds a copy of the descriptor; unlocking covers it, too.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Empties the file and records the version of the following bytes.
  package func begin(_ version: Version) throws(CairnError) {
    try clear()
    // The state is written while there are no bytes, so a kill in between loses nothing.
    let text =
      Self.signature + "url \(version.urlDigest)\n"
      + (version.validator.map { "validator \($0)\n" } ?? "")
      + (version.totalBytes.map { "total \($0)\n" } ?? "") + "end\n"
    let opened = open(statePath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard opened >= 0 else { throw Self.failure(statePath, "create") }
    defer { close(opened) }
    let bytes = Array(text.utf8)
    guard write(opened, bytes, bytes.count) == bytes.count else {
      throw Self.failure(statePath, "write")
    }
    self.version = version
  }

  /// Adds bytes at the end. Throws 74 if the disk is full.
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

  /// Drops the bytes.
  func clear() throws(CairnError) {
    guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, "empty") }
    size = 0
    version = nil
  }

  /// Makes the content durable and gives it its final name.
  func commit(as target: String) throws(CairnError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, "flush") }
    guard rename(path, target) == 0 else { throw Self.failure(target, "rename to") }
    unlink(statePath)
    try syncFolder(splitPath(target).folder)
  }

  /// The recorded version; nil if there is none or it is truncated. Throws 73 if the state's file
  /// was written by another program.
  private func readState() throws(CairnError) -> Version? {
    guard let file = try? InputFile(statePath) else {
      var status = stat()
      guard lstat(statePath, &status) != 0 else {
        throw Self.foreign(statePath, "exists and was not written by cairn-fetch")
      }
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Self.stateBytesLimit)
    let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard text.hasPrefix(Self.signature) || Self.signature.hasPrefix(text) else {
      throw Self.foreign(statePath, "exists and was not written by cairn-fetch")
    }
    guard text.hasSuffix("\nend\n") else { return nil }
    var version = Version(urlDigest: "")
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      // A damaged value is unknown; the validator is sent to the server.
      guard words.count == 2, ResponseHead.isPlain(words[1]) else { continue }
      switch words[0] {
      case "url": version.urlDigest = String(words[1])
      case "validator": version.validator = String(words[1])
      case "total": version.totalBytes = Int(words[1]).flatMap { $0 < 0 ? nil : $0 }
      default: break
      }
    }
    return version
  }

  private static func foreign(_ path: String, _ message: String) -> CairnError {
    CairnError(
      .outputIsForeign, .cannotCreate, message, at: Location(file: path),
      hint: "move it away, or choose another output")
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
