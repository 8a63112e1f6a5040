// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Planning
import RunCommands
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Publishing

/// Where a run was killed while it replaced a bundle.
private enum Stop: CaseIterable {
  /// Only the record of the new bundle is staged.
  case begun
  /// The new bundle is complete.
  case staged
  /// So is the next index.
  case indexed
  /// Without an exchange of folders: the old bundle was moved away.
  case movedAway
  /// And the new one has its place.
  case movedIn
  /// The two bundles were exchanged.
  case exchanged
  /// And the old one was moved to the place for rollbacks.
  case retired

  /// Whether the new bundle is published.
  var isPublished: Bool { [.movedIn, .exchanged, .retired].contains(self) }
}

@Suite("A run that was killed while it published")
struct RecoveryTests {
  private let world: World
  /// The database of the earlier bundle, and that of the later one.
  private let databases: (earlier: [UInt8], later: [UInt8])
  private static let published = "out/west"
  private static let staging = "out/.cairn/staging"

  /// A world in which a second bundle of west was published.
  init() throws {
    world = try World()
    try world.run()
    let earlier = try world.folder.read("out/west/west.routing.db")
    try Self.copy("out/west", "earlier", world)
    try Self.copy("out/index.json", "earlier.json", world)
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run(regions: ["west"])
    try Self.copy("out/west", "later", world)
    try Self.copy("out/index.json", "later.json", world)
    databases = (earlier, try world.folder.read("out/west/west.routing.db"))
  }

  private static func copy(_ name: String, _ target: String, _ world: World) throws {
    try FileManager.default.copyItem(
      atPath: world.folder.file(name), toPath: world.folder.file(target))
  }

  private func put(_ name: String, at target: String) throws {
    try? FileManager.default.removeItem(atPath: world.folder.file(target))
    try Self.copy(name, target, world)
  }

  /// Brings the output into the state in which a run that publishes the later bundle stops.
  private func stop(at stop: Stop) throws {
    let staged = Self.staging + "/west"
    if stop != .retired {
      try FileManager.default.removeItem(atPath: world.folder.file("out/.cairn/previous/west"))
    }
    try put("earlier.json", at: "out/index.json")
    if ![.begun, .staged].contains(stop) {
      try put("later.json", at: Self.staging + "/index.json")
    }
    switch stop {
    case .begun:
      try put("earlier", at: Self.published)
      try makeFolders(world.folder.file(staged))
      try put("later/bundle.json", at: staged + "/bundle.json")
      try world.folder.write("half", to: staged + "/.west.routing.db.tmp")
    case .staged, .indexed:
      try put("earlier", at: Self.published)
      try put("later", at: staged)
    case .movedAway:
      try put("earlier", at: staged + ".old")
      try put("later", at: staged)
      try FileManager.default.removeItem(atPath: world.folder.file(Self.published))
    case .movedIn: try put("earlier", at: staged + ".old")
    case .exchanged: try put("earlier", at: staged)
    case .retired: break
    }
  }

  private var database: [UInt8] { get throws { try world.folder.read("out/west/west.routing.db") } }

  private func rollBack() -> ExitCode {
    CommandRunner.run(RollbackCommand.self, ["-q", world.folder.file("m.yaml"), "west"])
  }

  @Test(
    "a rollback after the next run gives the earlier bundle, wherever a run was killed",
    arguments: Stop.allCases)
  fileprivate func rollsBackLater(place: Stop) throws {
    try stop(at: place)
    #expect(try world.run(regions: ["west"]).exitCode == .success)
    #expect(try database == databases.later)
    #expect(rollBack() == .success)
    #expect(try database == databases.earlier)
    #expect(try folderContents(world.folder.file(Self.staging)) == [])
  }

  @Test(
    "a rollback at once gives the earlier bundle, or says that it is published still",
    arguments: Stop.allCases)
  fileprivate func rollsBackAtOnce(place: Stop) throws {
    try stop(at: place)
    #expect(rollBack() == (place.isPublished ? .success : .noInput))
    #expect(try database == databases.earlier)
  }

  /// Replaces the bundle of a region by the earlier one, as a run does.
  private func publishEarlier(_ id: String, in index: PublishedIndex) throws {
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    let record = try #require(BundleRecord(inFolder: world.folder.file("earlier")))
    let entry = index.entry(record, nil, of: "test", .fresh)
    try index.publish(id, as: entry, of: manifest) { try put("earlier", at: Self.published) }
  }

  private var listed: [UInt8] { get throws { try world.folder.read("out/index.json") } }

  @Test("of many bundles published at once the index is written at the end, or by the next run")
  func indexAtTheEnd() throws {
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    let folder = OutputFolder(manifest)
    var index = folder.publisher().index
    index.secondsBetweenWrites = .infinity
    let mark = world.folder.file(Self.staging + "/index.outdated")
    try publishEarlier("west", in: index)
    let first = try listed
    #expect(first != (try world.folder.read("later.json")) && !nameExists(mark))
    try put("later", at: Self.published)
    try publishEarlier("west", in: index)
    try put("later", at: Self.published)
    try index.publish("east", as: nil, of: manifest) {}
    #expect(try listed == first && nameExists(mark))
    // The run ends well.
    try index.write(manifest, ["west": .fresh, "east": .fresh])
    #expect(try listed == world.folder.read("later.json") && !nameExists(mark))
    // The next one is killed.
    try publishEarlier("west", in: index)
    try publishEarlier("west", in: index)
    let files = try #require(BundleRecord(inFolder: world.folder.file("earlier"))).files
    try put("later", at: Self.published)
    folder.publisher().recover { Issue.record("\($0): \($1)") }
    #expect(!nameExists(mark))
    let west = try #require(IndexRecord(inFolder: world.folder.file("out"))?.regions.first)
    #expect(west.files != files)
    #expect(west.files == (try #require(BundleRecord(inFolder: world.folder.file("later")))).files)
  }

  @Test("what was never published is not kept for a rollback")
  func unpublished() throws {
    for place in [Stop.begun, .staged, .indexed] {
      try stop(at: place)
      let manifest = world.folder.file("m.yaml")
      #expect(CommandRunner.run(RollbackCommand.self, ["-q", manifest, "west"]) == .noInput)
      #expect(!nameExists(world.folder.file("out/.cairn/previous/west/1")))
      try makeFolders(world.folder.file("out/.cairn/previous/west"))
    }
  }

  @Test("earlier bundles beyond those that a rollback needs stay when it mends a killed run")
  func keepsMore() throws {
    try stop(at: .exchanged)
    for number in 1...2 {
      try makeFolders(world.folder.file("out/.cairn/previous/west"))
      try put("earlier", at: "out/.cairn/previous/west/\(number)")
    }
    #expect(rollBack() == .success)
    #expect(nameExists(world.folder.file("out/.cairn/previous/west/1/bundle.json")))
  }

  @Test("a bundle that a killed run replaced is kept with a note of the files of others in it")
  func foreignFiles() throws {
    try stop(at: .exchanged)
    try world.folder.write("mine", to: Self.staging + "/west/notes.txt")
    try world.run(regions: ["west"])
    #expect(try world.text("out/.cairn/kept/west.1/notes.txt") == "mine")
    #expect(
      world.events.contains { if case .note(region: "west", _) = $0 { true } else { false } })
  }
}
