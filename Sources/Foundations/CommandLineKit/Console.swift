// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

/// The terminal or whatever stands in its place: data goes to stdout, everything else to stderr.
package enum Console {
  /// Writes text to stdout.
  ///
  /// - Parameter endsWithReader: Whether a reader that went away (`| head`) ends the process
  ///   quietly, with 0; otherwise the text is lost and that is all.
  package static func write(_ text: String, endsWithReader: Bool = true) throws(CairnError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(CairnError) in
      let number = writeAll(bytes, to: STDOUT_FILENO)
      if number == EPIPE {
        if endsWithReader { exit(ExitCode.success.rawValue) }
        return
      }
      guard number == 0 else {
        throw CairnError(
          "stdout", .ioError, "cannot write to standard output: \(systemMessage(number))")
      }
    }
  }

  /// Writes a line to stderr. Nothing can be done where that fails.
  package static func note(_ line: String) { rewrite(line + "\n") }

  /// Writes text to stderr as it is.
  static func rewrite(_ text: String) {
    var text = text
    _ = text.withUTF8 { writeAll($0, to: STDERR_FILENO) }
  }

  /// Writes all bytes; returns 0 or the error number.
  private static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count >= 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }

  /// Whether stderr is a terminal that understands control sequences.
  package static var isInteractive: Bool {
    guard isatty(STDERR_FILENO) == 1 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }
}
