// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RoutingGraph
import TestSupport
import Testing
import TrailData

@Suite("Where ways are cut")
struct JunctionTests {
  private func edges(_ drawing: String, _ ways: String...) throws -> String {
    try Graph(AsciiMap(drawing, ways: ways.map { .init($0) })).edges
  }

  @Test("a way that nothing touches is one edge with the points between its ends")
  func singleWay() throws {
    let graph = try Graph(AsciiMap("A-B-C-D", ways: [.init("ABCD")]))
    #expect(graph.nodes == "AD")
    #expect(graph.edges == "AD")
    #expect(graph.pointCounts == [2])
  }

  @Test("two ways that share a node inside are cut there")
  func crossing() throws {
    let drawing = """
        D
      A-B-C
        E
      """
    #expect(try edges(drawing, "ABC", "DBE") == "AB BC DB BE")
  }

  @Test("ways that cross without a common node do not connect")
  func overpass() throws {
    let drawing = """
        D
      A B C
        E
      """
    #expect(try edges(drawing, "ABC", "DE") == "AC DE")
  }

  @Test("a way that ends in the middle of another cuts it")
  func touching() throws {
    #expect(try edges("A-B-C\n  D", "ABC", "DB") == "AB BC DB")
  }

  @Test(
    "a way beyond the region cuts those of the region where it meets them, and is no edge itself")
  func seam() throws {
    let folder = try TemporaryFolder()
    var content = try AsciiMap("A-B-C-D", ways: [.init("ABCD")]).trails()
    content.margin.nodeIDs = [1_000]
    content.margin.latitudes = [470_000_000]
    content.margin.longitudes = [100_000_000]
    content.margin.refs = [4, 1, 1]
    content.margin.refOffsets = [0, 3]
    content.margin.wayTags.endObject()
    let path = folder.file("map.trails")
    try content.write(to: path, provenance: Provenance(tool: "a test"))
    let graph = folder.file("map.graph")
    try runStage(BuildGraphCommand.self, ["--input", path, "--output", graph])
    let cut = Graph(try GraphFile(graph), folder)
    #expect(cut.nodes == "ABD" && cut.edges == "AB BD")
  }

  @Test("ways that go on end to end stay two edges")
  func endToEnd() throws {
    let graph = try Graph(AsciiMap("A-B-C", ways: [.init("AB"), .init("BC")]))
    #expect(graph.nodes == "ABC")
    #expect(graph.edges == "AB BC")
  }

  @Test("a way that crosses itself is cut there, and its loop is an edge of its own")
  func selfCrossing() throws {
    let drawing = """
      A-B-C
        E-D
      """
    #expect(try edges(drawing, "ABCDEBA") == "AB BB BA")
    #expect(try edges(drawing, "ABCDEB") == "AB BB")
  }

  @Test("a closed way that nothing touches is one loop")
  func closedWay() throws {
    let graph = try Graph(AsciiMap("A-B\nD-C", ways: [.init("ABCDA")]))
    #expect(graph.nodes == "A")
    #expect(graph.edges == "AA")
    #expect(graph.pointCounts == [3])
  }

  @Test("a closed way is cut at its junctions and where it begins")
  func roundabout() throws {
    #expect(try edges("  A-B-E\nF-D-C", "ABCDA", "BE", "FD") == "AB BD DA BE FD")
  }

  @Test("ways that share several nodes are cut at each of them")
  func sharedNodes() throws {
    #expect(try edges("A-B-C-D-E", "ABCD", "EDCB") == "AB BC CD ED DC CB")
  }

  @Test("the same nodes in two ways make parallel edges")
  func parallelEdges() throws {
    let drawing = """
      A-B-C
       D-E
      """
    let graph = try Graph(AsciiMap(drawing, ways: [.init("ABC"), .init("ADEC")]))
    #expect(graph.nodes == "AC")
    #expect(graph.edges == "AC AC")
    #expect(graph.pointCounts == [1, 2])
  }

  @Test("a way there and back is cut where it passes twice, and turns in a loop")
  func thereAndBack() throws {
    #expect(try edges("A-B-C", "ABCBA") == "AB BB BA")
  }

  @Test("a node that follows itself is neither a junction nor a point twice")
  func consecutiveDuplicates() throws {
    let graph = try Graph(AsciiMap("A-B-C", ways: [.init("AABBBCC")]))
    #expect(graph.nodes == "AC")
    #expect(graph.edges == "AC")
    #expect(graph.pointCounts == [1])
  }

  @Test("a junction that follows itself makes no edge without extent")
  func duplicatedJunction() throws {
    #expect(try edges("A-B-C\n  D", "ABBC", "DBB") == "AB BC DB")
  }

  @Test("a way of a single node has no part in the graph")
  func singleNode() throws {
    let graph = try Graph(
      AsciiMap("A-B-C-D", ways: [.init("ABC"), .init("B"), .init("DD"), .init("")]))
    #expect(graph.nodes == "AC")
    #expect(graph.edges == "AC")
    #expect(Array(graph.file.wayIDs) == [100])
  }

  @Test("a map without an edge is an error that says so")
  func emptyGraph() throws {
    let map = AsciiMap("A-B", ways: [.init("A"), .init("BB")])
    let folder = try TemporaryFolder()
    let error = expectError("empty-graph", .dataError) { try map.graphFile(in: folder) }
    #expect(error?.location?.file.hasSuffix(".trails") == true)
    #expect(try !folder.contents.contains("map.graph"))
  }
}

@Suite("The order of a graph")
struct OrderTests {
  @Test("nodes are in the order of their ids, edges in that of way ids and then along the way")
  func order() throws {
    let map = AsciiMap(
      "Z-Y-X-W", ways: [.init("WX", id: 30), .init("ZYX", id: 10), .init("YX", id: 20)])
    let graph = try Graph(map)
    #expect(graph.nodes == "WXYZ")
    #expect(graph.edges == "ZY YX YX WX")
    #expect(graph.file.ways.map { graph.file.wayIDs[Int($0)] } == [10, 10, 20, 30])
  }

  @Test("edges run along their ways, whichever end has the smaller id")
  func direction() throws {
    #expect(try Graph(AsciiMap("A-B-C", ways: [.init("CBA")])).edges == "CA")
  }

  @Test("any number of threads gives the same bytes", arguments: [2, 3, 8])
  func threads(count: Int) throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap(
      "A-B-C-D\n  E-F", ways: [.init("ABCD"), .init("EB"), .init("CF"), .init("EF")],
      elevations: ["A": 100, "B": 120, "C": 80])
    let one = try bytesOfFile(try map.graphFile(in: folder, name: "one.graph"))
    let many = try bytesOfFile(
      try map.graphFile(in: folder, name: "many.graph", threads: count))
    #expect(one == many)
  }

  @Test("more edges than one worker takes at a time are all there, in their order")
  func manyEdges() throws {
    // A hundred ways over the same fifty junctions: 4900 edges.
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
    let map = AsciiMap(letters, ways: (0..<100).map { _ in .init(letters) })
    let one = try Graph(map)
    let many = try Graph(map, threads: 4)
    #expect(one.file.from.count == 4900)
    #expect(Array(one.file.distances) == Array(many.file.distances))
    #expect(one.edges == many.edges)
  }
}
