// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Routing
import RoutingDatabase
import SystemIO

/// `cairn-prepare-routing`: a `.routing.db` gets a file of contraction hierarchies beside it.
package struct PrepareRoutingCommand: StageCommand {
  /// The command line.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-prepare-routing",
    summary: "make a .routing.db ready for many routes",
    discussion: """
      Makes a contraction hierarchy for each profile: an order of the nodes, and shortcuts between \
      them, with which a route of some hundred kilometres takes microseconds. Routes cost the same \
      with and without it.

      The commands that find many routes take REGION.hierarchy by themselves where it lies beside \
      REGION.routing.db. It belongs to one state of the database: made from another one, it is \
      refused.
      """,
    options: [
      .option("input", "FILE.routing.db", required: true, help: "the database"),
      .option(
        "profile", "NAME", repeats: true,
        help: "a profile of the database (default: all that it has)"),
      .option("output", "FILE.hierarchy", required: true, help: "the hierarchies"),
    ],
    examples: [
      "cairn-prepare-routing --input valley.routing.db --output valley.hierarchy",
      "cairn-prepare-routing --input valley.routing.db --profile hiking --output valley.hierarchy",
    ])

  /// Makes the hierarchies and writes them.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let path = try stage.arguments.required("input")
    let output = try AtomicOutput(try stage.arguments.required("output")) {
      $0.starts(with: HierarchyFile.magic)
    }
    let names = stage.arguments.all("profile")
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw stage.arguments.usageError("profile “\(twice)” is given twice")
    }
    do {
      let graphs = try read(path, profiles: names)
      stage.input["nodes"] = .integer(graphs.first?.network.nodeIDs.count ?? 0)
      stage.input["edges"] = .integer(graphs.first?.network.edges.count ?? 0)
      stage.progress.begin("contracting", total: graphs.count)
      let hierarchies = try contracted(graphs, stage)
      let bytes = HierarchyFile(hierarchies).encoded()
      try output.write(bytes)
      try output.commit()
      report(stage, hierarchies, bytes: bytes.count)
      return .success
    } catch let error as RoutingError {
      throw error.ofCommand(at: path)
    }
  }

  /// The graphs of some profiles, or of all that the database has.
  private static func read(_ path: String, profiles: [String]) throws(RoutingError)
    -> [ProfileGraph]
  {
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    let known = try store.profileNames()
    if let missing = profiles.first(where: { !known.contains($0) }) {
      throw .profileNotAvailable(missing, available: known)
    }
    let network = try RoadNetwork(reading: store)
    // A database with the contract's tables alone has no profiles.
    let names: [String?] = known.isEmpty ? [nil] : profiles.isEmpty ? known : profiles
    var graphs: [ProfileGraph] = []
    for name in names {
      graphs.append(try ProfileGraph(network, profile: name, reading: store))
    }
    return graphs
  }

  /// The hierarchies of graphs, a graph a thread.
  private static func contracted(_ graphs: [ProfileGraph], _ stage: StageRun) throws
    -> [ContractionHierarchy]
  {
    let progress = stage.progress
    let queue = WorkQueue(count: graphs.count)
    let results = Collector<ContractionHierarchy>(count: graphs.count)
    try withWorkers(min(stage.threads, graphs.count)) { _ in
      while let place = queue.next() {
        results.set(place, try .contracting(graphs[place]))
        progress.advance(by: 1)
      }
    }
    return results.values()
  }

  private static func report(
    _ stage: StageRun, _ hierarchies: [ContractionHierarchy], bytes: Int
  ) {
    var counts: [String: JSONValue] = [:]
    for hierarchy in hierarchies {
      counts[hierarchy.graph.profile ?? ""] = .object([
        "arcs": .integer(hierarchy.graph.outgoing.arcs.count),
        "shortcuts": .integer(hierarchy.shortcutCount),
      ])
    }
    stage.output["profiles"] = .object(counts)
    stage.output["bytes"] = .integer(bytes)
    let names = hierarchies.map { $0.graph.profile ?? "the contract's costs" }
    let edges = hierarchies.first?.graph.network.edges.count ?? 0
    stage.summary = "\(grouped(edges)) edges, ready for \(names.joined(separator: " and "))"
  }
}
