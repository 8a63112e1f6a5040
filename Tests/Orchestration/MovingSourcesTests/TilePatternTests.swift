// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Elevation
import Foundation
import Manifests
import Pipeline
import Planning
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MovingSources

@Suite("Elevation tiles that are downloaded")
struct TilePatternTests {
  private static let url = "https://example.org/{lat-band}/{tile}.hgt.gz?key=secret"
  private let folder: TemporaryFolder
  private let asked = Asked()

  /// A server that has all tiles of the north, but no `N47E009`, and the names of the tiles that were
  /// asked for.
  private final class Asked: SourceSupply {
    let names = Mutex<[String]>([])

    func has(_ source: Manifest.Source, _ sha256: String, bytes: Int) -> Bool { false }

    func ask(_ request: FetchRequest) throws(CairnError) -> FetchAnswer {
      let name = splitPath(request.url).name
      names.withLock { $0.append(String(name.prefix(7))) }
      guard name.hasPrefix("N47E010") else {
        throw CairnError(.notOnServer, .noInput, "the server answered 404")
      }
      return .received(ReceivedFile(sha256: SHA256Digest.ofText("tile"), bytes: 4))
    }

    func cachedBytes(_ sha256: String) -> Int? { nil }

    func takeFromCache(_ sha256: String, as path: String) throws(CairnError) -> Bool {
      try AtomicOutput.write(Array("tile".utf8), to: path) { _ in true }
      return true
    }

    func digest(ofFile path: String) -> String? { try? SHA256Digest.ofFile(path) }
  }

  init() throws { folder = try TemporaryFolder() }

  @Test("a pattern gives the URL and the file of a tile")
  func fills() throws {
    let pattern = try #require(TilePattern(Self.url))
    let tile = try #require(ElevationTileID(latitude: -3, longitude: -77))
    #expect(pattern.url(of: tile) == "https://example.org/S03/S03W077.hgt.gz?key=secret")
    #expect(pattern.fileName(tile) == "S03W077.hgt.gz")
  }

  @Test("the archives of any server have a pattern")
  func archives() throws {
    let tile = try #require(ElevationTileID(latitude: 47, longitude: 10))
    for name in ["{tile}.zip", "{tile}hgt.zip", "NASADEM_HGT_{tile}.zip"] {
      let pattern = try #require(TilePattern("https://a/\(name)"))
      #expect(pattern.fileName(tile) == name.replacingOccurrences(of: "{tile}", with: "N47E010"))
    }
  }

  @Test(
    "a URL without the name of a tile at its end is no pattern",
    arguments: [
      "https://a/N42E001.zip", "https://a/N42E001.hgt", "https://a/{tile}/x",
      "https://a/{tile}.png", "https://a",
    ])
  func refusesOthers(url: String) { #expect(TilePattern(url) == nil) }

  @Test(
    "a box touches tiles, with a margin, also across the antimeridian and at the poles",
    arguments: [
      ((10.0, 47.1, 10.1, 47.2), ["N47E009", "N47E010"]),
      ((10.1, 47.1, 10.9, 47.9), ["N47E010"]),
      ((179.5, -0.5, -179.5, -0.1), ["S01W180", "S01E179"]),
      ((-180.0, 10.5, -179.5, 10.6), ["N10W180", "N10E179"]),
      ((0.5, 89.5, 0.6, 90.0), ["N89E000"]),
      ((1.4, 42.42, 1.98, 42.98), ["N42E001", "N42E002", "N43E001", "N43E002"]),
    ])
  func findsTiles(box: (Double, Double, Double, Double), names: [String]) {
    let bounds = BoundingBox(west: box.0, south: box.1, east: box.2, north: box.3)
    #expect(TilePattern.tiles(of: bounds)?.map(\.description) == names)
  }

  @Test("the world has too many tiles")
  func limits() { #expect(TilePattern.tiles(of: .world) == nil) }

  private func manifest() throws -> Manifest {
    try Manifest.load(
      folder.write(
        """
        cairn: 1
        name: test
        output: \(folder.file("out"))
        sources: { near: { pbf: near.osm.pbf } }
        elevation: [{ hgt: own }, { url: "\(Self.url)" }]
        defaults: { source: near }
        regions:
          - { id: west, name: West, bbox: [10.00, 47.10, 10.10, 47.20] }
          - { id: east, name: East, bbox: [10.10, 47.10, 10.20, 47.20] }
          - { id: sea, name: Sea, bbox: [0.1, 0.1, 0.2, 0.2] }
        """, to: "m.yaml"))
  }

  private func resolve(_ mode: SourceResolver.Mode = .asking, isUpdating: Bool = false) throws
    -> Manifest
  {
    asked.names.withLock { $0 = [] }
    let manifest = try manifest()
    var resolver = SourceResolver(
      manifest, manifest.regions, mode: mode, shapes: RegionShapes(), supply: asked)
    resolver.isUpdating = isUpdating
    return try resolver.resolve()
  }

  private var requests: [String] { asked.names.withLock { $0.sorted() } }

  @Test("each region gets a folder of its tiles; what the server lacks is sea and asked for once")
  func resolves() throws {
    let manifest = try resolve()
    #expect(requests == ["N00E000", "N47E009", "N47E010"])
    let pattern = try #require(manifest.elevation.last)
    #expect(manifest.elevation.first?.path(for: manifest.regions[0]).hasSuffix("/own") == true)
    for region in manifest.regions.dropLast() {
      #expect(try folderContents(pattern.path(for: region)) == ["N47E010.hgt.gz"])
      #expect(manifest.tileObstacles[region.id] == nil)
    }
    #expect(manifest.tileObstacles["sea"]?.message == "there is no tile of region “sea”")
    let text = String(decoding: try folder.read("m.lock.json"), as: UTF8.self)
    #expect(!text.contains("secret"))
    let words = try Plan(manifest, selection: ["west"]).actions.first {
      $0.stage == .sampleElevation
    }?.arguments.map(\.symbol)
    #expect(words?.contains(pattern.path(for: manifest.regions[0])) == true)

    // Once more, and without a server.
    for mode in [SourceResolver.Mode.asking, .frozen, .offline, .planning] {
      #expect(try resolve(mode).tileObstacles.keys.sorted() == ["sea"])
      #expect(requests == [])
    }
    _ = try resolve(isUpdating: true)
    #expect(requests == ["N00E000", "N47E009", "N47E010"])
  }

  @Test("looking ahead asks nobody and makes no folder")
  func looksAhead() throws {
    let manifest = try manifest().locked()
    #expect(manifest.tileObstacles["west"]?.code == .notAskedYet)
    #expect(!pathExists(folder.file("out")))
  }

  @Test("gc removes the tiles of former regions, and no others")
  func collects() throws {
    var manifest = try resolve()
    for name in Stage.processNames {
      let path = try folder.write("#!/bin/sh\n", to: "cairn-\(name)")
      chmod(path, 0o755)
    }
    try folder.write("mine", to: "out/.cairn/tiles/notes.txt")
    manifest.regions.removeAll { $0.id == "east" }
    let options = Orchestrator.Options(
      programs: StagePrograms(folder: folder.path), parallelism: 1)
    let collector = try GarbageCollector(
      Plan(manifest, selection: nil), OutputFolder(manifest), options)
    let items = try collector.items()
    let root = try #require(manifest.elevation.last).path
    #expect(items.map(\.path) == [joinPath(root, "east/N47E010.hgt.gz")])
    #expect(try collector.remove(items).isEmpty)
    #expect(try folderContents(root) == ["west"])
    #expect(pathExists(folder.file("out/.cairn/tiles/notes.txt")))
  }

  @Test("a damaged tile is replaced, and one that the region no longer touches goes")
  func repairs() throws {
    let manifest = try resolve()
    let path = try #require(manifest.elevation.last).path(for: manifest.regions[0])
    let tile = joinPath(path, "N47E010.hgt.gz")
    try FileManager.default.removeItem(atPath: tile)
    try Data("TILE".utf8).write(to: URL(fileURLWithPath: tile))
    try Data().write(to: URL(fileURLWithPath: joinPath(path, "N50E010.hgt.gz")))
    _ = try resolve()
    #expect(try folderContents(path) == ["N47E010.hgt.gz"])
    #expect(try SHA256Digest.ofFile(tile) == SHA256Digest.ofText("tile"))
  }
}
