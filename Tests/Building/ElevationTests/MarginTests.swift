// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit
import SystemIO
import TestSupport
import Testing
import TrailData

@testable import Elevation

/// Ways on a slope, any of which may be those of a region or lie in its margin.
private struct SlopeMap {
  /// A ring, a line that crosses it twice, a long line across both with a spur, and a ring that meets
  /// that.
  private static let lines: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 0], [8, 9, 2, 10, 11, 6, 12, 13], [14, 15, 4, 16, 10, 17, 18, 19, 20],
    [17, 21, 22], [19, 23, 24, 25, 19],
  ]
  private static let nodeCount = 26

  var ways: [[Int]] = []
  private var bridges: Set<Int> = []
  private var ids: [Int64]
  private var latitudes: [Int32] = []
  private var longitudes: [Int32] = []

  init(_ random: inout SeededGenerator) {
    ids = (1...Int64(Self.nodeCount)).shuffled(using: &random)
    for _ in ids {
      latitudes.append(470_000_000 + .random(in: 0...40_000, using: &random))
      longitudes.append(100_000_000 + .random(in: 0...60_000, using: &random))
    }
    for line in Self.lines {
      var rest = line
      while rest.count > 2, Bool.random(using: &random) {
        let end = Int.random(in: 1..<rest.count - 1, using: &random)
        ways.append(Array(rest[...end]))
        rest = Array(rest[end...])
      }
      ways.append(rest)
    }
    for way in ways.indices where Int.random(in: 0..<6, using: &random) == 0 { bridges.insert(way) }
  }

  /// The file of a region with some of the ways.
  ///
  /// - Parameter others: Whether the others are its margin.
  func content(_ own: [Int], margin others: Bool = true) -> TrailsContent {
    let margin = others ? ways.indices.filter { !own.contains($0) } : []
    var content = TrailsContent()
    content.strings = [Array("bridge".utf8), Array("yes".utf8)]
    let ownNodes = nodes(own)
    let marginNodes = nodes(margin).filter { !ownNodes.contains($0) }
    let order = ownNodes + marginNodes
    content.nodeIDs = ownNodes.map { ids[$0] }
    content.latitudes = ownNodes.map { latitudes[$0] }
    content.longitudes = ownNodes.map { longitudes[$0] }
    content.margin.nodeIDs = marginNodes.map { ids[$0] }
    content.margin.latitudes = marginNodes.map { latitudes[$0] }
    content.margin.longitudes = marginNodes.map { longitudes[$0] }
    func refs(_ way: Int) -> [UInt32] {
      ways[way].map { UInt32(order.firstIndex(of: $0) ?? order.count) }
    }
    for way in own {
      content.wayIDs.append(Int64(way))
      content.refs += refs(way)
      content.refOffsets.append(UInt32(content.refs.count))
      add(way, to: &content.wayTags)
    }
    for way in margin {
      content.margin.refs += refs(way)
      content.margin.refOffsets.append(UInt32(content.margin.refs.count))
      add(way, to: &content.margin.wayTags)
    }
    return content
  }

  private func nodes(_ own: [Int]) -> [Int] {
    Set(own.flatMap { ways[$0] }).sorted { ids[$0] < ids[$1] }
  }

  private func add(_ way: Int, to tags: inout TagLists) {
    if bridges.contains(way) { tags.add(key: 0, value: 1) }
    tags.endObject()
  }
}

/// The cleaned elevations of a region by the ids of its nodes, and the samples of its ways.
private struct CleanedSlope {
  var nodes: [Int64: Float] = [:]
  var samples: [Int64: [Float]] = [:]

  init(_ content: TrailsContent, threads: Int) throws {
    let folder = try TemporaryFolder()
    try content.write(to: folder.file("x.trails"), provenance: Provenance(tool: "a test"))
    let network = WayNetwork(try TrailsFile(folder.file("x.trails")), threads: threads)
    let samplePoints = try SamplePoints(network, stepMetres: 30, threads: threads)
    let points = allPoints(network, samplePoints)
    let terrain = SampledTerrain(
      elevations: points.map {
        let (east, north) = ($0.longitude - 100_000_000, $0.latitude - 470_000_000)
        let slope = Double(east) / 300 + Double(north) / 500
        return Float(500 + slope + 4 * noise(Double(east) / 130, Double(north) / 90))
      }, steepness: Array(repeating: 20, count: points.count))
    var cleaner = ElevationCleaner(network, samplePoints, .standard, threads: threads)
    cleaner.clean(terrain)
    try write(
      terrain, network, samplePoints, to: folder.file("x.elevated"), threads: threads)
    let file = try ElevatedFiles(in: folder, name: "x").open()
    let (elevations, all) = (try #require(file.elevations), try #require(file.sampleElevations))
    for (node, id) in file.nodeIDs.enumerated() { nodes[id] = elevations[node] }
    for (way, id) in file.wayIDs.enumerated() {
      samples[id] = file.refs(ofWay: way).flatMap { file.samples(afterRef: $0).map { all[$0] } }
    }
  }
}

@Suite("A region and its margin")
struct MarginTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("which ways lie in the margin does not matter to the others")
  func anyRegion() throws {
    var (differentWithout, compared) = (0, 0)
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let map = SlopeMap(&random)
      let whole = try CleanedSlope(map.content(Array(map.ways.indices)), threads: 1)
      let own = map.ways.indices.filter { _ in Bool.random(using: &random) }
      guard !own.isEmpty else { continue }
      let part = try CleanedSlope(map.content(own), threads: seed.isMultiple(of: 2) ? 1 : 3)
      for (id, metres) in part.nodes {
        #expect(abs(metres - (whole.nodes[id] ?? .nan)) < 1e-3, "seed \(seed), node \(id)")
        compared += 1
      }
      for (id, metres) in part.samples {
        let same = zip(metres, whole.samples[id] ?? []).allSatisfy { abs($0 - $1) < 1e-3 }
        #expect(same && metres.count == whole.samples[id]?.count, "seed \(seed), way \(id)")
      }
      let alone = try CleanedSlope(map.content(own, margin: false), threads: 1)
      differentWithout += alone.nodes.count { abs($1 - (whole.nodes[$0] ?? .nan)) > 0.1 }
    }
    #expect(compared > 500 && differentWithout > 100, "\(differentWithout) of \(compared)")
  }

  /// Writes a region of a path 222 m long, and around it a path that goes on to `end` and a peak.
  private func trails(to end: FixedCoordinate, peak: FixedCoordinate) throws -> String {
    var content = TrailsContent()
    content.strings = ["454", "ele", "natural", "peak"].map { Array($0.utf8) }
    content.nodeIDs = [1, 3]
    content.latitudes = [425_000_000, 425_020_000]
    content.longitudes = [15_000_000, 15_000_000]
    content.wayIDs = [7]
    content.refs = [0, 1]
    content.refOffsets = [0, 2]
    content.wayTags.endObject()
    content.margin.nodeIDs = [2]
    content.margin.latitudes = [end.latitude]
    content.margin.longitudes = [end.longitude]
    content.margin.refs = [1, 2]
    content.margin.refOffsets = [0, 2]
    content.margin.wayTags.endObject()
    content.margin.peakLatitudes = [peak.latitude]
    content.margin.peakLongitudes = [peak.longitude]
    content.margin.peakTags.add(key: 1, value: 0)
    content.margin.peakTags.add(key: 2, value: 3)
    content.margin.peakTags.endObject()
    try content.write(
      to: folder.file("region.trails"), provenance: Provenance(tool: "a test"))
    return folder.file("region.trails")
  }

  /// The elevations of the region's two nodes, and the report.
  private func sample(_ input: String) throws -> (elevations: [Float], report: String) {
    let output = folder.file("region.elevated")
    let code = CommandRunner.run(
      SampleElevationCommand.self,
      [
        "--input", input, "--hgt", folder.file("tiles"), "--output", output, "--report",
        folder.file("report.json"), "-q",
      ])
    #expect(code == .success)
    let elevated = try TrailsFile(input, elevated: output)
    #expect(elevated.provenance.elevationTiles == ["N42E001.hgt"])
    #expect(elevated.margin == nil && elevated.seam.map { $0 } == [1])
    let report = String(decoding: try folder.read("report.json"), as: UTF8.self)
    return (try #require(elevated.elevations).map { $0 }, report.filter { !$0.isWhitespace })
  }

  @Test("a tile that only the margin lies in is neither missed nor listed, and no figure counts it")
  func tiles() throws {
    try makeFolders(folder.file("tiles"))
    try folder.write(TileDrawing(400).bytes, to: "tiles/N42E001.hgt")
    let far = FixedCoordinate(latitude: 450_000_000, longitude: 15_000_000)
    let beyond = FixedCoordinate(latitude: 430_000_500, longitude: 15_000_000)
    let missing = try sample(try trails(to: beyond, peak: far))
    #expect(missing.elevations == [400, 400])
    #expect(missing.report.contains(#""warnings":[]"#), "\(missing.report)")
    #expect(missing.report.contains(#""coverage":1"#) && missing.report.contains(#""samples":7"#))
    try folder.write(TileDrawing(900).bytes, to: "tiles/N43E001.hgt")
    let present = try sample(try trails(to: beyond, peak: far))
    #expect(present.elevations[0] == 400 && present.report.contains(#""maximumMetres":4"#))
  }

  @Test("a peak of the margin raises the ways of the region")
  func peak() throws {
    try makeFolders(folder.file("tiles"))
    try folder.write(TileDrawing(400).bytes, to: "tiles/N42E001.hgt")
    let end = FixedCoordinate(latitude: 425_040_000, longitude: 15_000_000)
    let peak = FixedCoordinate(latitude: 425_021_000, longitude: 15_000_000)
    let raised = try sample(try trails(to: end, peak: peak))
    #expect(raised.elevations[1] > 420, "\(raised.elevations)")
    #expect(raised.report.contains(#""raisedPeaks":0"#))
  }
}
