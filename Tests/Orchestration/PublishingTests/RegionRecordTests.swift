// SPDX-License-Identifier: Apache-2.0
import Bundles
import CairnDiagnostics
import Foundation
import RunSupport
import TestSupport
import Testing

@testable import Publishing

/// The types with which the app reads `region.json`, as it declares them.
private struct BoundingBox: Codable, Equatable {
  var north: Double
  var south: Double
  var east: Double
  var west: Double
}

private struct Region: Codable {
  var id: UUID
  var name: String
  var boundingBox: BoundingBox
  var zoomLevels: ClosedRange<Int>
  var createdAt: Date
  var tileCount: Int
  var fileSizeBytes: Int64
  var hasRoutingData: Bool
}

private struct RegionMetadata: Codable {
  var id: UUID
  var name: String
  var boundingBox: BoundingBox
  var minZoom: Int
  var maxZoom: Int
  var tileCount: Int
  var hasRoutingData: Bool
}

@Suite("Regions as apps know them")
struct RegionRecordTests {
  private static let given = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"

  private func region<Record: Decodable>(_ world: World, _ id: String, as type: Record.Type)
    throws -> Record
  {
    try JSONDecoder().decode(type, from: Data(world.text("out/\(id)/region.json").utf8))
  }

  @Test("the app reads region.json as its region and as what it knows of one")
  func decodes() throws {
    let world = try World()
    try world.run()
    let west = try region(world, "west", as: Region.self)
    #expect(west.id == regionUUID("west", manifest: "test"))
    #expect(west.name == "West" && west.hasRoutingData && west.tileCount == 0)
    #expect(west.boundingBox == .init(north: 47.1, south: 47, east: 10.1, west: 10))
    #expect(west.zoomLevels == 12...16)
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(west.fileSizeBytes == Int64(bundle.files["west.routing.db"]?.bytes ?? -1))
    let metadata = try region(world, "west", as: RegionMetadata.self)
    #expect(metadata.id == west.id && metadata.minZoom == 12 && metadata.maxZoom == 16)
    let record = try #require(RegionRecord(inFolder: world.folder.file("out/west")))
    #expect(record.manifestId == "west" && record.routingDbFilename == "west.routing.db")
  }

  @Test("a region is as old as its data, and of unknown age at the app's beginning of time")
  func age() {
    func record(_ time: String?) -> RegionRecord {
      RegionRecord(
        uuid: UUID(), manifestId: "a", name: "A",
        box: .init(west: 1, south: 2, east: 3, north: 4), dataTimestamp: time, fileSizeBytes: 1,
        routingDbFilename: "a.routing.db")
    }
    #expect(record("2001-01-02T00:00:00Z").createdAt == 86400)
    #expect(record(nil).createdAt == 0)
    #expect(record("yesterday").createdAt == 0)
  }

  @Test("a UUID follows from the names of manifest and region, or is the region's id")
  func uuids() {
    let west = regionUUID("west", manifest: "alps")
    #expect(west.uuidString == regionUUID("west", manifest: "alps").uuidString)
    // Version 8, variant 1 of RFC 9562.
    let letters = Array(west.uuidString)
    #expect(letters[14] == "8" && "89AB".contains(letters[19]))
    #expect(west != regionUUID("east", manifest: "alps"))
    #expect(west != regionUUID("west", manifest: "pyrenees"))
    #expect(regionUUID(Self.given.lowercased(), manifest: "alps").uuidString == Self.given)
  }

  @Test("databases are named by the UUID where the manifest asks for it, the folder stays")
  func uuidNames() throws {
    let world = try World()
    try world.change(
      "waypoints: false\nsearch: false", to: "bundle: { names: uuid }")
    try world.change("id: west, name", to: "id: west, uuid: \(Self.given), name")
    try world.run()
    let files = try world.publishedFiles.keys.filter { $0.hasPrefix("west/") }.sorted()
    #expect(
      files == [
        "west/\(Self.given).places.db", "west/\(Self.given).routing.db",
        "west/\(Self.given).waypoints.db", "west/bundle.json", "west/region.json",
      ])
    let record = try #require(RegionRecord(inFolder: world.folder.file("out/west")))
    #expect(record.id == Self.given && record.routingDbFilename == "\(Self.given).routing.db")
    let database = world.folder.file("out/west/\(Self.given).routing.db")
    #expect(regionUUID(besideDatabase: database)?.uuidString == Self.given)
    #expect(regionUUID(besideDatabase: world.folder.file("out/west/other.db")) == nil)
    #expect(try world.run().isNothingToDo)
  }

  @Test("names by UUID replace those by id, and drift is measured across the change")
  func renamed() throws {
    let world = try World()
    try world.run()
    try world.change("waypoints: false", to: "bundle: { names: uuid }\nwaypoints: false")
    #expect(try world.run().exitCode == .success)
    #expect(world.calls == [])
    let files = try world.publishedFiles
    #expect(files["west/west.routing.db"] == nil)
    let uuid = regionUUID("west", manifest: "test").uuidString
    #expect(files["west/\(uuid).routing.db"] != nil)
  }

  @Test("the index says what an app shows before it downloads anything")
  func index() throws {
    let world = try World()
    try world.run()
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    let west = try #require(index.regions.first)
    #expect(west.uuid == regionUUID("west", manifest: "test").uuidString)
    #expect(west.boundingBox?.east == 10.1 && west.routingDbFilename == "west.routing.db")
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(west.files == bundle.files && west.totalBytes == bundle.bytes)
    #expect(index.totalBytes == index.regions.reduce(0) { $0 + ($1.totalBytes ?? 0) })
    #expect(index.licence == "ODbL-1.0")
    #expect(west.safety?.highestGrade == "T4" && west.safety == bundle.safety)
  }

  @Test("the app reads its regions from the index, and one that says something else is found")
  func regionsOfIndex() throws {
    struct Index: Decodable {
      struct Entry: Decodable { var region: Region }
      var regions: [Entry]
    }
    let world = try World()
    try world.run()
    let text = try world.text("out/index.json")
    let index = try JSONDecoder().decode(Index.self, from: Data(text.utf8))
    #expect(index.regions.map(\.region.name) == ["West", "East"])
    let west = try region(world, "west", as: Region.self)
    #expect(index.regions[0].region.id == west.id)
    #expect(index.regions[0].region.boundingBox == west.boundingBox)

    let folder = world.folder.file("out/west")
    var entry = try #require(IndexRecord(inFolder: world.folder.file("out"))?.regions.first)
    let bundle = try #require(BundleRecord(inFolder: folder))
    let record = RegionRecord(inFolder: folder)
    #expect(entry.differences(from: bundle, record) == [])
    entry.region?.tileCount = 7
    #expect(entry.differences(from: bundle, record) == ["region"])
    entry.region = nil
    #expect(entry.differences(from: bundle, record) == [], "an index of an earlier version")
  }

  @Test(
    "a bundle of an earlier version, which does not say what can hurt, is read, and so is its index"
  )
  func withoutSafety() throws {
    let world = try World()
    try world.run()
    let path = world.folder.file("out/west/bundle.json")
    let read = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: path)))
    var object = try #require(read as? [String: Any])
    #expect(object.removeValue(forKey: "safety") != nil)
    try JSONSerialization.data(withJSONObject: object).write(to: URL(fileURLWithPath: path))
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.safety == nil && bundle.counts.nodes == 7)
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.first?.differences(from: bundle, nil).contains("safety") == true)
  }

  @Test(
    "UUIDs and names that cannot be are refused with their place",
    arguments: [
      ("id: west", "id: west, uuid: west"), ("search: false", "bundle: { names: short }"),
      ("search: false", "bundle: { name: uuid }"),
    ])
  func refused(old: String, new: String) throws {
    let world = try World()
    try world.change(old, to: new)
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error?.exitCode == .configuration)
  }

  @Test("two regions with one UUID are refused")
  func repeated() throws {
    let world = try World()
    for id in ["west", "east"] {
      try world.change("id: \(id), name", to: "id: \(id), uuid: \(Self.given), name")
    }
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error.map { "\($0)" }?.contains("has the UUID of region “west”") == true)
  }
}
