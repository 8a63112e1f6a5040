// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn haptics")
struct HapticsCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func haptics(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["haptics"] + words)
  }

  @Test("the list has a line for each pattern, and JSON has all events")
  func list() throws {
    let lines = try haptics("list").stdout.split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines.contains { $0.hasPrefix("left ") && $0.contains("directionDown") })
    let text = try haptics("list", "--json").stdout
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    #expect(records.count == 10)
    #expect(records.allSatisfy { ($0["events"] as? [Any])?.isEmpty == false })
  }

  @Test("a file is written for each pattern, and again with the same bytes")
  func export() throws {
    let target = folder.file("patterns")
    let first = try haptics("export", target)
    #expect(first.status == 0, "\(first.stderr)")
    let paths = first.stdout.split(separator: "\n").map(String.init)
    #expect(paths.count == 10)
    #expect(paths.contains(target + "/off-route.ahap"))
    let bytes = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(try haptics("export", target).status == 0)
    #expect(try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } == bytes)
  }

  @Test("a file that Cairn did not write is kept, and then none is written")
  func foreign() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("own"), withIntermediateDirectories: true)
    let path = try folder.write("{}", to: "own/left.ahap")
    let result = try haptics("export", folder.file("own"))
    #expect(result.status == 73, "\(result.stderr)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("own")) == ["left.ahap"])
    #expect(try haptics("export", path).status == 73)
  }

  @Test("the picture is printed or written, and replaces only one of its kind")
  func preview() throws {
    let path = folder.file("patterns.svg")
    #expect(try haptics("preview", "--output", path).status == 0)
    #expect(try haptics("preview", "--output", path).status == 0)
    #expect(try haptics("preview").stdout == String(contentsOfFile: path, encoding: .utf8))
    let other = try folder.write("<svg/>", to: "other.svg")
    #expect(try haptics("preview", "--output", other).status == 73)
  }
}
