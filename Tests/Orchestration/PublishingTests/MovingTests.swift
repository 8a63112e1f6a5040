// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import Manifests
import Planning
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Publishing

/// A folder of another file system than that of temporary files; nil if this machine has none.
private let otherFileSystem: String? = {
  var (here, there) = (stat(), stat())
  guard stat(FileManager.default.temporaryDirectory.path, &here) == 0,
    stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev, access("/dev/shm", W_OK) == 0
  else { return nil }
  return "/dev/shm"
}()

@Suite("Publishing where the file system cannot rename or exchange folders")
struct MovingTests {
  private func publisher(_ world: World) throws -> Publisher {
    OutputFolder(try Manifest.load(world.folder.file("m.yaml"))).publisher()
  }

  @Test("two bundles are exchanged in steps, and the published one returns if a step fails")
  func replacing() throws {
    let world = try World()
    try world.run()
    let publisher = try publisher(world)
    let before = try world.text("out/west/bundle.json")
    let staged = world.folder.file("out/.cairn/staging/west")
    try makeFolders(staged)
    try world.folder.write("{}", to: "out/.cairn/staging/west/new")
    try publisher.files.replace(world.folder.file("out/west"), with: staged)
    #expect(try world.text("out/west/new") == "{}")
    #expect(try world.text("out/.cairn/staging/west/bundle.json") == before)
    try publisher.files.replace(world.folder.file("out/west"), with: staged)
    #expect(try world.text("out/west/bundle.json") == before)
    let absent = world.folder.file("out/.cairn/staging/east")
    #expect(throws: CairnError.self) {
      try publisher.files.replace(world.folder.file("out/west"), with: absent)
    }
    #expect(try world.text("out/west/bundle.json") == before)
  }

  @Test(
    "a bundle is copied whole to another file system, and removed here after that",
    .enabled(if: otherFileSystem != nil, "needs /dev/shm"))
  func otherMount() throws {
    let world = try World()
    try world.run()
    let publisher = try publisher(world)
    let files = try world.publishedFiles
    let home = (otherFileSystem ?? "") + "/cairn-test-\(UUID().uuidString)"
    try makeFolders(home)
    defer { try? FileManager.default.removeItem(atPath: home) }
    let folder = world.folder.file("out/west")
    try publisher.files.move(folder, to: home + "/west")
    #expect(!pathExists(folder))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home) == ["west"])
    // What a run left that was killed while it copied.
    try makeFolders(world.folder.file("out/.west.moving.tmp"))
    try world.folder.write("{}", to: "out/.west.moving.tmp/bundle.json")
    try publisher.files.move(home + "/west", to: folder)
    #expect(try world.publishedFiles == files)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
    #expect(try world.run().regions.map(\.status) == [.cached, .cached])
  }

  @Test(
    "a folder with files of others is not moved in pieces",
    .enabled(if: otherFileSystem != nil, "needs /dev/shm"))
  func foreignFolders() throws {
    let world = try World()
    try world.run()
    let home = (otherFileSystem ?? "") + "/cairn-test-\(UUID().uuidString)"
    try makeFolders(home)
    defer { try? FileManager.default.removeItem(atPath: home) }
    try makeFolders(world.folder.file("out/west/photos"))
    let files = try world.publishedFiles
    let publisher = try publisher(world)
    #expect(throws: CairnError.self) {
      try publisher.files.move(world.folder.file("out/west"), to: home + "/west")
    }
    #expect(try world.publishedFiles == files)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
  }
}
