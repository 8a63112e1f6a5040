// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Glibc

/// Reads stdin line by line in constant memory.
package struct StandardInputLines {
  /// The longest line that is accepted, in bytes.
  package static let maximumLineBytes = 1024

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// The number of lines read.
  package private(set) var count = 0

  /// Reads from a descriptor, by default stdin.
  package init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// Whether a whole line is in the buffer, so that ``next()`` does not block.
  package var hasLine: Bool { buffer[start...].contains(UInt8(ascii: "\n")) }

  /// The next line without its line break; nil after the last one. Throws 65 for a line that is
  /// too long and 74 if stdin cannot be read.
  package mutating func next() throws(CairnError) -> String? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        return try line(to: end, next: end + 1)
      }
      if isAtEnd {
        return start < buffer.count ? try line(to: buffer.count, next: buffer.count) : nil
      }
      guard buffer.count - start <= Self.maximumLineBytes else { throw tooLong }
      try fill()
    }
  }

  private mutating func line(to end: Int, next: Int) throws(CairnError) -> String {
    guard end - start <= Self.maximumLineBytes else { throw tooLong }
    let line = String(decoding: buffer[start..<end], as: UTF8.self)
    start = next
    count += 1
    return line
  }

  private mutating func fill() throws(CairnError) {
    buffer.removeFirst(start)
    start = 0
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let got = read(descriptor, &chunk, chunk.count)
      if got > 0 {
        buffer += chunk[..<got]
        return
      }
      if got == 0 {
        isAtEnd = true
        return
      }
      guard errno == EINTR else {
        throw CairnError(
          "stdin", .ioError, "cannot be read: \(String(cString: strerror(errno)))",
          at: Location(file: "stdin"))
      }
    }
  }

  private var tooLong: CairnError {
    CairnError(
      .cannotReadLine, .dataError, "has more than \(grouped(Self.maximumLineBytes)) bytes",
      at: Location(file: "stdin", .line(count + 1, column: 1)))
  }
}

extension CairnError.Code {
  /// A line of stdin is too long.
  package static let cannotReadLine: Self = "line-too-long"
}
