// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("Commands that are given no manifest, or a folder")
struct UsualManifestTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["alps", "empty"] { try makeFolders(folder.file(name)) }
    try folder.write(
      """
      cairn: 1
      name: usual
      output: .
      sources: { valley: { pbf: "\(packageRoot)/sample-data/valley.osm.pbf" } }
      profiles: [hiking]
      defaults: { source: valley }
      regions: [{ id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }]

      """, to: "alps/cairn.yaml")
    try folder.write("", to: "empty/other.yaml")
  }

  private func cairn(in name: String? = "alps", _ words: String...) throws -> ProcessResult {
    try cairn(in: name, words)
  }

  private func cairn(in name: String?, _ words: [String]) throws -> ProcessResult {
    try runProcess(
      "\(Executables.folder)/cairn", words, environment: Executables.environment,
      in: name.map(folder.file) ?? folder.path)
  }

  @Test("they take cairn.yaml of the current folder, or of the folder that they are given")
  func found() throws {
    #expect(try cairn("run", "-q").status == 0)
    for words in [
      ["status"], ["plan"], ["explain-run"], ["gc"], ["warnings"], ["manifest", "check"],
    ] {
      let here = try cairn(in: "alps", words)
      #expect(here.status == 0, "\(words): \(here.stderr)")
      let beside = try cairn(in: nil, words + ["alps"])
      #expect(beside.status == 0, "\(words): \(beside.stderr)")
    }
    #expect(try cairn(in: nil, "report", "alps", "--output", "run.html").status == 0)
    #expect(try cairn(in: nil, "doctor", "alps").stdout.contains("1 region, all files exist"))
  }

  @Test("a region may be named without the manifest, though a folder has its name")
  func regions() throws {
    #expect(try cairn("run", "-q").status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("alps/west")))
    #expect(try cairn("warnings", "west").stdout.hasPrefix("west"))
    #expect(try cairn("explain-run", "west").stdout.hasPrefix("west"))
    #expect(try cairn("explain-run", ".", "west").stdout.hasPrefix("west"))
    let other = try cairn("explain-run", "east")
    #expect(other.status == 64 && other.stderr.contains("east"))
    let rollback = try cairn("rollback", "west")
    #expect(rollback.status != 0 && rollback.stderr.contains("west"))
    #expect(try cairn("rollback").status == 64)
    let second = try cairn("rollback", "west", "east")
    #expect(second.status == 64 && second.stderr.contains("unexpected argument “east”"))
  }

  @Test("where there is none, they say so, and what to do")
  func missing() throws {
    let here = try cairn(in: "empty", "run")
    #expect(here.status == 66)
    #expect(here.stderr.contains("the current folder has no cairn.yaml"))
    #expect(here.stderr.contains("cairn init"))
    let named = try cairn(in: nil, "run", "empty")
    #expect(named.status == 66 && named.stderr.contains("empty: has no cairn.yaml"))
  }
}
