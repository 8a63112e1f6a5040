// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Elevation
import Foundation
import Manifests
import Planning
import SystemIO
import TestSupport
import Testing

@testable import ResultStore

@Suite("Action keys and digests")
struct ActionKeyTests {
  private func key(_ pairs: (String, String)...) throws -> ActionKey {
    ActionKey(pairs.map { ActionKey.Component(name: $0.0, value: $0.1) })
  }

  @Test("equal components always give the same key")
  func isStable() throws {
    let key = try key(("stage", "build-graph 1"), ("input", "abc"))
    #expect(key.digest == "2c5ba7c0c882b66ba67dfb06e52534780174502dc2a673eb4b7f2fe367540660")
    #expect(try self.key(("stage", "build-graph 1"), ("input", "abd")).digest != key.digest)
    #expect(try self.key(("stage", "build-graph 1i"), ("nput", "abc")).digest != key.digest)
  }

  @Test("no result of version 0.1.0 but a download is taken for one of this version")
  func formatVersions() {
    for stage in Stage.builtIn where stage.isProcess {
      #expect(stage.formatVersion > (stage.cutsRegions ? 2 : 1), "\(stage.rawValue)")
    }
    #expect(Stage.fetch(product: "a").formatVersion == 1)
  }

  @Test("keys that differ in nothing but changes to the source are told from all others")
  func differencesInChanges() throws {
    let key = try key(("stage", "1"), ("source a", "2"), ("changes 1", "3")).components
    for (other, isLike) in [
      ([("stage", "1"), ("source a", "2"), ("changes 1", "4")], true),
      ([("stage", "1"), ("source a", "3"), ("changes 1", "4")], false),
      ([("stage", "2"), ("source a", "2"), ("changes 1", "4")], false),
      ([("stage", "1"), ("source a", "2"), ("changes 2", "3")], false),
      ([("stage", "1"), ("source a", "2")], false),
    ] {
      let components = other.map { ActionKey.Component(name: $0.0, value: $0.1) }
      #expect(components.differOnlyInChanges(from: key) == isLike, "\(other)")
    }
  }

  @Test("the differences of two keys are described")
  func explains() throws {
    let old = try key(("executable", "1"), ("profile a.yaml", "2"), ("profile b.yaml", "3"))
    let new = try key(("executable", "1"), ("profile a.yaml", "9"), ("profile c.yaml", "3"))
    func texts(_ earlier: ActionKey) -> [String] {
      new.changes(since: earlier.components).map(\.description)
    }
    #expect(
      texts(old) == ["profile a.yaml changed", "profile c.yaml is new", "profile b.yaml is gone"])
    #expect(texts(new) == ["its result is gone"])
  }

  @Test("of several inputs of one name, only the changed one is told")
  func sameNames() throws {
    let old = try key(("raster", "1"), ("raster", "2"), ("raster", "3"))
    let new = try key(("raster", "1"), ("raster", "9"))
    let changes = new.changes(since: old.components)
    #expect(changes.map(\.description) == ["raster changed", "raster is gone"])
    #expect(changes.map(\.old) == ["2", "3"])
  }

  @Test("an unchanged file is read once, and again when it changes")
  func cachesDigests() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("one", to: "a")
    let cache = DigestCache(folder.file("digests.json"))
    cache.remember("known", ofFile: path)
    try cache.save()
    #expect(try DigestCache(folder.file("digests.json")).digest(ofFile: path) == "known")
    try folder.write("two", to: "a")
    #expect(
      try DigestCache(folder.file("digests.json")).digest(ofFile: path)
        == SHA256Digest.ofText("two"))
  }

  @Test("the digest of a file that just changed is not kept for the next run")
  func doesNotTrustTheClock() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("one", to: "a")
    let cache = DigestCache(folder.file("digests.json"))
    #expect(try cache.digest(ofFile: path) == SHA256Digest.ofText("one"))
    try cache.save()
    #expect(try folder.read("digests.json").count < 60)
  }

  @Test("a damaged cache is empty")
  func survivesDamage() throws {
    let folder = try TemporaryFolder()
    let cache = DigestCache(try folder.write("{\"version\": 1, \"files\": [", to: "digests.json"))
    let path = try folder.write("one", to: "a")
    #expect(try cache.digest(ofFile: path) == SHA256Digest.ofText("one"))
  }

  @Test("the digest of a folder of tiles depends only on the names and contents of its tiles")
  func digestsTiles() throws {
    let folder = try TemporaryFolder()
    let cache = DigestCache(folder.file("digests.json"))
    try folder.write("tile", to: "N47E010.hgt")
    let first = try cache.digest(ofTiles: folder.path)
    try folder.write("hello", to: "README")
    #expect(try cache.digest(ofTiles: folder.path) == first)
    try folder.write("tile", to: "S01W001.hgt.zip")
    #expect(try cache.digest(ofTiles: folder.path) != first)
  }

  @Test("an executable is identified by its build id, and a damaged one by its digest")
  func readsBuildID() throws {
    var program: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 170)
    program[32] = 64  // the program headers begin here
    program[54] = 56  // the size of one
    program[56] = 1  // how many there are
    program[64] = 4  // a segment of notes
    program[72] = 120  // where it begins
    program[96] = 52  // its size
    program[120...] = [4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0] + Array("ABC\0".utf8)
    program += [4, 0, 0, 0, 16, 0, 0, 0, 3, 0, 0, 0] + Array("GNU\0".utf8) + Array(1...16)
    program[96] = 16 + 16 + 16
    #expect(buildID(ofELF: program) == Array(1...16))
    for length in program.indices { #expect(buildID(ofELF: Array(program[..<length])) == nil) }
    for place in 0..<136 {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var broken = program
        broken[place] = value
        _ = buildID(ofELF: broken)
      }
    }
    #expect(buildID(ofELF: Array("#!/bin/sh\n".utf8)) == nil)
  }

  @Test(
    "a tile counts under every name under which it is read",
    arguments: [
      ("N47E010.hgt", true), ("s01w179.HGT.gz", true), ("N00E000.hgt.zip", true),
      ("N47E010.SRTMGL1.hgt.zip", true), ("n47e010_v3.hgt", true),
      ("N47E010.SRTMSWBD.hgt.gz", true), ("N47E010hgt.zip", true), ("n47e010.zip", true),
      ("NASADEM_HGT_n47e010.zip", true), ("N47E010.SRTMSWBD.raw.zip", false),
      ("N47E010.tif", false), ("X47E010.hgt", false), ("N4xE010.hgt", false), (".hgt", false),
      ("N47E0105.hgt", false), ("N47E010.hgt.tmp", false), ("README", false),
    ])
  func countsTiles(name: String, isTile: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = DigestCache(folder.file("digests.json"))
    let empty = try cache.digest(ofTiles: folder.path)
    try folder.write("tile", to: name)
    let first = try cache.digest(ofTiles: folder.path)
    #expect((first != empty) == isTile)
    #expect(try ElevationSource(folder: folder.path).tiles.isEmpty == !isTile)
    try folder.write("another tile", to: name)
    #expect(try (cache.digest(ofTiles: folder.path) != first) == isTile)
  }
}
