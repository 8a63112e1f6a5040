// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc

/// The terminal or whatever stands in its place: data goes to stdout, everything else to stderr.
public enum Console {
  /// Writes text to stdout. A reader that went away (`| head`) ends the process quietly.
  public static func write(_ text: String) throws(CairnError) {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(CairnError) in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(
          STDOUT_FILENO, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EPIPE {
          exit(ExitCode.success.rawValue)
        } else if errno != EINTR {
          throw CairnError("stdout", .ioError, "cannot write to standard output")
        }
      }
    }
  }

  /// Writes a line to stderr. Nothing can be done where that fails.
  public static func note(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  /// Whether stderr is a terminal that understands control sequences.
  public static var isInteractive: Bool {
    guard isatty(STDERR_FILENO) == 1 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }
}
