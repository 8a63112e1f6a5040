// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import TestSupport
import Testing

@testable import OSMInput

private func survey(_ bytes: [UInt8], tallying keys: [String] = [], threads: Int = 2) throws
  -> PBFSurvey
{
  let scratch = try Scratch()
  return try PBFSurvey(try scratch.file("map.osm.pbf", bytes), tallying: keys, threads: threads)
}

@Suite("Surveys of PBF files")
struct SurveyTests {
  @Test("all objects of a small file are counted")
  func counts() throws {
    let survey = try survey(SmallMap.valley.pbf, tallying: ["highway", "natural", "nothing"])
    #expect(survey.nodes.count == 6)
    #expect(survey.nodes.tagged == 2)
    #expect(survey.nodes.ids == 1...9)
    #expect(survey.ways.count == 4)
    #expect(survey.ways.tagged == 4)
    #expect(survey.relations.count == 1)
    #expect(survey.refs == 12)
    #expect(survey.closedWays == 1)
    #expect(survey.tags == 12)
    #expect(survey.isSorted)
    #expect(!survey.declaresSorted)
    #expect(survey.blobs == [.zlib: 3])
    #expect(survey.bounds?.south == -10)
    #expect(survey.bounds?.north == 470_300_000)
    #expect(survey.tallies.map(\.count) == [3, 1, 0])
    #expect(survey.tallies[0].values.map(\.value) == ["motorway", "path", "tertiary"])
  }

  @Test(
    "nodes give the same survey, dense or plain, packed or not", arguments: PackingForm.allCases)
  func forms(form: PackingForm) throws {
    var dense = BlockWriter()
    dense.form = form
    dense.addDense(SmallMap.valley.nodes)
    var plain = BlockWriter()
    plain.form = form
    plain.addPlain(SmallMap.valley.nodes)
    let one = try survey(headerFrame() + dense.frame())
    let other = try survey(headerFrame() + plain.frame())
    #expect(one.nodes == other.nodes)
    #expect(one.bounds == other.bounds)
    #expect(one.tags == other.tags)
    #expect(one.isSorted && other.isSorted)
  }

  @Test("deleted nodes are counted, but do not extend the bounds")
  func deleted() throws {
    var block = BlockWriter()
    block.addDense(
      [
        MapNode(id: 1, latitude: 10, longitude: 20), MapNode(id: 1, latitude: 0, longitude: 0),
        MapNode(id: 2, latitude: 30, longitude: 40),
      ], isVisible: [true, false, true])
    let survey = try survey(headerFrame() + block.frame())
    #expect(survey.nodes.count == 3)
    #expect(survey.nodes.deleted == 1)
    #expect(survey.bounds?.south == 10)
    #expect(survey.bounds?.west == 20)
  }

  @Test("a node with an invalid coordinate does not extend the bounds")
  func offEarth() throws {
    var block = BlockWriter()
    block.addDense([
      MapNode(id: 1, latitude: 10, longitude: 20),
      MapNode(id: 2, latitude: 2_000_000_000, longitude: 0),
    ])
    let bounds = try survey(headerFrame() + block.frame()).bounds
    #expect(bounds == PBFSurvey.Bounds(west: 20, south: 10, east: 20, north: 10))
  }

  @Test("objects out of order are detected, within a block and between blocks")
  func order() throws {
    let nodes = SmallMap.valley.nodes
    func block(_ nodes: [MapNode]) -> [UInt8] {
      var block = BlockWriter()
      block.addDense(nodes)
      return block.frame()
    }
    var ways = BlockWriter()
    ways.add(SmallMap.valley.ways)
    let sorted = try survey(headerFrame() + block(nodes) + ways.frame())
    let reversed = try survey(headerFrame() + block(nodes.reversed()))
    let swapped = try survey(headerFrame() + block([nodes[3]]) + block([nodes[1]]))
    let waysFirst = try survey(headerFrame() + ways.frame() + block(nodes))
    #expect(sorted.isSorted)
    #expect(!reversed.isSorted)
    #expect(!swapped.isSorted)
    #expect(!waysFirst.isSorted)
  }

  @Test("the error of an invalid object names it")
  func broken() {
    var relation = Message()
    relation.number(1, 7)
    relation.packed(9, [1, 2])
    var block = BlockWriter()
    block.addGroup(4, [relation.bytes])
    let error = #expect(throws: CairnError.self) { try survey(headerFrame() + block.frame()) }
    #expect(error?.code == .arrayLengthsDisagree)
    #expect(error?.message.contains("relation 7") == true)
  }

  @Test(
    "the survey is the same for any number of threads",
    .enabled(if: sharedData("munich.osm.pbf") != nil))
  func threads() throws {
    let path = try #require(sharedData("munich.osm.pbf"))
    let one = try PBFSurvey(path, tallying: ["highway", "name"], threads: 1)
    for threads in [2, 5] {
      #expect(try PBFSurvey(path, tallying: ["highway", "name"], threads: threads) == one)
    }
  }
}

/// Whether osmium and the real data are available.
private let canCompare =
  FileManager.default.isExecutableFile(atPath: "/usr/bin/osmium")
  && sharedData("andorra.osm.pbf") != nil

@Suite(
  "Surveys compared with osmium", .enabled(if: canCompare, "needs osmium-tool and ../shared/data"))
struct PeerTests {
  private struct FileInfo: Decodable {
    struct Counts: Decodable {
      var nodes: Int64
      var ways: Int64
      var relations: Int64
    }
    struct Times: Decodable {
      var first: String
      var last: String
    }
    struct Content: Decodable {
      var bbox: [Double]
      var timestamp: Times
      var objects_ordered: Bool
      var count: Counts
      var minid: Counts
      var maxid: Counts
    }
    var data: Content
  }

  private func osmium(_ arguments: [String]) throws -> String {
    let result = try runProcess("osmium", arguments)
    try #require(result.status == 0, "\(result.stderr)")
    return result.stdout
  }

  private func fileInfo(_ path: String) throws -> FileInfo.Content {
    let text = try osmium(["fileinfo", "-e", "-j", "--no-progress", path])
    return try JSONDecoder().decode(FileInfo.self, from: Data(text.utf8)).data
  }

  @Test(
    "counts, ids, bounds, times and order of extracts are those that osmium finds",
    arguments: ["andorra.osm.pbf", "andorra-2013.osm.pbf", "munich.osm.pbf"])
  func surveys(name: String) throws {
    let path = try #require(sharedData(name))
    let theirs = try fileInfo(path)
    let ours = try PBFSurvey(path, threads: 2)
    for (objects, keyPath) in [
      (ours.nodes, \FileInfo.Counts.nodes), (ours.ways, \.ways), (ours.relations, \.relations),
    ] {
      #expect(Int64(objects.count) == theirs.count[keyPath: keyPath])
      #expect(objects.ids?.lowerBound == theirs.minid[keyPath: keyPath])
      #expect(objects.ids?.upperBound == theirs.maxid[keyPath: keyPath])
    }
    let bounds = try #require(ours.bounds)
    let corners = [bounds.west, bounds.south, bounds.east, bounds.north]
    #expect(corners.map { Double($0) / 10_000_000 } == theirs.bbox)
    // If an object has no time, osmium takes that as the first one and prints nothing.
    if !theirs.timestamp.first.isEmpty { #expect(ours.oldestVersion == theirs.timestamp.first) }
    #expect(ours.newestVersion == theirs.timestamp.last)
    #expect(ours.isSorted == theirs.objects_ordered)
  }

  @Test(
    "tallies of tags are those that osmium finds",
    arguments: ["andorra.osm.pbf", "andorra-2013.osm.pbf", "munich.osm.pbf"])
  func tallies(name: String) throws {
    let path = try #require(sharedData(name))
    let keys = ["highway", "sac_scale", "name", "surface", "barrier", "network"]
    let ours = try PBFSurvey(path, tallying: keys, threads: 2).tallies
    for tally in ours {
      let text = try osmium(["tags-count", "--no-progress", path, "\(tally.key)=*"])
      // A line is COUNT, KEY and VALUE, the latter two quoted, with doubled quotation marks inside.
      var theirs: [String: Int] = [:]
      for line in text.split(separator: "\n") {
        let cells = line.split(separator: "\t", maxSplits: 2)
        let value = cells[2].dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
        theirs[value] = Int(cells[0])
      }
      #expect(!theirs.isEmpty || tally.values.isEmpty)
      let counts = Dictionary(uniqueKeysWithValues: tally.values.map { ($0.value, $0.count) })
      #expect(counts == theirs)
    }
  }

  @Test(
    "counts of objects in XML are those that osmium finds",
    arguments: ["andorra-2013.osm.gz", "krems-josm.osm.gz"])
  func xml(name: String) throws {
    let path = try #require(sharedData(name))
    let theirs = try fileInfo(path).count
    let ours = try OverpassParser(path).parse().counts
    #expect(Int64(ours.nodes) == theirs.nodes)
    #expect(Int64(ours.ways) == theirs.ways)
    #expect(Int64(ours.relations) == theirs.relations)
    let filters = [("w/highway", ours.highways), ("w/sac_scale", ours.sacScales)]
    for (filter, count) in filters {
      let opl = try osmium(["tags-filter", "-R", "-f", "opl", "--no-progress", path, filter])
      #expect(opl.split(separator: "\n").count == count)
    }
  }
}
