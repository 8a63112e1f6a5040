// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc

extension CairnError.Code {
  /// An input that is missing or unreadable.
  package static let cannotRead: Self = "cannot-read"
  /// An output that cannot be created.
  package static let cannotCreate: Self = "cannot-create"
  /// Reading or writing failed.
  package static let inputOutput: Self = "input-output"
  /// A file that Cairn did not write has the name of the output.
  package static let outputIsForeign: Self = "output-is-foreign"
  /// A program that cannot be started.
  package static let cannotStart: Self = "cannot-start"
  /// Compressed data that cannot be decompressed.
  package static let damagedCompression: Self = "damaged-compression"
}

/// The system's message for an errno value, such as `No space left on device`.
package func systemMessage(_ code: Int32) -> String {
  // Thread-safe in Glibc, which has one buffer per thread.
  String(cString: strerror(code))
}

/// The error of opening or reading an input: 66 for a missing or unreadable file, 74 for a failure
/// while reading.
func readError(_ code: Int32, _ path: String) -> CairnError {
  switch code {
  case ENOENT:
    CairnError(
      .cannotRead, .noInput, "no such file", at: Location(file: path), hint: hintForName(path))
  case EACCES, EPERM, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENXIO, ENODEV, EINVAL:
    CairnError(.cannotRead, .noInput, systemMessage(code), at: Location(file: path))
  default:
    CairnError(.inputOutput, .ioError, systemMessage(code), at: Location(file: path))
  }
}

/// A reason why an existing file may not be found; nil for most. A name that is not UTF-8 becomes
/// another name as text.
private func hintForName(_ path: String) -> String? {
  path.unicodeScalars.contains("\u{FFFD}")
    ? "names must be UTF-8: rename the file or folder" : nil
}

/// The error of creating, writing or renaming an output: 73 if it cannot be created, 74 for a
/// failure while writing.
func writeError(_ code: Int32, _ path: String, doing action: String) -> CairnError {
  switch code {
  case ENOENT, EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EINVAL:
    CairnError(
      .cannotCreate, .cannotCreate, "cannot \(action): \(systemMessage(code))",
      at: Location(file: path),
      hint: hintForName(path) ?? "does the folder exist, and is it writable?")
  case ENOSPC, EDQUOT:
    CairnError(
      .inputOutput, .ioError, "cannot \(action): \(systemMessage(code))",
      at: Location(file: path), hint: "free some disk space and run again")
  case EFBIG:
    CairnError(
      .inputOutput, .ioError, "cannot \(action): \(systemMessage(code))",
      at: Location(file: path),
      hint: "the file system or `ulimit -f` does not allow files of this size")
  default:
    CairnError(
      .inputOutput, .ioError, "cannot \(action): \(systemMessage(code))",
      at: Location(file: path))
  }
}

/// Repeats a system call while a signal interrupts it; returns its result or throws its errno
/// through `failure`.
@discardableResult
package func retrying<Result: SignedInteger>(
  _ call: () -> Result, orThrow failure: (Int32) -> CairnError
) throws(CairnError) -> Result {
  while true {
    let result = call()
    if result >= 0 { return result }
    guard errno == EINTR else { throw failure(errno) }
  }
}

/// Throws the error that `failure` makes from EINVAL if a path contains a zero byte, at which the
/// system would silently truncate it.
func checkPath(_ path: String, orThrow failure: (Int32) -> CairnError) throws(CairnError) {
  if path.utf8.contains(0) { throw failure(EINVAL) }
}

/// The kind of a file, in words.
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

/// The name of a signal, such as `SIGTERM`.
package func signalName(_ signal: Int32) -> String {
  let names = [
    SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP", SIGKILL: "SIGKILL",
    SIGSEGV: "SIGSEGV", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT",
    SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGPIPE: "SIGPIPE", SIGXFSZ: "SIGXFSZ",
  ]
  return names[signal] ?? "signal \(signal)"
}
