// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import SystemIO

/// Standard output for data, and standard error for everything else.
package enum Console {
  /// Writes text to stdout.
  ///
  /// - Parameter endsWithReader: Whether the process exits silently with 0 if the reader has gone
  ///   away (`| head`); otherwise the text is dropped.
  package static func write(_ text: String, endsWithReader: Bool = true) throws(CairnError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(CairnError) in
      let status = writeAll(bytes, to: STDOUT_FILENO)
      if status == EPIPE {
        if endsWithReader { exit(ExitCode.success.rawValue) }
        return
      }
      guard status == 0 else {
        throw CairnError(
          "stdout", .ioError, "cannot write to standard output: \(systemMessage(status))")
      }
    }
  }

  /// Writes a line to stderr; failures are ignored.
  package static func note(_ line: String) { rewrite(line + "\n") }

  /// Writes text to stderr without a line feed.
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

  /// The width in columns of the terminal on stdout; nil if it is not one, or its width is unknown.
  package static var columns: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
    return Int(size.ws_col)
  }

  /// Whether stdout is a terminal.
  package static var writesToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether stderr is a terminal.
  package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether stderr is a terminal that understands control sequences.
  package static var isInteractive: Bool {
    guard isTerminal else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }
}
