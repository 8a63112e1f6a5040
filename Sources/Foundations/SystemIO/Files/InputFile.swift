// SPDX-License-Identifier: Apache-2.0
import CLinux
import CairnDiagnostics
import CairnFormatting
import Glibc

/// A file opened for reading at any offset, from any thread.
package final class InputFile: Sendable {
  /// The path as given.
  package let path: String
  /// The size in bytes when the file was opened.
  package let size: Int
  private let descriptor: Int32

  /// Opens a regular file. Throws 66 if it is missing, unreadable or not a regular file.
  package init(_ path: String) throws(CairnError) {
    (descriptor, size) = try openForReading(path)
    self.path = path
  }

  deinit { close(descriptor) }

  /// Gives an empty file the content of this one without copying it, as far as the file system can.
  func clone(to descriptor: Int32) -> Bool { cairn_clone_file(descriptor, self.descriptor) == 0 }

  /// Reads up to `buffer.count` bytes from `offset`; returns the number read, which is less only at
  /// the end of the file.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int)
    throws(CairnError) -> Int
  {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try retrying({ pread(descriptor, rest.baseAddress, rest.count, offset + done) }) {
        readError($0, path)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads a part within the file's size when it was opened. Throws 74 if it has been truncated
  /// since.
  package func read(_ part: Range<Int>) throws(CairnError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: part.count)
    let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try read(into: UnsafeMutableRawBufferPointer(buffer), at: part.lowerBound)
    }
    guard count == part.count else { throw truncated }
    return bytes
  }

  /// Throws 74 if the file is shorter than it was when it was opened.
  package func checkSize() throws(CairnError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw readError(errno, path) }
    if Int(status.st_size) < size { throw truncated }
  }

  private var truncated: CairnError {
    CairnError(
      .truncatedFile, .ioError, "was truncated while being read", at: Location(file: path),
      hint: "run again when it is complete")
  }

  /// The whole content. Throws 65 if it is larger than `limit` bytes.
  package func readAll(limit: Int) throws(CairnError) -> [UInt8] {
    guard size <= limit else {
      throw CairnError(
        .cannotRead, .dataError,
        "has \(grouped(size)) bytes; at most \(grouped(limit)) are allowed",
        at: Location(file: path))
    }
    var bytes = [UInt8](repeating: 0, count: size)
    let count = try bytes.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
      try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
    }
    bytes.removeLast(size - count)
    return bytes
  }
}

/// Opens a regular file; returns its descriptor, which the caller must close, and its size.
func openForReading(_ path: String) throws(CairnError) -> (descriptor: Int32, size: Int) {
  try checkPath(path) { readError($0, path) }
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard opened >= 0 else { throw readError(errno, path) }
  var status = stat()
  guard fstat(opened, &status) == 0 else {
    let code = errno
    close(opened)
    throw readError(code, path)
  }
  guard status.st_mode & S_IFMT == S_IFREG else {
    close(opened)
    throw CairnError(
      .cannotRead, .noInput, "is \(kindOfFile(status)), not a file", at: Location(file: path))
  }
  return (opened, Int(status.st_size))
}
