// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The content of a regular file.
func readWhole(_ path: String, limit: Int) throws(DeltaError) -> [UInt8] {
  let size = try fileSize(path)
  guard size <= limit else { throw .unreadable("\(path): is too long") }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(size)
  try readPieces(of: path) { bytes.append(contentsOf: $0) }
  return bytes
}

/// The SHA-256 of a file in hexadecimal.
func digest(ofFile path: String) throws(DeltaError) -> String {
  _ = try fileSize(path)
  var hash = SHA256()
  try readPieces(of: path) { hash.update($0) }
  return hexadecimal(hash.finish())
}

/// The size of a regular file; a pipe would be waited for.
func fileSize(_ path: String) throws(DeltaError) -> Int {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw .unreadable(errno == ENOENT ? "\(path): no such file" : reason(path))
  }
  guard status.st_mode & S_IFMT == S_IFREG else {
    throw .unreadable("\(path): is not a file")
  }
  return Int(clamping: status.st_size)
}

private func reason(_ path: String) -> String { "\(path): \(String(cString: strerror(errno)))" }

private func readPieces(of path: String, _ body: (UnsafeRawBufferPointer) -> Void)
  throws(DeltaError)
{
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw .unreadable(reason(path)) }
  defer { close(file) }
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
  defer { piece.deallocate() }
  while true {
    let count = read(file, piece.baseAddress, piece.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .unreadable(reason(path)) }
    if count == 0 { return }
    body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
  }
}

/// A file from which parts are read.
final class OldFile {
  let count: Int
  private let path: String
  private let descriptor: Int32

  init(_ path: String) throws(DeltaError) {
    self.path = path
    count = try fileSize(path)
    guard count <= DatabaseDelta.greatestSize else { throw .unreadable("\(path): is too long") }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(reason(path)) }
  }

  deinit { close(descriptor) }

  /// Copies as many bytes as fit, starting at an offset.
  func copy(_ offset: Int, _ target: UnsafeMutableRawBufferPointer) throws(DeltaError) {
    var done = 0
    while done < target.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unreadable("\(path): ended while it was read") }
      done += count
    }
  }
}

/// A hidden file that takes its final name when it is complete, and is otherwise removed with this
/// object. It replaces one of the same name left by a killed app.
final class NewFile {
  let temporaryPath: String
  private let path: String
  private var descriptor: Int32
  private var isCommitted = false

  init(_ path: String) throws(DeltaError) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    temporaryPath = "\(folder).\(name).delta.tmp"
    unlink(temporaryPath)
    descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .notWritten(reason(path)) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if !isCommitted { unlink(temporaryPath) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CairnError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw CairnError(.database, .ioError, reason(path)) }
      done += count
    }
  }

  /// Flushes and renames the file.
  func commit() throws(DeltaError) {
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw .notWritten(reason(path))
    }
    isCommitted = true
  }
}
