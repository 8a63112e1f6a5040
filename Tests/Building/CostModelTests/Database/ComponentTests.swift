// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CommandLineKit
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("Parts of the network and islands")
struct RouteComponentsTests {
  private func parts(_ map: AsciiMap, _ profile: CostProfile = .hiking, islandMetres: Double)
    throws -> (parts: RouteComponents, islands: String)
  {
    let folder = try TemporaryFolder()
    let graph = try GraphFile(try map.graphFile(in: folder))
    let parts = RouteComponents(
      graph, EdgeCosts(graph, profile), islandMetres: islandMetres)
    let islands = parts.islandNodes.map { AsciiMap.letter(graph.nodeIDs[Int($0)]) ?? "?" }
    return (parts, String(islands))
  }

  private let map = AsciiMap(
    """
    A-B-C-D-E   H-I-J

      F-G
    """, ways: [.init("FG"), .init("ABC"), .init("CDE"), .init("HIJ"), .init("IJ")])

  @Test("are ranked by their lengths, and short ones but the first are islands")
  func ranks() throws {
    let (parts, islands) = try parts(map, islandMetres: 500)
    #expect(parts.components.map(\.nodes) == [3, 3, 2])
    #expect(parts.components.map(\.edges) == [2, 3, 1])
    #expect(parts.components.map { ($0.metres / 10).rounded() * 10 } == [800, 600, 200])
    #expect(parts.components.map(\.isIsland) == [false, false, true])
    #expect(islands == "FG")
    #expect(parts.islandComponents == [2, 2])
    #expect((parts.passableMetres / 10).rounded() * 10 == 1600)
  }

  @Test("with a threshold of 0 there are no islands, with a great one all but the longest part are")
  func threshold() throws {
    #expect(try parts(map, islandMetres: 0).islands.isEmpty)
    #expect(try parts(map, islandMetres: 1e6).islands == "FGHIJ")
  }

  @Test("a one-way street out of the network is not part of it for a cyclist")
  func oneway() throws {
    let street = ["highway": "residential", "oneway": "yes"]
    let map = AsciiMap(
      "A-B-C-D", ways: [.init("AB", tags: ["highway": "residential"]), .init("BCD", tags: street)])
    #expect(try parts(map, islandMetres: 1000).parts.components.map(\.nodes) == [3])
    let (ride, islands) = try parts(map, .cycling, islandMetres: 1000)
    #expect(ride.components.map(\.nodes) == [2, 1])
    #expect(ride.components.map(\.edges) == [1, 0])
    #expect(islands == "D")
  }

  @Test("a node that only impassable edges touch belongs nowhere")
  func impassable() throws {
    let map = AsciiMap(
      "A-B-C", ways: [.init("AB"), .init("BC", tags: ["highway": "path", "access": "no"])])
    let (parts, islands) = try parts(map, islandMetres: 1000)
    #expect(parts.components.map(\.nodes) == [2])
    #expect(islands.isEmpty)
  }

  @Test("a barrier parts the network for whom it stops")
  func barrier() throws {
    let map = AsciiMap(
      "A-B-C", ways: [.init("ABC", tags: ["highway": "track"])],
      nodeTags: ["B": ["barrier": "stile"]])
    #expect(try parts(map, islandMetres: 1000).parts.components.count == 1)
    #expect(try parts(map, .cycling, islandMetres: 1000).parts.components.map(\.nodes) == [2, 2])
  }

  @Test("stand in the database with the threshold, which an option sets")
  func database() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.routing.db")
    try runStage(
      ComputeCostsCommand.self,
      [
        "--input", try map.graphFile(in: folder), "--profile", "hiking", "--output", path,
        "--island-threshold", "0.5",
      ])
    #expect(
      try rows(
        of: path,
        "SELECT profile, component, nodes, edges, round(distance, -1), is_island "
          + "FROM routing_components"
      ).map { $0.prefix(4) + $0.suffix(1) } == [
        ["1", "1", "3", "2", "0"], ["1", "2", "3", "3", "0"], ["1", "3", "2", "1", "1"],
      ])
    #expect(
      try rows(of: path, "SELECT profile, node, component FROM routing_islands")
        == [["1", "6", "3"], ["1", "7", "3"]])
    #expect(
      try rows(of: path, "SELECT value FROM routing_metadata WHERE key = 'island_threshold'")
        == [["500.0"]])
  }

  @Test(
    "a threshold that is not a length is a usage error", arguments: ["x", "-1", "nan", "inf", ""])
  func badThreshold(text: String) throws {
    let folder = try TemporaryFolder()
    let error = expectError(.usage, .usage) {
      try runStage(
        ComputeCostsCommand.self,
        [
          "--input", "none.graph", "--profile", "hiking", "--output", folder.file("x.routing.db"),
          "--island-threshold=\(text)",
        ])
    }
    #expect(error?.message.contains("--island-threshold") == true)
  }
}
