// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("What cairn manifest check finds before a run does")
struct ManifestFilesTests {
  /// The first line of what the check says of a manifest, without folders.
  private func finding(_ world: World, data: Manifest.DataCheck = .ifPresent) throws -> String? {
    do throws(CairnError) {
      let manifest = try Manifest.load(world.folder.file("m.yaml"))
      try manifest.checkFiles(regions: manifest.regions, data: data)
      try manifest.checkCommands()
      try manifest.checkOutput()
      return nil
    } catch {
      return error.description.split(separator: "\n").first.map {
        String($0.replacing(world.folder.path + "/", with: ""))
      }
    }
  }

  @Test("a valid manifest has no findings")
  func valid() throws {
    let world = try World()
    #expect(try finding(world, data: .required) == nil)
    try world.run()
    #expect(try finding(world, data: .required) == nil)
  }

  @Test(
    "a profile that appears twice is found, under whatever name",
    arguments: [
      ("[hiking, mine.yaml]", "[hiking, mine.yaml, hiking]", "value 3 of “profiles” appears twice"),
      ("[hiking, mine.yaml]", "[mine.yaml, mine.yaml]", "value 2 of “profiles” appears twice"),
      ("[hiking, mine.yaml]", "[mine.yaml, other.yaml]", "the profile “mine” appears twice"),
      (
        "name: West,", "name: West, variants: [{ name: v, profiles: [mine.yaml, other.yaml] }],",
        "the profile “mine” appears twice"
      ),
    ])
  func profiles(good: String, bad: String, problem: String) throws {
    let world = try World()
    try world.folder.write("cairn-profile: 1\nname: mine\n", to: "other.yaml")
    try world.change(good, to: bad)
    let found = try finding(world)
    #expect(found?.contains(problem) == true, "\(found ?? "nothing")")
  }

  @Test(
    "a file where a folder belongs is found, and a folder where a file belongs",
    arguments: [
      ("hgt: hgt", "hgt: mine.yaml", "mine.yaml is a file, but must be a folder"),
      ("pbf: valley.osm.pbf", "pbf: hgt", "hgt is a folder, but must be a file"),
      ("bbox: [10.00, 47.00, 10.10, 47.10]", "polygon: hgt", "hgt is a folder, but must be a file"),
      ("hiking, mine.yaml", "hiking, ./hgt", "hgt is a folder, but must be a file"),
      ("output: out", "output: mine.yaml", "mine.yaml: is a file, but must be a folder"),
      (
        "regions:",
        "stages: [{ name: s, command: [./hgt, \"{output}\"], after: validate, outputs: [a] }]\nregions:",
        "program “./hgt” not found"
      ),
    ])
  func kinds(good: String, bad: String, problem: String) throws {
    let world = try World()
    try world.change(good, to: bad)
    let found = try finding(world)
    #expect(found?.contains(problem) == true, "\(found ?? "nothing")")
  }

  @Test("a source that is plainly of the other format is found")
  func format() throws {
    let world = try World()
    try world.folder.write("\n<?xml version=\"1.0\"?><osm/>", to: "valley.osm.pbf")
    #expect(try finding(world)?.contains("write overpass: instead of pbf:") == true)
    let sample = "\(packageRoot)/sample-data/valley.osm.pbf"
    try world.folder.write(try bytesOfFile(sample), to: "valley.osm.pbf")
    #expect(try finding(world) == nil)
    try world.change("pbf: valley", to: "overpass: valley")
    #expect(try finding(world)?.contains("write pbf: instead of overpass:") == true)
  }

  @Test("a name that fits on no command line is refused")
  func longNames() throws {
    let world = try World()
    let name = String(repeating: "x", count: 1001)
    try world.change("name: West", to: "name: \(name)")
    #expect(try finding(world)?.contains("must have at most 1000 bytes") == true)
    for label in [name, "two\\nlines"] {
      let found = try FullManifest().problems(
        FullManifest.good, parks: FullManifest.parks.replacing("East Park", with: label))
      #expect(
        found.contains { $0.contains("a name in feature 1 that is not one line") }, "\(found)")
    }
  }

  @Test("missing sources and tiles are found if they are required")
  func missingData() throws {
    let world = try World()
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    #expect(try finding(world) == nil)
    #expect(try finding(world, data: .required)?.contains("does not exist") == true)
  }

  @Test("a folder in the place of a bundle is found, and a file in that of the index")
  func foreignOutput() throws {
    let world = try World()
    try makeFolders(world.folder.file("out/east"))
    #expect(try finding(world) == nil, "it is empty")
    try world.folder.write("mine", to: "out/east/mine.txt")
    #expect(try finding(world)?.contains("out/east: exists and is not a Cairn bundle") == true)
    try FileManager.default.removeItem(atPath: world.folder.file("out/east"))
    try world.folder.write("mine", to: "out/index.json")
    #expect(try finding(world)?.contains("is not a Cairn index") == true)
  }

  @Test("a check of elevations is refused where nothing is said of any")
  func coverage() throws {
    let world = try World()
    try world.change("min-edges: 50", to: "min-edges: 50, elevation-coverage: 0.5")
    try world.change("elevation: [{ hgt: hgt }]\n", to: "")
    #expect(try finding(world)?.contains("cannot pass the check elevation-coverage") == true)
    #expect(try finding(world)?.contains("or elevation: none") == true)
    try world.change("profiles:", to: "elevation: none\nprofiles:")
    #expect(try finding(world) == nil, "what the message advises")
  }

  @Test("a manifest may do without elevation, by saying so or by saying nothing")
  func withoutElevation() throws {
    for (line, isNoted) in [("elevation: none\n", false), ("", true)] {
      let world = try World()
      try world.change("elevation: [{ hgt: hgt }]\n", to: line)
      let summary = try world.run()
      #expect(summary.exitCode == .success)
      #expect(!world.calls.contains("sample-elevation"))
      #expect(pathExists(world.folder.file("out/west/west.routing.db")))
      let notes = world.events.compactMap { event -> String? in
        if case .note(_, let message) = event { message } else { nil }
      }
      #expect(notes.filter { $0.contains("has no elevation") }.count == (isNoted ? 1 : 0))
      #expect(try world.run().isNothingToDo)
    }
  }

  @Test("a custom stage cannot follow elevations that nobody samples")
  func customStage() throws {
    let full = try FullManifest()
    let found = full.problems(
      FullManifest.good.replacing("elevation: [{ hgt: hgt }]", with: "elevation: none"))
    #expect(found.contains { $0.contains("sample-elevation") }, "\(found)")
  }
}
