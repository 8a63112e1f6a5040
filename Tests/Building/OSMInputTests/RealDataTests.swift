// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules
import Foundation
import TestSupport
import Testing
import TrailData

@testable import OSMInput

/// The folder of real data, if it exists beside the package.
private let dataFolder = sharedData(".") ?? ""

private let hasData = !dataFolder.isEmpty
private let osmium = "/usr/bin/osmium"
private let hasOsmium = FileManager.default.isExecutableFile(atPath: osmium)

/// Whether an object in OPL is a point of interest: some need a name, and a house number a street.
private func isPoint(_ line: String) -> Bool {
  let field = line.split(separator: " ").first { $0.hasPrefix("T") }?.dropFirst() ?? ""
  var tags: [String: String] = [:]
  for tag in field.split(separator: ",") {
    let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2 { tags[parts[0]] = parts[1] }
  }
  let isNamed = tags.keys.contains { $0 == "name" || TagSelection.otherNameKeys.contains($0) }
  if tags[TagSelection.houseNumberKey] != nil, tags["addr:street"] ?? tags["addr:place"] != nil {
    return true
  }
  return tags.contains { key, value in
    guard let values = TagSelection.pointsOfInterest[key] else { return false }
    guard values.isEmpty || values.contains(value) else { return false }
    let rules = PointRule.all.filter { $0.key == key && $0.values.contains(value) }
    return isNamed || !rules.contains { $0.kind.needsName }
  }
}

@Suite("Real files", .enabled(if: hasData, "needs ../shared/data"))
struct RealDataTests {
  private func parse(_ name: String, threads: Int = 2) throws -> OSMExtract {
    let path = dataFolder + "/" + name
    return name.hasSuffix(".pbf")
      ? try PBFParser(path, threads: threads).parse()
      : try OverpassParser(path, threads: threads).parse()
  }

  @Test(
    "counts of objects are those of other tools",
    arguments: [
      ("andorra.osm.pbf", [235_550, 11_871, 262]), ("munich.osm.pbf", [38_803, 7_050, 762]),
      ("andorra-2013.osm.pbf", [69_644, 2_725, 74, 1_615, 48]),
      ("andorra-2013.osm.gz", [69_385, 2_722, 74, 1_614, 47]),
      ("krems-josm.osm.gz", [15_042, 2_402, 73]),
    ] as [(String, [Int])])
  func counts(name: String, expected: [Int]) throws {
    let counts = try parse(name).counts
    let all = [counts.nodes, counts.ways, counts.relations, counts.highways, counts.sacScales]
    #expect(Array(all.prefix(expected.count)) == expected)
  }

  @Test("the result does not depend on the number of threads")
  func threads() throws {
    let one = try parse("andorra.osm.pbf", threads: 1)
    for threads in [2, 4, 7] { #expect(try parse("andorra.osm.pbf", threads: threads) == one) }
  }

  @Test("ids ascend, and parallel columns have equal lengths")
  func shape() throws {
    for name in ["andorra.osm.pbf", "krems-josm.osm.gz"] {
      let content = try parse(name).content
      for ids in [content.nodeIDs, content.wayIDs] {
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
      }
      #expect(content.latitudes.count == content.nodeIDs.count)
      #expect(content.longitudes.count == content.nodeIDs.count)
      #expect(content.refOffsets.count == content.wayIDs.count + 1)
      #expect(Int(content.refOffsets.last ?? 0) == content.refs.count)
      #expect(Set(content.refs).count == content.nodeIDs.count)
    }
  }

  @Test(
    "nodes and refs are those that osmium reads",
    .enabled(if: hasOsmium, "needs osmium-tool"))
  func sameAsOsmium() throws {
    let extract = try parse("andorra.osm.pbf")
    let opl = try output(of: ["cat", "-f", "opl", dataFolder + "/andorra.osm.pbf"])
    var positions: [Int64: String] = [:]
    var refs: [Int64: [Int64]] = [:]
    for line in opl.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " ")).map { String($0) ?? "" }
      guard let id = Int64(fields[0].dropFirst()) else { continue }
      if fields[0].hasPrefix("n") {
        positions[id] = fields.suffix(2).joined(separator: " ")
      } else if fields[0].hasPrefix("w"), let nodes = fields.last?.dropFirst() {
        refs[id] = nodes.split(separator: ",").compactMap { Int64($0.dropFirst()) }
      }
    }
    for (node, id) in extract.content.nodeIDs.enumerated() {
      let longitude = plain(extract.content.longitudes[node])
      let latitude = plain(extract.content.latitudes[node])
      try #require(positions[id] == "x\(longitude) y\(latitude)")
    }
    let indices = Dictionary(
      uniqueKeysWithValues: extract.content.wayIDs.enumerated().map { ($0.element, $0.offset) })
    for (id, way) in indices {
      let range = extract.content.refOffsets[way]..<extract.content.refOffsets[way + 1]
      let kept = range.map { extract.content.nodeIDs[Int(extract.content.refs[Int($0)])] }
      try #require(kept == refs[id])
    }
  }

  @Test(
    "the same data as PBF and as XML gives the same content",
    .enabled(if: hasOsmium, "needs osmium-tool"), arguments: ["andorra-2013", "munich"])
  func sameAsXML(name: String) throws {
    let scratch = try Scratch()
    let xml = scratch.path + "/map.osm"
    _ = try output(of: ["cat", "-o", xml, dataFolder + "/\(name).osm.pbf"])
    let fromXML = try OverpassParser(xml).parse()
    let fromPBF = try parse("\(name).osm.pbf")
    #expect(fromXML.content == fromPBF.content)
    #expect(fromXML.counts == fromPBF.counts)
    #expect(fromXML.warnings == fromPBF.warnings)
  }

  @Test(
    "hiking routes and points of interest are those that osmium finds",
    .enabled(if: hasOsmium, "needs osmium-tool"), arguments: ["andorra", "munich"])
  func routesAndPoints(name: String) throws {
    let file = dataFolder + "/\(name).osm.pbf"
    let content = try parse("\(name).osm.pbf").content
    func ids(_ kinds: String, _ select: (String) -> Bool) throws -> Set<Int64> {
      let filters =
        TagSelection.pointsOfInterest.map { key, values in
          "\(kinds)/\(key)" + (values.isEmpty ? "" : "=" + values.sorted().joined(separator: ","))
        } + ["\(kinds)/\(TagSelection.houseNumberKey)"]
      let opl = try output(of: ["tags-filter", "-R", "-f", "opl", file] + filters)
      let lines = opl.split(separator: "\n").map(String.init).filter { isPoint($0) && select($0) }
      return Set(lines.compactMap { Int64($0.dropFirst().prefix { $0 != " " }) })
    }
    func points(_ type: OSMObjectType) -> Set<Int64> {
      Set(content.poiIDs.indices.filter { content.poiTypes[$0] == type }.map { content.poiIDs[$0] })
    }
    #expect(try ids("n") { _ in true } == points(.node))
    let closed = try ids("w") { line in
      let refs = line.split(separator: " ").last?.dropFirst().split(separator: ",") ?? []
      return refs.count >= 4 && refs.first == refs.last
    }
    #expect(closed == points(.way))
    #expect(points(.relation).isSubset(of: try ids("r") { $0.contains("type=multipolygon") }))

    let kinds = TagSelection.routeKinds.sorted().joined(separator: ",")
    let opl = try output(of: ["tags-filter", "-R", "-f", "opl", file, "r/route=\(kinds)"])
    var members: [Int64: [Substring]] = [:]
    for line in opl.split(separator: "\n") {
      let fields = line.split(separator: " ")
      let isRoute = line.contains("type=route") || line.contains("type=superroute")
      guard isRoute, let id = Int64(fields[0].dropFirst()) else { continue }
      members[id] = (fields.last?.dropFirst() ?? "").split(separator: ",").map {
        $0.prefix { $0 != "@" }
      }
    }
    var expected: [Int64: Set<Int64>] = [:]
    let kept = Set(content.wayIDs)
    for root in members.keys {
      var seen: Set<Int64> = []
      var rest = [root]
      while let relation = rest.popLast() {
        guard seen.insert(relation).inserted else { continue }
        for member in members[relation] ?? [] {
          guard let id = Int64(member.dropFirst()) else { continue }
          if member.hasPrefix("r") { rest.append(id) }
          if member.hasPrefix("w"), kept.contains(id) { expected[id, default: []].insert(root) }
        }
      }
    }
    #expect(Set(expected.values.joined()) == Set(content.routeIDs))
    for (way, id) in content.wayIDs.enumerated() where content.wayRouteOffsets.count > 1 {
      let range = content.wayRouteOffsets[way]..<content.wayRouteOffsets[way + 1]
      let routes = Set(range.map { content.routeIDs[Int(content.wayRoutes[Int($0)])] })
      try #require(routes == expected[id, default: []])
    }
  }

  /// 10⁻⁷ degrees without trailing zeros, as osmium writes them.
  private func plain(_ units: Int32) -> Substring {
    var text = Substring(degrees(Int64(units)))
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private func output(of arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: osmium)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
