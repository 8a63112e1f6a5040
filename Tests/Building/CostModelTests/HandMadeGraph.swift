// SPDX-License-Identifier: Apache-2.0
import CostModel
import Diagnostics
import TestSupport
import Testing
import TrailData

extension GraphContent {
  /// A graph of a single untagged edge with these numbers, between two nodes on one spot.
  init(distance: Double, gain: Double = 0, loss: Double = 0) {
    self.init()
    nodeIDs = [1, 2]
    latitudes = [0, 0]
    longitudes = [0, 0]
    elevations = [.nan, .nan]
    (from, to, ways) = ([0], [1], [0])
    (distances, gains, losses) = ([distance], [gain], [loss])
    pointOffsets = [0, 0]
    (wayIDs, wayNames, wayTagSets) = ([1], [GraphFile.noText], [0])
    tagSets.endObject()
  }

  /// Writes the graph, whatever is in it, with right checksums, and returns its path.
  func file(in folder: TemporaryFolder) throws -> String {
    let trails = try TrailsFile(
      try AsciiMap("A-B", ways: [.init("AB", tags: [:])]).trailsFile(in: folder))
    let path = folder.file("hand.graph")
    try write(to: path, strings: trails.strings, provenance: Provenance(tool: "a hand"))
    return path
  }
}

@Suite("Graphs with right checksums and wrong numbers")
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

  @Test("are refused when they are opened", arguments: changes.indices)
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

  @Test("the graph that they are made of is sound")
  func sound() throws {
    let folder = try TemporaryFolder()
    #expect(try GraphFile(try GraphContent(distance: 100).file(in: folder)).from.count == 1)
  }
}
