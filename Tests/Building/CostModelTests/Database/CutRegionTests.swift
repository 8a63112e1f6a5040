// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CostModel
import Elevation
import OSMInput
import RoutingGraph
import TestSupport
import Testing
import TrailData

/// The edges of a graph with what they cost and climb.
private struct PricedEdges {
  /// What an edge is in the graphs of all regions.
  struct Key: Hashable {
    var way: Int64
    var from: Int64
    var to: Int64
    var centimetres: Int
  }

  /// What an edge is worth.
  struct Values {
    /// By profile, there and back.
    var costs: [Double] = []
    var gain: Double
    var loss: Double
    /// Metres above sea level of both ends.
    var elevations: [Float]
  }

  /// A way may pass the same nodes twice.
  private(set) var edges: [Key: [Values]] = [:]

  init(_ path: String) throws {
    let graph = try GraphFile(path)
    let costs = [CostProfile.hiking, .cycling].map { EdgeCosts(graph, $0) }
    let barriers = Set(graph.barrierEdges)
    for edge in graph.from.indices where !barriers.contains(UInt32(edge)) {
      let (from, to) = (Int(graph.from[edge]), Int(graph.to[edge]))
      let key = Key(
        way: graph.wayIDs[Int(graph.ways[edge])],
        from: GraphNodeID.openStreetMapID(of: graph.nodeIDs[from]),
        to: GraphNodeID.openStreetMapID(of: graph.nodeIDs[to]),
        centimetres: Int((graph.distances[edge] * 100).rounded()))
      let values = Values(
        costs: costs.flatMap { [$0.cost[edge], $0.reverseCost[edge]] }, gain: graph.gains[edge],
        loss: graph.losses[edge],
        elevations: [graph.elevations[from], graph.elevations[to]])
      edges[key, default: []].append(values)
    }
  }
}

@Suite(
  "Regions cut out of Andorra",
  .enabled(
    if: sharedData("andorra.osm.pbf") != nil && sharedData("hgt/N42E001.hgt.zip") != nil))
struct CutRegionTests {
  @Test("edges are those of the whole, and cost and climb the same within a thousandth")
  func sameEdges() throws {
    let folder = try TemporaryFolder()
    var boxes = [
      "1.40,42.41,1.61,42.55", "1.61,42.41,1.82,42.55", "1.40,42.55,1.61,42.69",
      "1.61,42.55,1.82,42.69",
    ]
    var random = SeededGenerator(seed: 32)
    for _ in 0..<3 {
      let west = Double.random(in: 1.44...1.66, using: &random)
      let south = Double.random(in: 42.44...42.58, using: &random)
      let east = west + .random(in: 0.03...0.1, using: &random)
      boxes.append("\(west),\(south),\(east),\(south + .random(in: 0.03...0.08, using: &random))")
    }
    boxes.append("1.3,42.3,1.9,42.8")
    let shapes = boxes.enumerated().flatMap { ["--region", "r\($0)=\($1)"] }
    try runStage(
      DecodePBFCommand.self,
      ["--input", try #require(sharedData("andorra.osm.pbf")), "--output-dir", folder.path]
        + shapes)
    let regions = try boxes.indices.map { region in
      let files = ElevatedFiles(in: folder, name: "r\(region)")
      let graph = folder.file("r\(region).graph")
      try runStage(
        SampleElevationCommand.self,
        [
          "--input", files.trails, "--hgt", try #require(sharedData("hgt")), "--output",
          files.elevated,
        ])
      try runStage(BuildGraphCommand.self, files.arguments + ["--output", graph])
      return try PricedEdges(graph)
    }
    let whole = try #require(regions.last)
    for (part, box) in zip(regions.dropLast(), boxes) {
      #expect(part.edges.count > 50, "\(box)")
      for (key, edges) in part.edges {
        let same = try #require(whole.edges[key], "\(box): \(key)")
        for (one, other) in zip(edges, same) {
          let isSame =
            zip(one.costs, other.costs).allSatisfy { isEqual($0, $1, share: 1e-3) }
            && isEqual(one.gain, other.gain, share: 1e-3, metres: 0.1)
            && isEqual(one.loss, other.loss, share: 1e-3, metres: 0.1)
            && zip(one.elevations, other.elevations).allSatisfy { abs($0 - $1) <= 0.1 }
          #expect(isSame, "\(box): \(key), \(one), \(other)")
        }
      }
    }
  }

  private func isEqual(_ one: Double, _ other: Double, share: Double, metres: Double = 0) -> Bool {
    one == other || abs(one - other) <= max(metres, share * max(abs(one), abs(other)))
  }
}
