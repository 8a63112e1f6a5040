// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

/// Results are not flushed to the disk: after another start of the system, nothing says that they are
/// whole.
@Suite("Results after a restart", .enabled(if: systemStart != nil, "the system does not name it"))
struct RestartTests {
  private let world: World

  init() throws { world = try World() }

  /// Makes it look as if the system had been started again since the last run.
  private func restart() throws {
    for name in try folderContents(world.folder.file("out/.cairn/actions")) {
      let path = "out/.cairn/actions/\(name)/result.json"
      try world.folder.write(try restarted(path), to: path)
    }
    let digests = "out/.cairn/digests.json"
    try world.folder.write(try restarted(digests), to: digests)
  }

  private func restarted(_ path: String) throws -> String {
    try world.text(path).replacing(try #require(systemStart), with: "another start")
  }

  /// Changes the result of a stage, but not its size or its times.
  private func damage(_ stage: String, _ file: String) throws {
    let key = try world.text("out/.cairn/latest/west.\(stage)").prefix { $0 != "\n" }
    let path = world.folder.file("out/.cairn/actions/\(key)/\(file)")
    var status = stat()
    try #require(stat(path, &status) == 0)
    let descriptor = open(path, O_WRONLY)
    try #require(pwrite(descriptor, "\0", 1, 0) == 1)
    close(descriptor)
    var times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
  }

  @Test("results that are whole are used, after they were read once")
  func whole() throws {
    try world.run(regions: ["west"])
    try restart()
    let summary = try world.run(regions: ["west"])
    #expect(world.calls.isEmpty)
    #expect(summary.regions.map(\.status) == [.cached])
    // What was read was on the disk, so it is remembered for good.
    #expect(try !world.text("out/.cairn/digests.json").contains("another start"))
  }

  @Test("a result that is not whole is made again", arguments: ["build-graph", "sample-elevation"])
  func torn(stage: String) throws {
    try world.run(regions: ["west"])
    let before = try world.publishedFiles
    try restart()
    try damage(stage, stage == "build-graph" ? "region.graph" : "region.elevated")
    try world.run(regions: ["west"])
    #expect(world.calls == [stage])
    #expect(try world.publishedFiles == before)
  }

  @Test("a digest is not trusted if the file was written and not flushed before the last start")
  func digests() throws {
    let path = try world.folder.write("content", to: "file")
    let cachePath = world.folder.file("digests.json")
    for isFlushed in [true, false] {
      let cache = DigestCache(cachePath)
      cache.remember("recorded", ofFile: path, isFlushed: isFlushed)
      try cache.save()
      #expect(try DigestCache(cachePath).digest(ofFile: path) == "recorded")
      let text = try world.text("digests.json")
      try world.folder.write(
        text.replacing(try #require(systemStart), with: "another start"), to: "digests.json")
      let digest = try DigestCache(cachePath).digest(ofFile: path)
      #expect(digest == (isFlushed ? "recorded" : SHA256Digest.ofText("content")))
    }
  }

  @Test("stages are told the memory of the manifest, or what a bounded run reserved for them")
  func memory() throws {
    try world.folder.write(
      world.text("m.yaml") + "\nresources: { build-graph: { memory: 2048 } }\n", to: "m.yaml")
    func bounded() throws -> [Substring] {
      try world.text("bin/calls").split(separator: "\n").filter { $0.contains(" --memory ") }
    }
    try world.run(regions: ["west"])
    #expect(try bounded().map { $0.contains("--memory 2048MiB") } == [true])
    try world.run(regions: ["west"], force: true) {
      $0.memoryBytes = 32 << 20
      $0.attempts.boundsMemory = true
    }
    #expect(try bounded().count == 5)
    #expect(try bounded().count { $0.contains("--memory 32MiB") } >= 3)
  }

  @Test("stages on this machine are told not to flush")
  func option() throws {
    try world.run(regions: ["west"])
    let calls = try world.text("bin/calls").split(separator: "\n")
    #expect(calls.count == 5 && calls.allSatisfy { $0.hasSuffix(" --no-flush") })
  }
}
