// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import Testing

@testable import SystemIO

@Suite("Lines from stdin")
struct StandardInputLinesTests {
  /// What comes out of a pipe into which a text was written.
  private func lines(_ text: String) throws -> [String] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var bytes = Array(text.utf8)
    try #require(write(ends[1], &bytes, bytes.count) == bytes.count)
    close(ends[1])
    var lines = StandardInputLines(descriptor: ends[0])
    var found: [String] = []
    while let line = try lines.next() {
      found.append(line)
      #expect(lines.count == found.count)
    }
    return found
  }

  @Test("are told by their line breaks, and the last one needs none")
  func plain() throws {
    #expect(try lines("") == [])
    #expect(try lines("a\n\nb\n") == ["a", "", "b"])
    #expect(try lines("a\nb") == ["a", "b"])
  }

  @Test("may have 1024 bytes and no more, with a line break or without")
  func long() throws {
    let longest = String(repeating: "x", count: StandardInputLines.maximumLineBytes)
    #expect(try lines("a\n\(longest)\nb\n") == ["a", longest, "b"])
    for text in ["a\n\(longest)x\n", "a\n\(longest)x"] {
      let error = #expect(throws: CairnError.self) { try lines(text) }
      #expect(error?.exitCode == .dataError)
      #expect("\(error as Any)".contains("1\u{A0}024"))
    }
  }
}
