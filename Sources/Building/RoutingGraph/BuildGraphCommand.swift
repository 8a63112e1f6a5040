// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import TrailData

/// `cairn-build-graph`: a `.trails` file, with or without its `.elevated` file, becomes a `.graph`
/// file.
package struct BuildGraphCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-build-graph",
    summary: "cut ways at their junctions into a routing graph",
    discussion: """
      Nodes shared by ways, nodes that a way passes twice, and way ends become nodes of the graph; \
      the pieces between them become edges with their length (haversine, radius 6 371 000 m) and \
      the metres climbed and descended along their geometry. A barrier that stops walkers or \
      cyclists separates the ways that meet at its node: each but the first ends at a copy of the \
      node, joined by an edge of zero length that only permitted users can pass.
      """,
    options: TrailsFile.inputOptions(withoutElevations: "to build without elevations") + [
      .option("output", "FILE.graph", required: true, help: "the graph")
    ],
    examples: [
      "cairn-build-graph --input valley.elevated --trails valley.trails --output valley.graph"
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let trails = try TrailsFile(stage.arguments, threads: stage.threads)
    stage.input["nodes"] = .integer(trails.nodeIDs.count)
    stage.input["ways"] = .integer(trails.wayIDs.count)
    let builder = RoutingGraphBuilder(trails, threads: stage.threads)
    let graph = try builder.build()
    guard graph.edgeCount > 0 else {
      throw CairnError(
        "empty-graph", .dataError, "has no way with two different nodes",
        at: Location(file: trails.container.path))
    }
    let kilometres = graph.metres / 1000
    let outcome: [String: Int] = [
      "nodes": graph.nodeCount, "edges": graph.edgeCount, "ways": graph.wayCount,
      "tagSets": graph.tagSets.networks.count, "points": graph.pointCount,
      "barrierEdges": graph.barrierTagSets.count, "hazards": graph.hazards.count,
    ]
    stage.output = outcome.mapValues { .integer($0) }
    stage.output["kilometres"] = .number(kilometres)
    stage.output["barriers"] = .object(builder.barrierKinds.mapValues(json))
    var provenance = trails.provenance
    provenance.counts.merge(outcome.map { ("graph.\($0)", $1) }) { $1 }
    try graph.write(
      to: try stage.arguments.required("output"), strings: trails.strings,
      provenance: provenance)
    stage.summary =
      "\(grouped(graph.nodeCount)) nodes, \(grouped(graph.edgeCount)) edges, "
      + "\(grouped(Int(kilometres))) km"
    return .success
  }

  private static func json(_ tally: BarrierNodes.Tally) -> JSONValue {
    .object([
      "nodes": .integer(tally.nodes), "stopsWalkers": .integer(tally.stopsWalkers),
      "stopsCyclists": .integer(tally.stopsCyclists),
    ])
  }
}
