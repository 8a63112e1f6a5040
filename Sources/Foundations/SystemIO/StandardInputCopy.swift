// SPDX-License-Identifier: Apache-2.0

import Diagnostics
import Glibc

/// What stdin has, as a file without a name that is gone with this object.
package final class StandardInputCopy {
  private let descriptor: Int32

  /// A path under which it can be opened as long as this object lives.
  package var path: String { "/proc/self/fd/\(descriptor)" }

  /// Reads stdin to its end. Throws 74 if it cannot be read or kept in `TMPDIR`.
  package init() throws(CairnError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/cairn-stdin-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Self.failure("cannot be kept in \(folder)") }
    unlink(name)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try retrying({ Glibc.read(STDIN_FILENO, &piece, piece.count) }) {
        Self.failure("cannot be read", $0)
      }
      if count == 0 { return }
      var done = 0
      while done < count {
        done += try retrying({
          piece[done..<count].withUnsafeBytes {
            Glibc.write(descriptor, $0.baseAddress, $0.count)
          }
        }) { Self.failure("cannot be kept in \(folder)", $0) }
      }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func failure(_ what: String, _ number: Int32 = errno) -> CairnError {
    CairnError(
      "stdin", .ioError, "\(what): \(systemMessage(number))", at: Location(file: "stdin"))
  }
}
