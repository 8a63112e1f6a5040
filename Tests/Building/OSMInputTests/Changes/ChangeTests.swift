// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Foundation
import TestSupport
import Testing
import TrailData

@testable import OSMInput

@Suite("Files of changes")
struct ChangeTests {
  private func parse(_ pbf: [UInt8], changes: [String], threads: Int = 1) throws -> OSMExtract {
    let scratch = try Scratch()
    let files = try changes.enumerated().map { try scratch.file("\($0).osc", $1) }
    return try PBFParser(
      try scratch.file("map.osm.pbf", pbf), changes: files, threads: threads
    ).parse()
  }

  private func expect(
    _ code: CairnError.Code, _ text: String, says words: String = "",
    _ source: SourceLocation = #_sourceLocation
  ) {
    let error = failure { try parse(SmallMap.valley.pbf, changes: [text]) }
    #expect(error?.code == code, "\(error as Any)", sourceLocation: source)
    #expect(error?.exitCode == .dataError, sourceLocation: source)
    #expect(error?.description.contains("0.osc") == true, sourceLocation: source)
    #expect(
      words.isEmpty || error?.description.contains(words) == true, "\(error as Any)",
      sourceLocation: source)
  }

  @Test("an extract with changes has the content of the later extract", arguments: 0..<60)
  func seededEdits(seed: UInt64) throws {
    var map = EditedMap(seed: seed)
    let old = map
    var changes: [String] = []
    for _ in 0..<(1 + Int(seed % 3)) {
      let before = map
      map.edit(12)
      changes.append(map.changes(from: before))
    }
    let expected = try parsePBF(map.map.pbf).content
    #expect(try parse(old.map.pbf, changes: changes).content == expected)
    #expect(try parse(old.map.pbf, changes: changes, threads: 2).content == expected)
    #expect(try parse(old.map.pbf, changes: [map.changes(from: old)]).content == expected)
  }

  @Test("a region has the changes that reach it, and without them what it was before")
  func reach() throws {
    let south = Region(BoundingBox(west: 9.9, south: 46.9, east: 10.2, north: 47.2))
    let north = Region(BoundingBox(west: 9.9, south: 48.9, east: 10.2, north: 49.2))
    var map = EditedMap(seed: 7)
    map.latitudes = 490_000_000...491_000_000
    for _ in 0..<5 { map.addNode() }
    let northern = map.nodes.filter { $0.value.latitude > 480_000_000 }.keys.sorted()
    let added = SmallMap(
      nodes: map.map.nodes, ways: map.map.ways + [MapWay(id: 999, refs: northern)], relations: 0,
      routes: map.map.routes)
    let scratch = try Scratch()
    let change = { (id: Int64, time: String) in
      """
      <osmChange version="0.6"><modify><node id="\(id)" version="9" lat="49.05" lon="10.05" \
      timestamp="\(time)"/></modify></osmChange>
      """
    }
    let files = [
      try scratch.file("1.osc", change(northern[1], "2026-11-22T10:00:00Z")),
      // A node that nothing uses is nobody's business.
      try scratch.file("2.osc", change(1_000_000, "2026-11-23T10:00:00Z")),
    ]
    let path = try scratch.file("map.osm.pbf", added.pbf)
    let regions = [south, north]
    let before = try PBFParser(path).candidates(for: regions)
    let after = try PBFParser(path, changes: files).candidates(for: regions)
    #expect(after.changes(of: south).files == nil)
    #expect(after.changes(of: south).timestamp == nil)
    #expect(after.changes(of: north).files?.map(\.name) == ["1.osc"])
    #expect(after.changes(of: north).timestamp == "2026-11-22T10:00:00Z")
    #expect(try after.cut(south).0 == before.cut(south).0)
    #expect(try after.cut(north).0 != before.cut(north).0)
  }

  @Test(
    "what changes in a region is reached, however it changes", arguments: 0..<40)
  func reachIsComplete(seed: UInt64) throws {
    var map = EditedMap(seed: seed &+ 1000)
    let old = map
    map.edit(3)
    let scratch = try Scratch()
    let path = try scratch.file("map.osm.pbf", old.map.pbf)
    let file = try scratch.file("1.osc", map.changes(from: old))
    let regions = (0..<8).map { row in
      let south = 47 + Double(row) * 0.0125
      return Region(
        BoundingBox(west: 9, south: south, east: 11, north: south + 0.0125), marginMetres: 500)
    }
    let before = try PBFParser(path).candidates(for: regions)
    let after = try PBFParser(path, changes: [file]).candidates(for: regions)
    for region in regions where after.changes(of: region).files == nil {
      #expect((try? before.cut(region).0) == (try? after.cut(region).0))
    }
  }

  @Test(
    "a region that the same files reach is the same, whatever the others change",
    arguments: 0..<60)
  func sameReach(seed: UInt64) throws {
    var map = EditedMap(seed: seed &+ 5000)
    let scratch = try Scratch()
    let path = try scratch.file("map.osm.pbf", map.map.pbf)
    let files = try (1...3).map { number in
      let before = map
      map.edit(2)
      return try scratch.file("\(number).osc", map.changes(from: before, version: number + 1))
    }
    let regions = (0..<8).map { row in
      let south = 47 + Double(row) * 0.0125
      return Region(
        BoundingBox(west: 9, south: south, east: 11, north: south + 0.0125), marginMetres: 500)
    }
    let states = try [[0], [0, 1], [0, 1, 2], [1, 2], [0, 2]].map { chosen in
      try PBFParser(path, changes: chosen.map { files[$0] }).candidates(for: regions)
    }
    for region in regions {
      for (index, state) in states.enumerated() {
        for other in states[..<index]
        where state.changes(of: region).files == other.changes(of: region).files
          && EarlierExtract.isSeparable(state) && EarlierExtract.isSeparable(other)
        {
          #expect((try? state.cut(region).0) == (try? other.cut(region).0))
        }
      }
    }
  }

  @Test("changes that are not later than the extract are left out")
  func oldChanges() throws {
    let map = SmallMap.valley
    let header = headerFrame(timestamp: 1_790_000_000)
    let pbf = header + map.pbf.dropFirst(headerFrame().count)
    let deletion = { (time: String) in
      """
      <osmChange version="0.6"><delete><way id="10" version="2" timestamp="\(time)"/></delete>\
      </osmChange>
      """
    }
    #expect(
      try parse(pbf, changes: [deletion("2026-09-01T00:00:00Z")]).content.wayIDs.contains(10))
    #expect(
      try !parse(pbf, changes: [deletion("2026-11-01T00:00:00Z")]).content.wayIDs.contains(10))
  }

  private static let bounds = "<bounds minlat='1' minlon='1' maxlat='2' maxlon='2'/>"

  @Test(
    "elements that describe a change file do not keep its changes from being applied",
    arguments: [
      ("", ""), (bounds, ""), ("", bounds), ("<bound box='1,1,2,2' origin='x'/>", ""),
      ("<note>of a <b>person</b></note><meta osm_base='2099-01-01T00:00:00Z'/>", ""),
      ("<changeset id='3'><tag k='a' v='b'/></changeset>", "<delete/>"),
    ])
  func headers(_ before: String, _ after: String) throws {
    var map = EditedMap(seed: 3)
    let old = map
    map.edit(12)
    let expected = try parsePBF(map.map.pbf).content
    #expect(expected != (try parsePBF(old.map.pbf).content))
    var changes = map.changes(from: old)
    let begin = try #require(changes.range(of: "<osmChange[^>]*>", options: .regularExpression))
    changes.insert(contentsOf: before, at: begin.upperBound)
    let end = try #require(changes.range(of: "</osmChange>"))
    changes.insert(contentsOf: after, at: end.lowerBound)
    #expect(try parse(old.map.pbf, changes: [changes]).content == expected)
  }

  @Test("changes that would be lost are an error, as for osmium")
  func misplacedChanges() {
    let way = "<way id='10' version='2'/>"
    expect(.wrongFileKind, "<osmChange>\(way)</osmChange>", says: "<way> outside its changes")
    expect(.wrongFileKind, "<osmChange><create/><x>\(way)</x></osmChange>", says: "<way> outside")
    expect(
      .wrongFileKind, "<osmChange><action><old>\(way)</old></action></osmChange>",
      says: "<way> outside")
    for word in ["x", "delete", "bounds"] {
      expect(
        .wrongFileKind, "<osmChange><create><\(word)>\(way)</\(word)></create></osmChange>",
        says: "<\(word)> among its changes")
    }
    expect(
      .overpassFailure, "<osmChange><remark>runtime error: x</remark></osmChange>", says: "error: x"
    )
  }

  @Test("what is not a file of changes is refused, with the file and what is wrong")
  func badFiles() {
    expect(.wrongFileKind, SmallMap.valley.xml, says: "not a change file")
    expect(.wrongFileKind, "<osmChange><way id='1'/></osmChange>", says: "<way>")
    expect(.badAttribute, "<osmChange><modify><way/></modify></osmChange>", says: "no id")
    expect(
      .missingField, "<osmChange><create><node id='1'/></create></osmChange>", says: "node 1")
    expect(.emptyFile, "")
    #expect(
      failure { try parse(SmallMap.valley.pbf, changes: ["<osmChange><modify>"]) }?.exitCode
        == .dataError)
    #expect(
      failure { try parse(SmallMap.valley.pbf, changes: ["<html><body>503</body></html>"]) }?
        .exitCode == .dataError)
  }

  @Test("files of a folder are taken by number, those of a replication server without a gap")
  func folders() throws {
    let scratch = try Scratch()
    func files(_ names: [String]) throws -> [String] {
      let folder = scratch.path + "/" + UUID().uuidString
      for name in names {
        let path = folder + "/" + name
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
      }
      return try ChangeFolder.files(at: folder).map { String($0.dropFirst(folder.count + 1)) }
    }
    #expect(
      try files(["10.osc.gz", "9.osc.gz", "2.osc", "readme.txt", "10.state.txt"])
        == ["2.osc", "9.osc.gz", "10.osc.gz"])
    #expect(
      try files(["2026-02-01.osc", "2026-01-31.osc"]) == ["2026-01-31.osc", "2026-02-01.osc"])
    #expect(
      try files(["000/004/999.osc.gz", "000/005/000.osc.gz"])
        == ["000/004/999.osc.gz", "000/005/000.osc.gz"])
    #expect(try files(["1.OSC", "2.osc.GZ", "2.osc.gz.md5"]) == ["1.OSC", "2.osc.GZ"])
    for name in ["2.osc.bz2", "a/2.osc.xz", "2.OSC.ZST", "2.osc.zip", "000/004/124.osc.lz4"] {
      let packed = failure { try files(["1.osc.gz", name]) }
      #expect(packed?.exitCode == .dataError, "\(name)")
      #expect(packed?.description.contains("/\(name): is a change file in a compression") == true)
    }
    let gap = failure { try files(["000/004/123.osc.gz", "000/004/125.osc.gz"]) }
    #expect(gap?.exitCode == .dataError)
    #expect(gap?.description.contains("000/004/125.osc.gz") == true)
    #expect(try ChangeFolder.files(at: "one.osc.gz") == ["one.osc.gz"])
  }

  private static let data = sharedData(".") ?? ""
  private static let osmium = "/usr/bin/osmium"

  @Test(
    "the changes that osmium derives lead from one real extract to a later one",
    .enabled(
      if: !data.isEmpty && FileManager.default.isExecutableFile(atPath: osmium),
      "needs ../shared/data and osmium"))
  func realData() throws {
    let scratch = try Scratch()
    let (old, new) = (Self.data + "/andorra-2013.osm.pbf", Self.data + "/andorra.osm.pbf")
    let changes = scratch.path + "/1.osc.gz"
    let derived = try runProcess(Self.osmium, ["derive-changes", old, new, "-o", changes])
    try #require(derived.status == 0, "\(derived.stderr)")
    let applied = scratch.path + "/applied.osm.pbf"
    let result = try runProcess(Self.osmium, ["apply-changes", old, changes, "-o", applied])
    try #require(result.status == 0, "\(result.stderr)")
    let region = Region(BoundingBox(west: 1.5, south: 42.5, east: 1.6, north: 42.6))
    for region in [Region.everything, region] {
      let expected = try PBFParser(new, region: region, threads: 2).parse().content
      let judged = try PBFParser(applied, region: region, threads: 2).parse().content
      let changed = try PBFParser(old, region: region, changes: [changes], threads: 2).parse()
      #expect(judged == expected)
      #expect(changed.content == expected)
    }
  }
}
