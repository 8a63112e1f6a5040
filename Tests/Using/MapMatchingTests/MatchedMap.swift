// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CairnRouting
import Foundation
import TestSupport

/// A map that tracks are matched to. Matched edges are written as the letters of their nodes in the
/// direction of travel, such as `AB BC`, and a gap as `~`.
struct MatchedMap {
  let map: AsciiMap
  let graph: ProfileGraph
  let matcher: MapMatcher
  private let folder: TemporaryFolder

  init(_ map: AsciiMap) throws {
    self.map = map
    folder = try TemporaryFolder()
    let store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
    defer { store.close() }
    graph = try ProfileGraph(RoadNetwork(reading: store), profile: "hiking", reading: store)
    matcher = MapMatcher(graph)
  }

  init(_ drawing: String, cellMetres: Double = 100, _ ways: String...) throws {
    try self.init(AsciiMap(drawing, cellMetres: cellMetres, ways: ways.map { .init($0) }))
  }

  /// The points along a line through letters, some metres apart, both ends included.
  func points(_ letters: String, every metres: Double = 10) throws -> [Coordinate] {
    Self.points(along: try letters.map { try map.coordinate($0) }, every: metres)
  }

  static func points(along line: [Coordinate], every metres: Double = 10) -> [Coordinate] {
    var points: [Coordinate] = []
    for (one, other) in zip(line, line.dropFirst()) {
      let steps = max(1, Int((segmentMetres(one, other) / metres).rounded()))
      points += (0..<steps).map { interpolated(one, other, Double($0) / Double(steps)) }
    }
    return points + line.suffix(1)
  }

  /// Fixes at points, some seconds apart.
  static func fixes(_ points: [Coordinate], every seconds: Double = 8) -> [MatchingFix] {
    points.enumerated().map { index, point in
      MatchingFix(
        coordinate: point,
        time: Date(timeIntervalSince1970: 1_750_000_000 + Double(index) * seconds))
    }
  }

  /// A point on the line from one letter to another.
  func point(_ from: Character, _ to: Character, _ share: Double) throws -> Coordinate {
    interpolated(try map.coordinate(from), try map.coordinate(to), share)
  }

  func match(_ points: [Coordinate]) throws -> MatchedTrack {
    try matcher.match(Self.fixes(points))
  }

  /// The letters of a matched track.
  func letters(_ track: MatchedTrack) -> String {
    track.sections.map { section in
      switch section {
      case .gap: "~"
      case .stretch(let stretch): stretch.edges.map(letters).joined(separator: " ")
      }
    }.joined(separator: " ")
  }

  private func letters(_ matched: MatchedEdge) -> String {
    guard let index = graph.network.index(ofEdge: matched.edge) else { return "?" }
    let edge = graph.network.edges[index]
    let (from, to) = matched.isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
    return [from, to].map { node in
      AsciiMap.letter(graph.network.nodeIDs[Int(node)]).map(String.init) ?? "?"
    }.joined()
  }
}
