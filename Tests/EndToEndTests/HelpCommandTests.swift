// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Help of commands and groups of commands")
struct HelpCommandTests {
  private func output(_ words: String...) throws -> String {
    let result = try Executables.run("cairn", words)
    #expect(result.status == 0 && result.stderr.isEmpty, "\(words): \(result.stderr)")
    return result.stdout
  }

  @Test("each command of two words is on the page of its group, asked for in three ways")
  func groups() throws {
    let pairs = try output("help").split(separator: "\n").filter { $0.hasPrefix("  ") }
      .map { $0.split(separator: " ", omittingEmptySubsequences: true) }
      .filter { words in words.count > 2 && Self.groups.contains(String(words[0])) }
    for group in Self.groups {
      let page = try output(group, "--help")
      #expect(try output(group, "-h") == page)
      #expect(try output("help", group) == page)
      let members = pairs.filter { $0[0] == group }
      #expect(!members.isEmpty)
      for member in members { #expect(page.contains("  \(group) \(member[1])"), "\(member)") }
    }
  }

  private static let groups = [
    "bundle", "delta", "haptics", "planned", "profile", "routes", "suite", "track", "trails",
    "waypoints",
  ]

  @Test("help and a command is the page of that command")
  func command() throws {
    #expect(try output("help", "route") == output("route", "--help"))
    #expect(try output("help", "track", "stats") == output("track", "stats", "--help"))
    // Also if another one begins with it.
    let navigate = try output("navigate", "--help")
    #expect(try output("help", "navigate") == navigate && navigate.contains("Examples:"))
    let unknown = try Executables.run("cairn", ["help", "rout"])
    #expect(unknown.status == 64 && unknown.stderr.contains("did you mean route?"))
  }
}
