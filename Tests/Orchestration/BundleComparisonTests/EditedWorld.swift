// SPDX-License-Identifier: Apache-2.0
import BundleComparison
import CairnAlgorithms
import CostModel
import OSMInput
import PlaceIndex
import RoutingGraph
import TestSupport
import WaypointCollection

/// Rows of paths along a spine, and peaks beside them, which are edited and written as OSM XML.
struct EditedWorld {
  struct Way {
    var nodes: [Int64]
    var tags: [String: String]
  }

  struct Peak {
    var latitude: Double
    var longitude: Double
    var name: String
  }

  static let rows = 26
  /// Rows are so many degrees apart, a third of a kilometre.
  private static let rowDegrees = 0.003

  var nodes: [Int64: (latitude: Double, longitude: Double)] = [:]
  var ways: [Int64: Way] = [:]
  var peaks: [Int64: Peak] = [:]

  init() {
    for row in 0..<Self.rows { addRow(row) }
    ways[1] = Way(
      nodes: (0..<Self.rows).map { Self.node($0, 0) },
      tags: ["highway": "track", "name": "Spine"])
    for number in 0..<8 {
      peaks[Int64(90_000 + number)] = Peak(
        latitude: 47.001 + Double(number) * Self.rowDegrees, longitude: 10.02,
        name: "Peak \(number)")
    }
  }

  static func node(_ row: Int, _ index: Int) -> Int64 { Int64(1000 + row * 20 + index) }
  static func way(_ row: Int) -> Int64 { Int64(100 + row) }
  /// The name of a row's path; each third one has none.
  static func name(_ row: Int) -> String? { row % 3 == 0 ? nil : "Trail \(row)" }
  /// By what a change of a row's path is known: its name, or its way.
  static func label(_ row: Int) -> String { name(row) ?? "\(way(row))" }

  /// Adds a path of nine points, some 800 m long.
  mutating func addRow(_ row: Int, name: String?? = nil) {
    for index in 0..<9 {
      // A little crooked, so that no three points lie on a line.
      let bend = index % 2 == 0 ? 0.0 : 0.00002 * Double(1 + row % 5)
      nodes[Self.node(row, index)] = (
        47 + Double(row) * Self.rowDegrees + bend, 10 + Double(index) * 0.0013
      )
    }
    var tags = ["highway": "path", "sac_scale": "hiking", "surface": "gravel"]
    tags["name"] = name ?? Self.name(row)
    ways[Self.way(row)] = Way(nodes: (0..<9).map { Self.node(row, $0) }, tags: tags)
  }

  /// The world as OSM XML.
  private var xml: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<osm version="0.6">"#]
    for (id, node) in nodes.sorted(by: { $0.key < $1.key }) {
      lines.append(#"<node id="\#(id)" lat="\#(node.latitude)" lon="\#(node.longitude)"/>"#)
    }
    for (id, peak) in peaks.sorted(by: { $0.key < $1.key }) {
      lines.append(
        #"<node id="\#(id)" lat="\#(peak.latitude)" lon="\#(peak.longitude)">"#
          + #"<tag k="natural" v="peak"/><tag k="name" v="\#(peak.name)"/></node>"#)
    }
    for (id, way) in ways.sorted(by: { $0.key < $1.key }) {
      lines.append(#"<way id="\#(id)">"#)
      lines += way.nodes.map { #"<nd ref="\#($0)"/>"# }
      lines += way.tags.sorted { $0.key < $1.key }.map {
        #"<tag k="\#($0.key)" v="\#($0.value)"/>"#
      }
      lines.append("</way>")
    }
    return (lines + ["</osm>"]).joined(separator: "\n")
  }

  /// Builds the databases of the world.
  func build(in folder: TemporaryFolder, _ name: String) throws -> BundleComparison.Side {
    let source = try folder.write(xml, to: "\(name).osm")
    let file = { (ending: String) in folder.file("\(name).\(ending)") }
    try runStage(
      ParseOverpassCommand.self, ["--input", source, "--output", file("trails")])
    try runStage(
      BuildGraphCommand.self, ["--input", file("trails"), "--output", file("graph")])
    try runStage(
      ComputeCostsCommand.self,
      ["--input", file("graph"), "--output", file("routing.db"), "--profile", "hiking"])
    try runStage(
      CollectPlacesCommand.self, ["--input", file("trails"), "--output", file("waypoints.db")])
    try runStage(
      IndexPlacesCommand.self, ["--input", file("trails"), "--output", file("places.db")])
    return BundleComparison.Side(
      routingDatabase: file("routing.db"), waypoints: file("waypoints.db"),
      places: file("places.db"))
  }
}
