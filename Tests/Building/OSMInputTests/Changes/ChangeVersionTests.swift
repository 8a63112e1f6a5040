// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import Foundation
import TestSupport
import Testing

@testable import OSMInput

@Suite("Versions of changed objects")
struct ChangeVersionTests {
  private func parse(_ pbf: [UInt8], changes: [String], threads: Int = 1) throws -> OSMExtract {
    let scratch = try Scratch()
    let files = try changes.enumerated().map { try scratch.file("\($0).osc", $1) }
    return try PBFParser(
      try scratch.file("map.osm.pbf", pbf), changes: files, threads: threads
    ).parse()
  }

  private func changes(_ content: String) -> String {
    "<osmChange version=\"0.6\"><modify>\(content)</modify></osmChange>"
  }

  /// A path over three nodes, on a route, all in version 3.
  private func extract(dense: Bool) -> [UInt8] {
    let nodes = (1...3).map {
      MapNode(
        id: $0, latitude: 470_000_000 + $0, longitude: 100_000_000,
        tags: $0 == 2 ? ["barrier": "gate"] : $0 == 3 ? ["natural": "peak"] : [:])
    }
    var block = BlockWriter()
    block.version = 3
    if dense { block.addDense(nodes) } else { block.addPlain(nodes) }
    var ways = BlockWriter()
    ways.version = 3
    ways.add([MapWay(id: 10, refs: [1, 2, 3])])
    var relations = BlockWriter()
    relations.version = 3
    relations.add([
      MapRelation(id: 20, members: ["w10"], tags: ["type": "route", "route": "hiking"])
    ])
    return headerFrame() + block.frame() + ways.frame() + relations.frame()
  }

  /// Everything in the extract as it became.
  private func later(_ version: String) -> String {
    changes(
      """
      <node id="1"\(version) lat="48" lon="11"/><node id="2"\(version) lat="48.1" lon="11"/>
      <node id="3"\(version) lat="48.2" lon="11"/>
      <way id="10"\(version)><nd ref="1"/><nd ref="2"/><tag k="highway" v="track"/></way>
      <relation id="20"\(version)/>
      """)
  }

  @Test(
    "a change that is older than the extract is left out, and counted", arguments: [true, false])
  func olderThanExtract(dense: Bool) throws {
    let pbf = extract(dense: dense)
    let unchanged = try parsePBF(pbf).content
    let older = try parse(pbf, changes: [later(" version=\"2\"")])
    #expect(older.content == unchanged)
    #expect(older.warnings("older-change") == 5)
    #expect(
      older.warnings.entries.first { $0.kind == "older-change" }?.examples.contains(
        "way 10: skipped version 2, 3 is newer") == true)
  }

  @Test("a change of the same, a later or no version replaces what the extract has")
  func notOlder() throws {
    let pbf = extract(dense: true)
    let unchanged = try parsePBF(pbf).content
    let changed = try parse(pbf, changes: [later(" version=\"4\"")])
    #expect(changed.content != unchanged)
    #expect(changed.warnings("older-change") == 0)
    #expect(try parse(pbf, changes: [later(" version=\"3\"")]).content == changed.content)
    #expect(try parse(pbf, changes: [later("")]).content == changed.content)
    let withoutVersions = SmallMap.valley
    #expect(
      try parse(withoutVersions.pbf, changes: [later(" version=\"1\"")]).warnings("older-change")
        == 0)
  }

  @Test("of the versions in several files the newest counts, in whatever order they come")
  func orderOfFiles() throws {
    let pbf = extract(dense: true)
    let newer = later(" version=\"5\"")
    let older = changes("<way id=\"10\" version=\"4\"><nd ref=\"3\"/><nd ref=\"1\"/></way>")
    let expected = try parse(pbf, changes: [newer]).content
    let result = try parse(pbf, changes: [newer, older])
    #expect(result.content == expected)
    #expect(result.warnings("older-change") == 1)
    let ordered = try parse(pbf, changes: [older, newer])
    #expect(ordered.content == expected)
    #expect(ordered.warnings("older-change") == 0)
  }

  @Test("a version that is no number is refused")
  func badVersion() throws {
    let error = failure { try parse(extract(dense: true), changes: [later(" version=\"x\"")]) }
    #expect(error?.code == .badAttribute)
    #expect(error?.exitCode == .dataError)
  }

  @Test("of many versions of few objects the last are kept while the file is read")
  func manyVersions() throws {
    var random = SplitMix64(seed: 5)
    func object(_ kind: Int, _ version: Int) -> String {
      let members = (0..<100).map { _ in Int.random(in: 1...3, using: &random) }
      switch kind {
      case 0...2:
        let tags = ["", "<tag k=\"barrier\" v=\"gate\"/>", "<tag k=\"natural\" v=\"peak\"/>"]
        return "<node id=\"\(kind + 1)\" lat=\"47.\(version)\" lon=\"10\">"
          + "\(tags[version % 3])<tag k=\"name\" v=\"\(version)\"/></node>"
      case 3...4:
        return "<way id=\"\(kind + 7)\">" + members.map { "<nd ref=\"\($0)\"/>" }.joined()
          + "<tag k=\"highway\" v=\"path\"/><tag k=\"name\" v=\"\(version)\"/></way>"
      default:
        return "<relation id=\"\(kind + 20)\"><member type=\"way\" ref=\"10\" role=\"\"/>"
          + "<tag k=\"type\" v=\"route\"/><tag k=\"route\" v=\"hiking\"/>"
          + "<tag k=\"name\" v=\"\(version)\"/></relation>"
      }
    }
    // What comes once and first keeps its tags: a square by its outline, and a hut that is an area.
    let once = """
      <way id="30"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/></way>
      <relation id="31"><member type="way" ref="30" role="outer"/><tag k="type" v="multipolygon"/>
      <tag k="highway" v="pedestrian"/><tag k="name" v="Markt"/></relation>
      <way id="32"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="1"/>
      <tag k="tourism" v="alpine_hut"/><tag k="name" v="Hütte"/></way>
      """
    let earlier = (0..<20_000).map { object($0 % 7, $0) }.joined()
    let last = (0..<7).map { object($0, 30_000 + $0) }.joined()
    let scratch = try Scratch()
    var versions = ChangedVersions()
    let file = try ChangeFile(
      try scratch.file("many.osc", changes(once + earlier + last)), &versions)
    #expect(file.counts.ways > 5000)
    #expect(file.ways.size < 1 << 20 && file.areas.size < 1 << 20 && file.nodes.size < 1 << 20)
    #expect(file.pool.count < 15_000)
    let pbf = extract(dense: true)
    let content = try parse(pbf, changes: [changes(once + earlier + last)]).content
    #expect(try content == parse(pbf, changes: [changes(once + last)]).content)
    #expect(content.wayIDs.contains(30))
  }

  private static let osmium = "/usr/bin/osmium"

  @Test(
    "whatever the versions, the result is that of osmium apply-changes",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: osmium), "needs osmium"),
    arguments: 0..<12)
  func likeOsmium(seed: UInt64) throws {
    var map = EditedMap(seed: seed &+ 500)
    var random = SplitMix64(seed: seed)
    /// Gives all objects of a text random versions, of which none is the same twice.
    func versioned(_ text: String, _ digit: Int) -> String {
      text.replacing(#/(<(?:node|way|relation) id="\d+")(?: version="\d+")?/#) {
        "\($0.1) version=\"\(Int.random(in: 1...4, using: &random) * 10 + digit)\""
      }
    }
    let old = versioned(map.map.xml, 0)
    var texts: [String] = []
    for digit in 1...2 {
      let before = map
      map.edit(30)
      texts.append(versioned(map.changes(from: before), digit))
    }
    let scratch = try Scratch()
    let xml = try scratch.file("old.osm", old)
    let (pbf, applied) = (scratch.path + "/old.osm.pbf", scratch.path + "/new.osm.pbf")
    let dense = "pbf,pbf_dense_nodes=\(seed % 2 == 0)"
    let files = try texts.enumerated().map { try scratch.file("\($0).osc", $1) }
    for arguments in [
      ["cat", xml, "-f", dense, "-o", pbf], ["apply-changes", pbf] + files + ["-o", applied],
    ] {
      let result = try runProcess(Self.osmium, arguments)
      try #require(result.status == 0, "\(result.stderr)")
    }
    let expected = try PBFParser(applied).parse().content
    let changed = try PBFParser(pbf, changes: files, threads: 2).parse()
    #expect(changed.content == expected)
    #expect(changed.warnings("older-change") > 0)
  }
}
