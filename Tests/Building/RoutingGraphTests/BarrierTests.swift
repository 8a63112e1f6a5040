// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import RoutingGraph
import TestSupport
import Testing
import TrailData

@Suite("Where barriers part ways")
struct BarrierTests {
  private let fence = ["barrier": "fence"]

  private func graph(
    _ drawing: String, _ ways: String..., barriers: [Character: [String: String]]
  ) throws -> Graph {
    try Graph(AsciiMap(drawing, ways: ways.map { .init($0) }, nodeTags: barriers))
  }

  @Test("a fence within a way is a junction whose second side is a copy of the node")
  func withinWay() throws {
    let graph = try graph("A-B-C", "ABC", barriers: ["B": fence])
    #expect(graph.nodes == "ABCB'")
    #expect(graph.edges == "AB BB' B'C")
    #expect(graph.barriers == "BB'")
    #expect(graph.file.ways.map { graph.file.wayIDs[Int($0)] } == [100, 100, 100])
  }

  @Test("the copy lies where the node lies, as high, and the edge between them has no extent")
  func copy() throws {
    let map = AsciiMap(
      "A-B-C", ways: [.init("ABC")], nodeTags: ["B": fence],
      elevations: ["A": 100, "B": 110, "C": 120])
    let file = try Graph(map).file
    #expect(file.nodeIDs[3] == 2 + GraphNodeID.span)
    #expect(file.latitudes[3] == file.latitudes[1] && file.longitudes[3] == file.longitudes[1])
    #expect(file.elevations[3] == 110)
    #expect(file.distances[1] == 0 && file.gains[1] == 0 && file.losses[1] == 0)
    #expect(Array(file.gains) == [10, 0, 10])
    #expect(file.points(ofEdge: 1).isEmpty)
  }

  @Test("a barrier that everybody passes, or one beside the way, is not a junction")
  func open() throws {
    for tags in [["barrier": "gate"], ["barrier": "bollard"], ["highway": "crossing"]] {
      let graph = try graph("A-B-C", "ABC", barriers: ["B": tags])
      #expect(graph.edges == "AC", "\(tags)")
    }
  }

  @Test("a lift that is not for everybody, or not always, parts the way; any other does not")
  func lift() throws {
    for tags in [["access": "no"], ["foot": "private"], ["opening_hours": "Mo-Fr 06:00-20:00"]] {
      let lift = tags.merging(["highway": "elevator"]) { $1 }
      #expect(try graph("A-B-C", "ABC", barriers: ["B": lift]).edges == "AB BB' B'C", "\(tags)")
    }
    #expect(try graph("A-B-C", "ABC", barriers: ["B": ["highway": "elevator"]]).edges == "AC")
  }

  @Test("a barrier for cyclists alone parts the way, too")
  func onlyCyclists() throws {
    for tags in [["barrier": "kissing_gate"], ["barrier": "gate", "bicycle": "no"]] {
      #expect(try graph("A-B-C", "ABC", barriers: ["B": tags]).edges == "AB BB' B'C", "\(tags)")
    }
  }

  @Test("at a crossing each way end but the first gets a copy of its own")
  func crossing() throws {
    let drawing = """
        D
      A-B-C
        E
      """
    let graph = try graph(drawing, "ABC", "DBE", barriers: ["B": fence])
    #expect(graph.nodes == "ABCDEB'B''B'''")
    #expect(graph.edges == "AB BB' B'C DB'' B''B BB''' B'''E")
    #expect(graph.barriers == "BB' B''B BB'''")
  }

  @Test("the end of a way at a barrier where nothing goes on stays as it is")
  func deadEnd() throws {
    let graph = try graph("A-B-C", "ABC", barriers: ["A": fence, "C": fence])
    #expect(graph.edges == "AC")
    #expect(graph.barriers.isEmpty)
  }

  @Test("a round that begins at a barrier does not lead through it")
  func round() throws {
    let graph = try graph("A-B\nD-C", "ABCDA", barriers: ["A": fence])
    #expect(graph.edges == "AA' A'A")
    #expect(graph.barriers == "A'A")
  }

  @Test("a way that passes a barrier twice is parted four times")
  func twice() throws {
    let graph = try graph("A-B-C\n  E-D", "ABCDEB", barriers: ["B": fence])
    #expect(graph.edges == "AB BB' B'B'' B''B")
    #expect(graph.barriers == "BB' B''B")
  }

  @Test("a barrier that follows itself is one barrier")
  func repeated() throws {
    #expect(try graph("A-B-C", "ABBC", barriers: ["B": fence]).edges == "AB BB' B'C")
  }

  @Test("two ways that end at a barrier do not connect there")
  func ends() throws {
    #expect(try graph("A-B-C", "AB", "CB", barriers: ["B": fence]).edges == "AB CB' B'B")
  }

  @Test("any number of threads gives the same bytes, also with copies")
  func threads() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap(
      "A-B-C\n  D-E", ways: [.init("ABC"), .init("DB"), .init("DE"), .init("EBD")],
      nodeTags: ["B": fence, "D": ["barrier": "stile"]])
    let one = try bytesOfFile(try map.graphFile(in: folder, name: "one.graph"))
    for count in [2, 5] {
      let many = try map.graphFile(in: folder, name: "many.graph", threads: count)
      #expect(try bytesOfFile(many) == one)
    }
  }

  @Test("barriers keep their tags, each set once, beside those of the ways")
  func tags() throws {
    let map = AsciiMap(
      "A-B-C-D", ways: [.init("ABCD")], nodeTags: ["B": fence, "C": fence])
    let file = try Graph(map).file
    #expect(Array(file.barrierEdges) == [1, 3])
    #expect(Array(file.barrierTagSets) == [1, 1])
    #expect(file.tagSets.count == 2)
    #expect(file.tagSets.texts(of: 1, in: file.strings) == fence)
  }

  @Test("the report counts each kind of barrier and whom it stops")
  func report() throws {
    let map = AsciiMap(
      "A-B-C-D-E", ways: [.init("ABCDE")],
      nodeTags: [
        "B": fence, "C": ["barrier": "kissing_gate"], "D": ["barrier": "gate"],
        "E": ["access": "no"],
      ])
    let folder = try TemporaryFolder()
    let report = folder.file("report.json")
    let code = CommandRunner.run(
      BuildGraphCommand.self,
      try map.elevatedFiles(in: folder).arguments
        + ["--output", folder.file("map.graph"), "--report", report, "--quiet"])
    #expect(code == .success)
    let text = String(decoding: try bytesOfFile(report), as: UTF8.self)
      .filter { !$0.isWhitespace }
    #expect(text.contains(#""fence":{"nodes":1,"stopsCyclists":1,"stopsWalkers":1}"#))
    #expect(text.contains(#""kissing_gate":{"nodes":1,"stopsCyclists":1,"stopsWalkers":0}"#))
    #expect(text.contains(#""gate":{"nodes":1,"stopsCyclists":0,"stopsWalkers":0}"#))
    #expect(text.contains(#""none":{"nodes":1,"stopsCyclists":1,"stopsWalkers":1}"#))
    #expect(text.contains(#""barrierEdges":2"#))
  }

  /// Builds a map whose last node got another id.
  private func build(lastID: Int64, barrier: Bool) throws -> Graph {
    let folder = try TemporaryFolder()
    let map = AsciiMap("A-B-C", ways: [.init("ABC")], nodeTags: barrier ? ["B": fence] : [:])
    var content = try map.trails()
    content.nodeIDs[2] = lastID
    return try Graph(content, elevations: [1, 2, 3], in: folder)
  }

  @Test("an id so large that a copy could have it is an error, where there are copies")
  func hugeIDs() throws {
    let limit = GraphNodeID.span / 2
    #expect(try build(lastID: limit - 1, barrier: true).edges == "AB BB' B'?")
    #expect(try build(lastID: .max, barrier: false).file.nodeIDs.last == .max)
    let error = expectError("barrier-node-id", .dataError) {
      try build(lastID: limit, barrier: true)
    }
    #expect(error?.message.contains("549755813888") == true)
  }
}

@Suite("Ids of nodes and their copies")
struct GraphNodeIDTests {
  @Test(
    "a copy has another id, from which the first one follows",
    arguments: [
      0, 1, -1, 12_345_678_901, (1 << 39) - 1, -(1 << 39) + 1,
    ] as [Int64])
  func roundTrip(id: Int64) {
    #expect(GraphNodeID.openStreetMapID(of: id) == id)
    for number in [1, 2, 77, GraphNodeID.maximumCopy] {
      let copy = GraphNodeID.copy(number, of: id)
      #expect(GraphNodeID.openStreetMapID(of: copy) == id)
      #expect(copy > 1 << 39 && copy < 1 << 53)
    }
  }
}
