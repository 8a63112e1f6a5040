// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import OSMInput

@Suite("Earlier results of regions", .serialized)
struct EarlierExtractTests {
  /// Regions of a tenth of a degree, by the latitude of their southern border.
  private static let latitudes: [Int64] = [47, 48, 49]
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Each region has two paths. One of 48 leads far to the north, a route joins 48 and 49, and the
  /// centre of a hut with two far outlines is in 47.
  private static let map: SmallMap = {
    func node(_ id: Int64, _ latitude: Double) -> MapNode {
      MapNode(
        id: id, latitude: Int64(latitude * 1e7), longitude: 100_500_000 + id % 10 * 1000, tags: [:])
    }
    var nodes: [MapNode] = []
    var ways: [MapWay] = []
    for latitude in latitudes {
      let first = latitude * 100
      nodes += (1...4).map { node(first + $0, Double(latitude) + 0.05 + Double($0) / 1000) }
      ways.append(MapWay(id: first + 1, refs: [first + 1, first + 2]))
      ways.append(MapWay(id: first + 2, refs: [first + 2, first + 3, first + 4]))
    }
    nodes.append(node(4809, 48.5))
    ways.append(MapWay(id: 4809, refs: [4801, 4809]))
    for (first, latitude) in [(5000 as Int64, 46.4), (5100, 47.65)] {
      nodes += (1...3).map { node(first + $0, latitude + Double($0) / 1000) }
      ways.append(
        MapWay(id: first, refs: [first + 1, first + 2, first + 3, first + 1], tags: [:]))
    }
    return SmallMap(
      nodes: nodes.sorted { $0.id < $1.id }, ways: ways.sorted { $0.id < $1.id }, relations: 0,
      routes: [
        MapRelation(
          id: 70, members: ["w4801", "w4901"], tags: ["type": "route", "route": "hiking"]),
        MapRelation(
          id: 80, members: ["w5000:outer", "w5100:outer"],
          tags: ["type": "multipolygon", "tourism": "alpine_hut", "name": "Hütte"]),
      ])
  }()

  private static let farWay = """
    <create><node id="9001" version="1" lat="30" lon="10"/><node id="9002" version="1" lat="30.1" \
    lon="10"/><way id="9003" version="1"><nd ref="9001"/><nd ref="9002"/>\
    <tag k="highway" v="path"/></way></create>
    """

  private static func moved(_ node: Int64, _ latitude: Double, version: Int = 2) -> String {
    "<modify><node id='\(node)' version='\(version)' lat='\(latitude)' lon='10.052'/></modify>"
  }

  private static func box(_ latitude: Int64) -> String { "10,\(latitude),10.1,\(latitude).1" }

  /// Makes a folder anew with change files that are named by numbers.
  private func folder(_ name: String, _ changes: [(number: Int, text: String)]) throws -> String {
    let folder = scratch.path + "/" + name
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (number, text) in changes {
      try Data("<osmChange version=\"0.6\">\(text)</osmChange>".utf8)
        .write(to: URL(fileURLWithPath: "\(folder)/\(number).osc"))
    }
    return folder
  }

  /// Decodes each region alone; returns its file.
  private func decodeEach(_ pbf: String, _ changes: String) throws -> [Int64: String] {
    var files: [Int64: String] = [:]
    for latitude in Self.latitudes {
      let folder = try folder("earlier\(latitude)", [])
      let file = folder + "/region.trails"
      #expect(
        CommandRunner.run(
          DecodePBFCommand.self,
          [
            "--input", pbf, "--changes", changes, "--bbox", Self.box(latitude), "--output", file,
            "--report", folder + "/report.json", "-q",
          ]) == .success)
      files[latitude] = file
    }
    return files
  }

  /// Decodes all regions; returns what the report says of them.
  private func decode(_ pbf: String, _ changes: String, to folder: String, earlier: [Int64: String])
    throws -> JSONValue?
  {
    let report = scratch.path + "/report.json"
    var words = ["--input", pbf, "--changes", changes, "--output-dir", folder, "--report", report]
    for latitude in Self.latitudes { words += ["--region", "\(latitude)=\(Self.box(latitude))"] }
    for (latitude, file) in earlier { words += ["--earlier", "\(latitude)=\(file)"] }
    #expect(CommandRunner.run(DecodePBFCommand.self, words + ["-q"]) == .success)
    return StageReport(json: Array(try Data(contentsOf: URL(fileURLWithPath: report))))?.output[
      "regions"]
  }

  private func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  /// Decodes with changes before and after, and returns the regions whose files were taken again. All
  /// must be the same as without earlier results.
  private func reused(
    before: [(number: Int, text: String)] = [(5, farWay)], after: [(number: Int, text: String)],
    preparing: ([Int64: String]) throws -> Void = { _ in }
  ) throws -> [Int64] {
    let pbf = try scratch.file("map.osm.pbf", Self.map.pbf)
    let earlier = try decodeEach(pbf, folder("before", before))
    try preparing(earlier)
    let changes = try folder("after", after)
    let (quick, whole) = (try folder("quick", []), try folder("whole", []))
    let quickReport = try decode(pbf, changes, to: quick, earlier: earlier)
    let wholeReport = try decode(pbf, changes, to: whole, earlier: [:])
    #expect(quickReport != nil && quickReport == wholeReport)
    return try Self.latitudes.filter { latitude in
      let file = "\(quick)/\(latitude).trails"
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: file))
          == Data(contentsOf: URL(fileURLWithPath: "\(whole)/\(latitude).trails")))
      guard let path = earlier[latitude], FileManager.default.fileExists(atPath: path) else {
        return false
      }
      return try inode(file) == inode(path)
    }
  }

  @Test(
    "a region is taken again unless a change reaches it",
    arguments: [
      ("a far way", farWay, [47, 48, 49]),
      ("a moved node", moved(4902, 49.06), [47, 48]),
      ("the far end of a way that leads into the region", moved(4809, 48.51), [47, 49]),
      ("a node that comes near", moved(4809, 47.05), [49]),
      ("a deleted way", "<delete><way id='4702' version='2'/></delete>", [48, 49]),
      ("a deleted route", "<delete><relation id='70' version='2'/></delete>", [47]),
      (
        "a new route",
        """
        <create><relation id="90" version="1"><member type="way" ref="4701" role=""/>\
        <member type="way" ref="4802" role=""/><tag k="type" v="route"/><tag k="route" v="foot"/>\
        </relation></create>
        """, [49]
      ),
      ("an outline of an area with its centre in the region", moved(5001, 46.3), [48, 49]),
    ] as [(String, String, [Int64])])
  func unreached(name: String, change: String, expected: [Int64]) throws {
    #expect(try reused(after: [(5, Self.farWay), (6, change)]) == expected)
  }

  @Test("nothing is taken again where an earlier file overtakes a later one")
  func overtaken() throws {
    let (newer, older) = (Self.moved(4902, 30, version: 3), Self.moved(4902, 49.06))
    #expect(try reused(before: [(5, older)], after: [(4, newer), (5, older)]) == [])
    #expect(try reused(before: [(4, newer), (5, older)], after: [(5, older)]) == [])
  }

  @Test("a region is taken again when changes that did not reach it are gone")
  func fewerChanges() throws {
    let change = (6, Self.moved(4902, 49.06))
    #expect(try reused(before: [(5, Self.farWay), change], after: [change]) == [47, 48, 49])
    #expect(
      try reused(before: [(5, Self.farWay), change], after: [(5, Self.farWay)]) == [47, 48])
  }

  @Test("a region is decoded if its earlier result is missing or damaged, or is of another source")
  func unusable() throws {
    let changes = [(5, Self.farWay)]
    let all = try reused(after: changes) { earlier in
      try FileManager.default.removeItem(atPath: #require(earlier[47]))
      let report = try #require(earlier[48]).replacingOccurrences(
        of: "region.trails", with: "report.json")
      try Data("{}".utf8).write(to: URL(fileURLWithPath: report))
      try Data("CAIRN".utf8).write(to: URL(fileURLWithPath: #require(earlier[49])))
    }
    #expect(all == [])
    let other = try reused(after: changes) { _ in
      var map = Self.map
      map.nodes[0].latitude += 1
      _ = try decodeEach(try scratch.file("other.osm.pbf", map.pbf), scratch.path + "/before")
    }
    #expect(other == [])
  }
}
