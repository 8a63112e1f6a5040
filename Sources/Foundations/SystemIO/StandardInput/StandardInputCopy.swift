// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import Glibc

/// The content of stdin as an unnamed file that is removed with this object.
package final class StandardInputCopy {
  private let descriptor: Int32

  /// A path under which it can be opened as long as this object lives.
  package var path: String { pathOfDescriptor(descriptor) }

  /// Reads stdin to its end. Throws 74 if it cannot be read or kept in `TMPDIR`.
  package init() throws(CairnError) {
    descriptor = try openUnnamedFile()
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
        }) { Self.failure("cannot be kept in \(temporaryFolder())", $0) }
      }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func failure(_ what: String, _ number: Int32) -> CairnError {
    CairnError(
      "stdin", .ioError, "\(what): \(systemMessage(number))", at: Location(file: "stdin"))
  }
}

/// A new unnamed file for reading and writing. The caller closes it.
func openUnnamedFile(in folder: String = temporaryFolder()) throws(CairnError) -> Int32 {
  var name = Array("\(folder)/cairn-XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  guard descriptor >= 0 else { throw writeError(errno, folder, doing: "create a file in") }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  unlink(name)
  return descriptor
}

/// The folder for files that exist as long as the process: `TMPDIR`, or `/tmp`.
package func temporaryFolder() -> String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

/// A path under which a descriptor can be opened again.
func pathOfDescriptor(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
