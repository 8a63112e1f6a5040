// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc

extension CairnError.Code {
  /// An input that is not there or must not be read.
  package static let cannotRead: Self = "cannot-read"
  /// An output that cannot be created.
  package static let cannotCreate: Self = "cannot-create"
  /// Reading or writing failed half-way.
  package static let inputOutput: Self = "input-output"
  /// The output's name is taken by a file that Cairn did not write.
  package static let outputIsForeign: Self = "output-is-foreign"
  /// A program that cannot be started.
  package static let cannotStart: Self = "cannot-start"
  /// Compressed data that cannot be inflated.
  package static let damagedCompression: Self = "damaged-compression"
  /// A file that ends before it should.
  package static let truncatedFile: Self = "truncated-file"
  /// A file of another kind than the command reads.
  package static let wrongFileKind: Self = "wrong-file-kind"
  /// A file without content.
  package static let emptyFile: Self = "empty-file"
}

/// What the system calls an error number, such as `No space left on device`.
package func systemMessage(_ number: Int32) -> String {
  // Glibc keeps the text of each thread apart.
  String(cString: strerror(number))
}

/// An error of opening or reading an input: 66 for a file that is not there or not readable, 74
/// for a fault on the way.
func readError(_ number: Int32, _ path: String) -> CairnError {
  switch number {
  case ENOENT:
    CairnError(.cannotRead, .noInput, "no such file", at: Location(file: path))
  case EACCES, EPERM, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, EINVAL:
    CairnError(.cannotRead, .noInput, systemMessage(number), at: Location(file: path))
  default:
    CairnError(.inputOutput, .ioError, systemMessage(number), at: Location(file: path))
  }
}

/// An error of creating, writing or renaming an output: 73 where it cannot be there at all, 74
/// for a fault on the way.
func writeError(_ number: Int32, _ path: String, doing action: String) -> CairnError {
  switch number {
  case ENOENT, EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EINVAL:
    CairnError(
      .cannotCreate, .cannotCreate, "cannot \(action): \(systemMessage(number))",
      at: Location(file: path), hint: "is the folder there, and may you write to it?")
  case ENOSPC, EDQUOT:
    CairnError(
      .inputOutput, .ioError, "cannot \(action): \(systemMessage(number))",
      at: Location(file: path), hint: "free some disk space and run again")
  default:
    CairnError(
      .inputOutput, .ioError, "cannot \(action): \(systemMessage(number))",
      at: Location(file: path))
  }
}

/// Repeats a system call while a signal interrupts it; returns its result or throws its errno
/// through `failure`.
@discardableResult
func retrying<Result: SignedInteger>(
  _ call: () -> Result, orThrow failure: (Int32) -> CairnError
) throws(CairnError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw failure(errno) }
  }
}

/// Throws what `failure` makes of EINVAL if the system would not see the whole path: it takes a
/// zero byte for the end, and the rest of the name would be lost without a word.
func checkPath(_ path: String, orThrow failure: (Int32) -> CairnError) throws(CairnError) {
  if path.utf8.contains(0) { throw failure(EINVAL) }
}

/// What a path leads to, in words.
func kindOfFile(_ status: stat) -> String {
  switch status.st_mode & S_IFMT {
  case S_IFREG: "a file"
  case S_IFDIR: "a folder"
  case S_IFLNK: "a symbolic link"
  case S_IFIFO: "a pipe"
  case S_IFSOCK: "a socket"
  default: "a device"
  }
}
