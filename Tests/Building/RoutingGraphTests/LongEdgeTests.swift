// SPDX-License-Identifier: Apache-2.0
import RoutingGraph
import TestSupport
import Testing
import TrailData

@Suite("Edges that would be too long")
struct LongEdgeTests {
  @Test("an edge is cut before the node with which it would exceed 65 km")
  func metres() throws {
    let graph = try Graph(
      AsciiMap("A-B-C-D-E-F-G-H", cellMetres: 10_000, ways: [.init("ABCDEFGH")]))
    // 20 km from letter to letter.
    #expect(graph.edges == "AD DG GH")
    #expect(graph.pointCounts == [2, 2, 0])
    #expect(graph.file.distances.allSatisfy { $0 <= 65_000 })
    #expect(abs(graph.file.distances.reduce(0, +) - 140_000) < 100)
  }

  @Test("a detour that only looks long is not cut")
  func diagonal() throws {
    // Each step leads 5 km east and 5 km south: 10 km by the axes, 7.1 km by the line.
    let drawing = "A\n B\n  C\n   D\n    E\n     F\n      G\n       H\n        I"
    let graph = try Graph(AsciiMap(drawing, cellMetres: 5000, ways: [.init("ABCDEFGHI")]))
    #expect(graph.edges == "AI")
  }

  @Test("a segment between two nodes stays whole, however long it is")
  func segment() throws {
    let graph = try Graph(AsciiMap("A---B-C", cellMetres: 20_000, ways: [.init("ABC")]))
    #expect(graph.edges == "AB BC")
    #expect(try Graph(AsciiMap("A---B", cellMetres: 20_000, ways: [.init("AB")])).edges == "AB")
  }

  @Test(
    "an edge of more than 10 000 points is cut into several", arguments: [10_002, 10_003, 25_000])
  func points(refs: Int) throws {
    // To and fro between two nodes would make junctions: each node is one of its own.
    var content = TrailsContent()
    content.nodeIDs = (1...Int64(refs)).map { $0 }
    content.latitudes = (0..<Int32(refs)).map { 470_000_000 + $0 * 10 }
    content.longitudes = [Int32](repeating: 100_000_000, count: refs)
    content.wayIDs = [1]
    content.refs = (0..<UInt32(refs)).map { $0 }
    content.refOffsets = [0, UInt32(refs)]
    content.wayTags.endObject()
    let folder = try TemporaryFolder()
    let elevations = [Float](repeating: .nan, count: refs)
    let graph = try Graph(content, elevations: elevations, in: folder)
    #expect(graph.pointCounts.allSatisfy { $0 <= 10_000 })
    #expect(graph.pointCounts.count == (refs - 2) / 10_001 + 1)
    // Points and the nodes between two edges are all inner nodes of the way.
    #expect(graph.pointCounts.reduce(0, +) + graph.pointCounts.count - 1 == refs - 2)
  }
}

@Suite("Ways that lie oddly")
struct OddWayTests {
  @Test("two nodes at the same coordinate are joined by an edge of zero length")
  func onePlace() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap("A-B-C-D", ways: [.init("AB"), .init("BC"), .init("CD")])
    var content = try map.trails()
    content.longitudes[2] = content.longitudes[1]
    content.latitudes[2] = content.latitudes[1]
    let graph = try Graph(content, elevations: [1, 2, 2, 3], in: folder)
    #expect(graph.edges == "AB BC CD")
    #expect(graph.file.distances[1] == 0)
    #expect(graph.barriers.isEmpty)
  }

  @Test("a way that appears twice makes each edge twice, and all connect")
  func duplicateWays() throws {
    let graph = try Graph(
      AsciiMap("A-B-C-D", ways: [.init("ABC"), .init("ABC"), .init("CD")]))
    #expect(graph.edges == "AB BC AB BC CD")
  }

  @Test("ways that overlap in a part connect at each node of it")
  func overlap() throws {
    let graph = try Graph(AsciiMap("A-B-C-D-E", ways: [.init("ABCD"), .init("BCDE")]))
    #expect(graph.edges == "AB BC CD BC CD DE")
    #expect(graph.nodes == "ABCDE")
  }

  @Test("the pieces of a way of which the middle is missing are ways of one id")
  func pieces() throws {
    let map = AsciiMap("A-B-C-D-E", ways: [.init("AB", id: 7), .init("DE", id: 8)])
    let folder = try TemporaryFolder()
    var content = try map.trails()
    content.wayIDs = [7, 7]
    let graph = try Graph(content, elevations: [1, 2, 3, 4, 5], in: folder)
    #expect(graph.edges == "AB DE")
    #expect(Array(graph.file.wayIDs) == [7, 7])
  }

  @Test("the outline of an area is a round that is cut where ways touch it")
  func area() throws {
    let drawing = """
        E
        |
      A-B-C
      |   |
      H-G-D-F
      """
    let square = ["highway": "pedestrian", "area": "yes"]
    let graph = try Graph(
      AsciiMap(drawing, ways: [.init("ABCDGHA", tags: square), .init("EB"), .init("DF")]))
    #expect(graph.edges == "AB BD DA EB DF")
  }
}
