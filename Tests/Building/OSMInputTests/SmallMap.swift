// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import Testing
import TrailData

@testable import OSMInput

/// A node of a test map, with coordinates in 10⁻⁷ degrees.
struct MapNode {
  var id: Int64
  var latitude: Int64
  var longitude: Int64
  var tags: KeyValuePairs<String, String> = [:]
}

/// A way of a test map.
struct MapWay {
  var id: Int64
  var refs: [Int64]
  var tags: KeyValuePairs<String, String> = ["highway": "path"]
}

/// A relation of a test map.
struct MapRelation {
  /// A member, such as `w10` or `r5:forward`: its type, id and role.
  typealias Member = String

  var id: Int64
  var members: [Member]
  var tags: KeyValuePairs<String, String>

  /// Type (0 node, 1 way, 2 relation), id and role of each member.
  var parts: [(kind: Int, id: Int64, role: String)] {
    members.map { member in
      let words = member.split(separator: ":", maxSplits: 1)
      return (
        Self.kinds[words[0].prefix(1)] ?? 0, Int64(words[0].dropFirst()) ?? 0,
        words.count > 1 ? String(words[1]) : ""
      )
    }
  }

  private static let kinds: [Substring: Int] = ["n": 0, "w": 1, "r": 2]
}

/// A test map that can be written as PBF and as XML.
struct SmallMap {
  var nodes: [MapNode]
  var ways: [MapWay]
  /// The number of empty relations.
  var relations = 1
  var routes: [MapRelation] = []

  /// Five nodes in a row, a path, a road with many tags and a house; one node is a gate.
  static let valley = SmallMap(
    nodes: [
      MapNode(id: 1, latitude: 470_000_000, longitude: 100_000_000),
      MapNode(id: 2, latitude: 470_000_001, longitude: 100_100_000),
      MapNode(
        id: 3, latitude: 470_100_000, longitude: 100_200_000,
        tags: ["barrier": "gate", "source": "survey", "access": "yes"]),
      MapNode(id: 5, latitude: 470_200_000, longitude: 100_300_000),
      MapNode(id: 8, latitude: -10, longitude: -20, tags: ["natural": "peak"]),
      MapNode(id: 9, latitude: 470_300_000, longitude: 100_400_000),
    ],
    ways: [
      MapWay(id: 10, refs: [1, 2, 3], tags: ["sac_scale": "hiking", "highway": "path"]),
      MapWay(
        id: 11, refs: [3, 5, 9],
        tags: ["highway": "tertiary", "name": "Große Straße", "building": "no", "foot": "yes"]),
      MapWay(id: 12, refs: [1, 2, 8, 1], tags: ["building": "yes"]),
      MapWay(id: 13, refs: [5, 9], tags: ["highway": "motorway"]),
    ])

  var pbf: [UInt8] {
    var nodeBlock = BlockWriter()
    nodeBlock.addDense(nodes)
    var wayBlock = BlockWriter()
    wayBlock.add(ways)
    var relationBlock = BlockWriter()
    relationBlock.addRelations(relations)
    relationBlock.add(routes)
    return headerFrame() + nodeBlock.frame() + wayBlock.frame() + relationBlock.frame()
  }

  var xml: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<osm version=\"0.6\">\n"
    for node in nodes {
      text += "<node id=\"\(node.id)\" version=\"1\" lat=\"\(degrees(node.latitude))\" "
      text += "lon=\"\(degrees(node.longitude))\">\(xmlTags(node.tags))</node>\n"
    }
    for way in ways {
      text += "<way id=\"\(way.id)\" visible=\"true\">"
      for ref in way.refs { text += "<nd ref=\"\(ref)\"/>" }
      text += "\(xmlTags(way.tags))</way>\n"
    }
    for relation in 0..<relations { text += "<relation id=\"\(relation + 1)\"/>\n" }
    for route in routes {
      text += "<relation id=\"\(route.id)\">"
      for part in route.parts {
        let kind = ["node", "way", "relation"][part.kind]
        text += "<member type=\"\(kind)\" ref=\"\(part.id)\" role=\"\(part.role)\"/>"
      }
      text += "\(xmlTags(route.tags))</relation>\n"
    }
    return text + "</osm>\n"
  }
}

/// 10⁻⁷ degrees as decimal text.
func degrees(_ units: Int64) -> String {
  let digits = String(units.magnitude)
  let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  return (units < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
}

func xmlTags(_ tags: KeyValuePairs<String, String>) -> String {
  tags.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }.joined()
}

/// A temporary folder for a test.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "cairn-osm-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  func file(_ name: String, _ text: String) throws -> String {
    try file(name, Array(text.utf8))
  }
}

/// Reads PBF bytes as a file.
func parsePBF(_ bytes: [UInt8], region: Region = .everything, threads: Int = 1) throws
  -> OSMExtract
{
  let scratch = try Scratch()
  return try PBFParser(
    try scratch.file("map.osm.pbf", bytes), region: region, threads: threads
  ).parse()
}

/// Reads XML as a file.
func parseXML(_ bytes: [UInt8], region: Region = .everything) throws -> OSMExtract {
  let scratch = try Scratch()
  return try OverpassParser(try scratch.file("map.osm", bytes), region: region).parse()
}

func parseXML(_ text: String, region: Region = .everything) throws -> OSMExtract {
  try parseXML(Array(text.utf8), region: region)
}

/// The ``CairnError`` that a call throws, if it throws one.
func failure(of call: () throws -> some Any) -> CairnError? {
  do {
    _ = try call()
    return nil
  } catch { return error as? CairnError }
}

extension OSMExtract {
  /// The refs of a kept way as ids, or nil if it was not kept.
  func refs(ofWay id: Int64) -> [Int64]? {
    guard let way = content.wayIDs.firstIndex(of: id) else { return nil }
    return content.refs[Int(content.refOffsets[way])..<Int(content.refOffsets[way + 1])]
      .map { content.nodeIDs[Int($0)] }
  }

  /// The refs of all kept ways as ids, in their order.
  var refsOfAllWays: [[Int64]] {
    content.wayIDs.indices.map { way in
      content.refs[Int(content.refOffsets[way])..<Int(content.refOffsets[way + 1])]
        .map { content.nodeIDs[Int($0)] }
    }
  }

  /// The coordinate of a kept node in 10⁻⁷ degrees.
  func coordinate(ofNode id: Int64) -> [Int32]? {
    guard let node = content.nodeIDs.firstIndex(of: id) else { return nil }
    return [content.latitudes[node], content.longitudes[node]]
  }

  /// The tags of a kept way as `key=value`, in their order.
  func tags(ofWay id: Int64) -> [String]? {
    content.wayIDs.firstIndex(of: id).map { tags(content.wayTags, $0) }
  }

  /// The tags of a kept node as `key=value`, in their order.
  func tags(ofNode id: Int64) -> [String] {
    guard let node = content.nodeIDs.firstIndex(of: id),
      let index = content.taggedNodes.firstIndex(of: UInt32(node))
    else { return [] }
    return tags(content.nodeTags, index)
  }

  func tags(_ lists: TagLists, _ object: Int) -> [String] {
    (Int(lists.offsets[object])..<Int(lists.offsets[object + 1])).map { tag in
      text(lists.keys[tag]) + "=" + text(lists.values[tag])
    }
  }

  private func text(_ index: UInt32) -> String {
    String(decoding: content.strings[Int(index)], as: UTF8.self)
  }

  /// The ids of the waymarked routes that follow a kept way.
  func routes(ofWay id: Int64) -> [Int64]? {
    guard let way = content.wayIDs.firstIndex(of: id), way + 1 < content.wayRouteOffsets.count
    else { return nil }
    let range = content.wayRouteOffsets[way]..<content.wayRouteOffsets[way + 1]
    return range.map { content.routeIDs[Int(content.wayRoutes[Int($0)])] }
  }

  /// The tags of a waymarked route as `key=value`, in their order.
  func tags(ofRoute id: Int64) -> [String]? {
    content.routeIDs.firstIndex(of: id).map { tags(content.routeTags, $0) }
  }

  /// The points of interest as `n1 470000000 100000000`, in their order.
  var points: [String] {
    content.poiIDs.indices.map { point in
      let kind = ["n", "w", "r"][Int(content.poiTypes[point].rawValue)]
      return "\(kind)\(content.poiIDs[point]) \(content.poiLatitudes[point]) "
        + "\(content.poiLongitudes[point])"
    }
  }

  /// The tags of a point of interest as `key=value`, in their order.
  func tags(ofPoint point: Int) -> [String] { tags(content.poiTags, point) }

  /// The number of warnings of a kind.
  func warnings(_ kind: String) -> Int {
    warnings.entries.first { $0.kind == kind }?.count ?? 0
  }
}
