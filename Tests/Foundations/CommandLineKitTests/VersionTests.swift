// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Foundation
import TestSupport
import Testing

@Suite("The version of a program")
struct VersionTests {
  /// A prefix with a folder for executables and, unless it is nil, the text of `share/cairn/version`.
  private func prefix(_ place: String, version: String?) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in [place, "share/cairn"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    if let version { try folder.write(version, to: "share/cairn/version") }
    return folder
  }

  @Test("a program that was not installed says its version in one line")
  func notInstalled() throws {
    let folder = try prefix("bin", version: nil)
    let text = versionText(of: "cairn", executableFolder: folder.file("bin"))
    #expect(text == "cairn \(cairnVersion)\n")
  }

  @Test(
    "an installed program also says what it was built from", arguments: ["bin", "libexec/cairn"])
  func installed(place: String) throws {
    let folder = try prefix(place, version: "commit 0123abcd\nSwift 6.1, zlib 1.2.13\n")
    let text = versionText(of: "cairn run", executableFolder: folder.file(place))
    #expect(text == "cairn run \(cairnVersion)\ncommit 0123abcd\nSwift 6.1, zlib 1.2.13\n")
  }

  @Test(
    "a file that is too long, or moves the cursor, does no harm",
    arguments: [
      ("commit \u{1B}[31m\n", "commit \\u{1B}[31m\n"), (String(repeating: "x\n", count: 5000), ""),
    ])
  func strange(content: String, shown: String) throws {
    let folder = try prefix("bin", version: content)
    let text = versionText(of: "cairn", executableFolder: folder.file("bin"))
    #expect(text == "cairn \(cairnVersion)\n" + shown)
  }
}
