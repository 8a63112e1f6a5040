// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CostModel
import TestSupport
import Testing
import TrailData

@Suite("Graphs with right checksums and wrong values")
struct HostileGraphTests {
  private static let changes: [(String, @Sendable (inout GraphContent) -> Void)] = [
    ("length NaN", { $0.distances = [.nan] }),
    ("length infinite", { $0.distances = [.infinity] }),
    ("length negative", { $0.distances = [-1] }),
    ("length absurd", { $0.distances = [1e300] }),
    ("gain NaN", { $0.gains = [.nan] }),
    ("gain negative", { $0.gains = [-0.5] }),
    ("loss infinite", { $0.losses = [.infinity] }),
    ("elevation infinite", { $0.elevations = [.infinity, 0] }),
    ("elevation absurd", { $0.elevations = [0, 1e30] }),
    ("latitude beyond the pole", { $0.latitudes = [900_000_001, 0] }),
    ("longitude beyond the globe", { $0.longitudes = [0, .min] }),
    ("node ids twice", { $0.nodeIDs = [2, 2] }),
    ("node ids falling", { $0.nodeIDs = [2, 1] }),
    ("edge to a node that is not there", { $0.to = [2] }),
    ("edge of a way that is not there", { $0.ways = [1] }),
    ("way with a tag set that is not there", { $0.wayTagSets = [1] }),
    ("way with a name that is not there", { $0.wayNames = [77] }),
    ("points that are not there", { $0.pointOffsets = [0, 1] }),
    ("no tag sets at all", { $0.tagSets.offsets = [] }),
    (
      "barrier at an edge that is not there",
      { ($0.barrierEdges, $0.barrierTagSets) = ([1], [0]) }
    ),
    ("barrier twice", { ($0.barrierEdges, $0.barrierTagSets) = ([0, 0], [0, 0]) }),
    (
      "barrier with a tag set that is not there",
      { ($0.barrierEdges, $0.barrierTagSets) = ([0], [1]) }
    ),
    ("barrier without tags", { $0.barrierEdges = [0] }),
  ]

  @Test("a graph with a wrong number is refused when it is opened", arguments: changes.indices)
  func refused(number: Int) throws {
    var graph = GraphContent(distance: 100)
    Self.changes[number].1(&graph)
    let folder = try TemporaryFolder()
    let path = try graph.file(in: folder)
    let error = expectError(.damagedContainer, .dataError) {
      try runStage(
        ComputeCostsCommand.self,
        ["--input", path, "--profile", "hiking", "--output", folder.file("out.routing.db")])
    }
    #expect(error != nil, "\(Self.changes[number].0)")
    #expect(try !folder.contents.contains("out.routing.db"))
  }

  @Test("the graph that they are made of is valid")
  func valid() throws {
    let folder = try TemporaryFolder()
    #expect(try GraphFile(try GraphContent(distance: 100).file(in: folder)).from.count == 1)
  }
}
