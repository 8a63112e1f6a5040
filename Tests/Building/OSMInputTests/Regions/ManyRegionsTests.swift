// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CommandLineKit
import Foundation
import TestSupport
import Testing
import TrailData

@testable import OSMInput

@Suite("Several regions from one input", .serialized)
struct ManyRegionsTests {
  private let scratch: Scratch
  private static let samples = packageRoot + "/sample-data"
  private static let polygon = """
    {"type": "Polygon", "coordinates": [
      [[10.02, 47.02], [10.15, 47.01], [10.12, 47.09], [10.02, 47.02]],
      [[10.06, 47.03], [10.08, 47.03], [10.08, 47.05], [10.06, 47.03]]]}
    """

  /// Regions that overlap, one inside another, and one with nearly everything.
  private static let boxes = [
    "west": "10.0,47.0,10.1,47.1", "east": "10.1,47.0,10.2,47.1",
    "middle": "10.05,47.02,10.15,47.08",
    "small.1": "10.06,47.04,10.08,47.06", "all_of-it": "9,46,11,48",
  ]

  init() throws { scratch = try Scratch() }

  private func run(_ command: any StageCommand.Type, _ words: [String]) -> ExitCode {
    CommandRunner.run(command, words + ["-q"])
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func sample(_ name: String) -> String { Self.samples + "/" + name }

  /// The file for each shape when it is cut out alone.
  private func alone(
    _ command: any StageCommand.Type, _ input: String, _ shapes: [String: String]
  ) throws -> [String: Data] {
    let output = scratch.path + "/alone.trails"
    var files: [String: Data] = [:]
    for (id, shape) in shapes {
      let option = shape.hasSuffix("json") ? "--polygon" : "--bbox"
      #expect(run(command, ["--input", input, "--output", output, option, shape]) == .success)
      files[id + ".trails"] = try bytes(output)
    }
    return files
  }

  /// The files for shapes that are cut out together.
  private func together(
    _ command: any StageCommand.Type, _ input: String, _ shapes: [String: String], threads: Int
  ) throws -> [String: Data] {
    let folder = scratch.path + "/all"
    let options = shapes.sorted { $0.key < $1.key }.flatMap {
      ["--region", "\($0.key)=\($0.value)"]
    }
    let words = ["--input", input, "--output-dir", folder, "--threads", "\(threads)"]
    #expect(run(command, words + options) == .success)
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try bytes("\(folder)/\(name)")
    }
    try FileManager.default.removeItem(atPath: folder)
    return files
  }

  private func sixShapes() throws -> [String: String] {
    var shapes = Self.boxes
    shapes["polygon"] = try scratch.file("middle.geojson", Self.polygon)
    return shapes
  }

  @Test("each file is the same as for its region alone, for any number of threads")
  func sameBytes() throws {
    let pbf = sample("valley.osm.pbf")
    let shapes = try sixShapes()
    let alone = try alone(DecodePBFCommand.self, pbf, shapes)
    #expect(Set(alone.values).count == 6)
    for threads in [1, 2, 7] {
      #expect(try together(DecodePBFCommand.self, pbf, shapes, threads: threads) == alone)
    }
    for ids in [["west"], ["east", "polygon"]] {
      let some = try together(
        DecodePBFCommand.self, pbf, shapes.filter { ids.contains($0.key) }, threads: 2)
      #expect(some == alone.filter { ids.contains(String($0.key.dropLast(7))) })
    }
  }

  @Test("regions can also be cut out of XML")
  func overpass() throws {
    let xml = sample("valley.osm.gz")
    let shapes = try sixShapes()
    #expect(
      try together(ParseOverpassCommand.self, xml, shapes, threads: 2)
        == alone(ParseOverpassCommand.self, xml, shapes))
  }

  private func report(_ path: String) throws -> StageReport {
    try #require(StageReport(json: Array(try bytes(path))))
  }

  @Test("a region that fails does not prevent the others from being written")
  func failingRegions() throws {
    let folder = scratch.path + "/all"
    let path = scratch.path + "/report.json"
    let broken = try scratch.file("broken.geojson", "{")
    let words = [
      "--input", sample("valley.osm.pbf"), "--output-dir", folder, "--report", path,
      "--region", "sea=1,2,3,4", "--region", "west=10.0,47.0,10.1,47.1",
      "--region", "broken=\(broken)", "--region", "gone=\(scratch.path)/none.geojson",
    ]
    #expect(run(DecodePBFCommand.self, words) == .dataError)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["west.trails"])
    let report = try report(path)
    guard case .object(let regions)? = report.output["regions"] else {
      Issue.record("no regions in the report")
      return
    }
    #expect(regions.keys.sorted() == ["broken", "gone", "sea", "west"])
    for (id, code, exit) in [
      ("sea", "no-routable-ways", 65), ("broken", "bad-region", 65), ("gone", "cannot-read", 66),
    ] {
      guard case .object(let entry)? = regions[id], case .object(let error)? = entry["error"] else {
        Issue.record("no error of \(id)")
        continue
      }
      #expect(error["code"] == .text(code))
      #expect(error["exitCode"] == .integer(exit))
    }
    guard case .object(let west)? = regions["west"], case .integer(let ways)? = west["ways"] else {
      Issue.record("no counts of west")
      return
    }
    #expect(ways == (try TrailsFile(folder + "/west.trails")).wayIDs.count)
    let message = try #require(report.error?.message)
    for id in ["sea", "broken", "gone"] {
      #expect(message.contains("region \(id): "), "\(message)")
    }
  }

  @Test("a file that is not a .trails file is not replaced, and the other regions are written")
  func foreignFile() throws {
    let foreign = try scratch.file("east.trails", "a letter")
    let words = ["--input", sample("valley.osm.pbf"), "--output-dir", scratch.path]
    let regions = Self.boxes.flatMap { ["--region", "\($0.key)=\($0.value)"] }
    #expect(run(DecodePBFCommand.self, words + regions) == .cannotCreate)
    #expect(try bytes(foreign) == Data("a letter".utf8))
    #expect(FileManager.default.fileExists(atPath: scratch.path + "/west.trails"))
  }

  @Test(
    "options that cannot be combined are usage errors",
    arguments: [
      ["--region", "a=1,2,3,4"], ["--output-dir", "DIR"],
      ["--region", "a=1,2,3,4", "--output-dir", "DIR", "--output", "DIR/x"],
      ["--region", "a=1,2,3,4", "--output-dir", "DIR", "--bbox", "1,2,3,4"],
      ["--region", "a=1,2,3,4", "--output-dir", "DIR", "--polygon", "x"],
      ["--region", "a=1,2,3,4", "--region", "a=1,2,3,5", "--output-dir", "DIR"],
      ["--region", "a", "--output-dir", "DIR"], ["--region", "a=", "--output-dir", "DIR"],
      ["--region", "=1,2,3,4", "--output-dir", "DIR"],
      ["--region", "a/b=1,2,3,4", "--output-dir", "DIR"],
      ["--region", "ä=1,2,3,4", "--output-dir", "DIR"],
      ["--region", "a=1,2,3", "--output-dir", "DIR"],
      ["--region", "a=1,20,3,4", "--output-dir", "DIR"], [],
    ])
  func usage(words: [String]) {
    let words = words.map { $0.replacing("DIR", with: scratch.path + "/all") }
    #expect(run(DecodePBFCommand.self, ["--input", sample("valley.osm.pbf")] + words) == .usage)
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/all"))
  }

  @Test("the extent of a way never excludes a region that the way touches")
  func extents() {
    var state: UInt64 = 11
    func random(_ range: Double) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(state >> 40) / Double(1 << 24) - 0.5) * range
    }
    for _ in 0..<20_000 {
      let centre = random(4) + (Bool.random() ? 179 : 0)
      let way = (0..<Int.random(in: 0...4)).map { _ in
        let longitude = centre + random(4)
        return NodeCoordinate(
          latitude: Int64(random(4) * 1e7),
          longitude: Int64((longitude > 180 ? longitude - 360 : longitude) * 1e7))
      }
      let south = random(4)
      let west = centre + random(4)
      let east = west + random(1).magnitude + 0.001
      let region = Region(
        BoundingBox(
          west: west > 180 ? west - 360 : west, south: south,
          east: east > 180 ? east - 360 : east, north: south + 0.3))
      if region.touches(way) { #expect(region.mayTouch(WayExtent(way))) }
    }
  }

  @Test("selected nodes are indexed in their order")
  func selection() {
    let nodes: [UInt32] = [0, 1, 63, 64, 65, 127, 128, 200, 449]
    var selection = NodeSelection(count: 450)
    for node in nodes.reversed() + nodes { selection.insert(node) }
    #expect(selection.finish() == nodes.count)
    var seen: [UInt32] = []
    selection.forEach(in: 0..<nodes.count) { seen.append(UInt32($1)) }
    #expect(seen == nodes)
    #expect(nodes.map(selection.index) == Array(0..<UInt32(nodes.count)))
    for node in 0..<UInt32(450) { #expect(selection.contains(node) == nodes.contains(node)) }
  }
}
