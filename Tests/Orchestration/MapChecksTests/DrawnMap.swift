// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport

@testable import MapChecks
@testable import OSMInput

/// A map in metres, as OpenStreetMap XML.
struct DrawnMap {
  typealias Tags = [String: String]

  private struct Node {
    var id: Int
    var x: Double
    var y: Double
    var tags: Tags
  }

  private var nodes: [Node] = []
  private var ways: [(id: Int, nodes: [Int], tags: Tags)] = []
  private var relations: [(id: Int, members: [String], tags: Tags)] = []

  private static let origin = Coordinate(latitude: 47.5, longitude: 10.5)

  /// Adds a node; returns its id.
  @discardableResult
  mutating func node(_ x: Double, _ y: Double, _ tags: Tags = [:]) -> Int {
    nodes.append(Node(id: nodes.count + 1, x: x, y: y, tags: tags))
    return nodes.count
  }

  /// Adds a way along nodes; returns its id.
  @discardableResult
  mutating func way(_ line: [Int], _ tags: Tags = [:]) -> Int {
    ways.append((ways.count + 100, line, ["highway": "path"].merging(tags) { $1 }))
    return ways.count + 99
  }

  /// Adds a way along new nodes; returns these.
  @discardableResult
  mutating func line(_ points: [(Double, Double)], _ tags: Tags = [:]) -> [Int] {
    let line = points.map { node($0.0, $0.1) }
    way(line, tags)
    return line
  }

  /// Adds a waymarked route with members such as `100` or `100:forward`.
  mutating func route(_ members: [String], _ tags: Tags = [:]) {
    let usual = ["type": "route", "route": "hiking", "name": "Round"]
    relations.append((relations.count + 1, members, usual.merging(tags) { $1 }))
  }

  private static func xml(_ tags: Tags) -> String {
    func escaped(_ text: String) -> String {
      text.unicodeScalars.map { "&#\($0.value);" }.joined()
    }
    return tags.sorted { $0.key < $1.key }
      .map { "<tag k=\"\(escaped($0.key))\" v=\"\(escaped($0.value))\"/>" }.joined()
  }

  private func point(_ node: Node) -> Coordinate { Self.origin.moved(east: node.x, north: node.y) }

  /// How a map is cut at a box in metres.
  enum Cut: CaseIterable {
    /// Ways with a node inside keep all their nodes.
    case wholeWays
    /// Ways with a node inside keep those inside only.
    case nodesInside
  }

  /// The map, or what a cut leaves of it.
  func xml(_ cut: Cut? = nil, at metres: ClosedRange<Double> = 0...0) -> String {
    let inside = Set(nodes.filter { metres.contains($0.x) && metres.contains($0.y) }.map(\.id))
    let kept = ways.filter { cut == nil || !inside.isDisjoint(with: $0.nodes) }
    let known =
      switch cut {
      case nil: Set(nodes.map(\.id))
      case .wholeWays: inside.union(kept.flatMap(\.nodes))
      case .nodesInside: inside
      }
    var text = "<osm version=\"0.6\">\n"
    for node in nodes where known.contains(node.id) {
      let place = point(node)
      text +=
        "<node id=\"\(node.id)\" lat=\"\(place.latitude)\" lon=\"\(place.longitude)\">"
        + Self.xml(node.tags) + "</node>\n"
    }
    for way in kept {
      text += "<way id=\"\(way.id)\">" + way.nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
      text += Self.xml(way.tags) + "</way>\n"
    }
    for relation in relations {
      text += "<relation id=\"\(relation.id)\">"
      for member in relation.members {
        let words = member.split(separator: ":")
        text +=
          "<member type=\"way\" ref=\"\(words[0])\" role=\"\(words.dropFirst().first ?? "")\"/>"
      }
      text += Self.xml(relation.tags) + "</relation>\n"
    }
    return text + "</osm>\n"
  }

  /// The findings in the map, which is all that there is unless it is cut.
  func findings(_ cut: Cut? = nil, at metres: ClosedRange<Double> = 0...0, isWhole: Bool? = nil)
    throws -> [MapFinding]
  {
    let folder = try TemporaryFolder()
    let extract = try MappedExtract(
      try folder.write(xml(cut, at: metres), to: "map.osm"), threads: 2)
    return try MapCheck.findings(extract, isWhole: isWhole ?? (cut == nil))
  }

  /// The ids of the findings of a kind.
  func ids(_ kind: MapFindingKind) throws -> [String] {
    try findings().filter { $0.kind == kind }.map(\.id)
  }
}
