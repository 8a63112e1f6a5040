// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@testable import CairnMapMatching

@Suite("The ways of a matched stretch")
struct MatchedWayTests {
  private func edge(_ id: Int64, way: Int64?, reversed: Bool = false) -> MatchedEdge {
    MatchedEdge(
      edge: id, osmWayID: way, name: way.map { "Way \($0)" }, highwayType: "path",
      isReversed: reversed, fromShare: 0, toShare: 1, lengthMetres: Double(id), line: [])
  }

  private func parts(_ edges: [MatchedEdge]) -> [[Int64]] {
    MatchedStretch(edges: edges, fixes: 0...1).ways.map { $0.edges.map(\.edge) }
  }

  @Test("edges of one way in one direction are one part, in the order of travel")
  func joined() {
    let edges = [edge(1, way: 7), edge(2, way: 7), edge(3, way: 8), edge(4, way: 7)]
    #expect(parts(edges) == [[1, 2], [3], [4]])
    let ways = MatchedStretch(edges: edges, fixes: 0...1).ways
    #expect(ways.map(\.lengthMetres) == [3, 3, 4])
    #expect(ways.map(\.first.name) == ["Way 7", "Way 8", "Way 7"])
  }

  @Test("where somebody turns round on a way, another part begins")
  func turned() {
    #expect(
      parts([edge(1, way: 7), edge(2, way: 7, reversed: true), edge(3, way: 7, reversed: true)])
        == [[1], [2, 3]])
  }

  @Test("edges whose way is unknown are parts of their own")
  func unknown() {
    #expect(parts([edge(1, way: nil), edge(2, way: nil), edge(3, way: 7)]) == [[1], [2], [3]])
    #expect(parts([edge(1, way: 7)]) == [[1]])
  }
}
