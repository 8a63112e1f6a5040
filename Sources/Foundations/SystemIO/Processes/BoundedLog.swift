// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Glibc

/// A log file that keeps the beginning and the end of a program's output, whatever its length.
package final class BoundedLog {
  /// The number of bytes kept of the beginning and of the end.
  package static let headLimit = 1 << 20
  package static let tailLimit = 1 << 18

  private let descriptor: Int32
  private var headBytes = 0
  /// The output after the head; at most twice the limit, trimmed to the limit from time to time.
  private var tail: [UInt8] = []
  private var omitted = 0

  /// Creates or empties the file. Throws 73 or 74 if that fails.
  package init(_ path: String) throws(CairnError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw systemFailure(path, "create") }
  }

  deinit { close(descriptor) }

  /// Adds text. The beginning is written at once. Failures to write the log are ignored.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    let count = min(bytes.count, Self.headLimit - headBytes)
    if count > 0 {
      headBytes += count
      writeDown(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
    guard count < bytes.count else { return }
    tail.append(contentsOf: bytes[count...])
    if tail.count > 2 * Self.tailLimit { shorten() }
  }

  /// Writes the end.
  package func finish() {
    if tail.count > Self.tailLimit { shorten() }
    if omitted > 0 { writeDown("\n[… \(grouped(omitted)) bytes left out …]\n") }
    tail.withUnsafeBytes { writeDown($0) }
    tail = []
  }

  private func shorten() {
    let surplus = tail.count - Self.tailLimit
    tail.removeFirst(surplus)
    omitted += surplus
  }

  private func writeDown(_ text: String) {
    Array(text.utf8).withUnsafeBytes { writeDown($0) }
  }

  private func writeDown(_ bytes: UnsafeRawBufferPointer) {
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count > 0 { done += count } else if count == 0 || errno != EINTR { return }
    }
  }
}
