// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import SystemIO

/// `cairn-prepare-routing`: builds the contraction hierarchies of a `.routing.db`.
package struct PrepareRoutingCommand: StageCommand {
  /// The command line.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-prepare-routing",
    summary: "build contraction hierarchies for fast routing in a .routing.db",
    discussion: """
      Builds a contraction hierarchy for each profile: an order of the nodes with shortcuts \
      between them, which finds a route of several hundred kilometres in microseconds. The costs \
      of routes do not change.

      Commands that find many routes use REGION.hierarchy beside REGION.routing.db if it exists. A \
      hierarchy works only with the database that it was built from.
      """,
    options: [
      .option("input", "FILE.routing.db", required: true, help: "the database"),
      .option(
        "profile", "NAME", repeats: true,
        help: "a profile in the database (default: all)"),
      .option("output", "FILE.hierarchy", required: true, help: "the file of hierarchies to write"),
    ],
    examples: [
      "cairn-prepare-routing --input valley.routing.db --output valley.hierarchy",
      "cairn-prepare-routing --input valley.routing.db --profile trail-hiking \\",
      "    --output valley.hierarchy",
    ])

  /// Builds the hierarchies and writes them.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let path = try fileOfBundle(stage.arguments.required("input"), ".routing.db")
    let output = try AtomicOutput(try stage.arguments.required("output")) {
      $0.starts(with: HierarchyFile.magic)
    }
    let names = stage.arguments.all("profile")
    if let duplicate = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw stage.arguments.usageError("profile “\(duplicate)” is given twice")
    }
    do {
      let graphs = try read(path, profiles: names)
      stage.input["nodes"] = .integer(graphs.first?.nodes ?? 0)
      stage.input["edges"] = .integer(graphs.first?.edges ?? 0)
      stage.progress.begin("contracting", total: graphs.count)
      let hierarchies = try contracted(graphs, stage)
      let bytes = HierarchyFile(hierarchies).encoded()
      try output.write(bytes)
      try output.commit()
      report(stage, graphs, hierarchies, bytes: bytes.count)
      return .success
    } catch let error as RoutingError {
      throw error.ofCommand(at: path)
    }
  }

  /// The graphs of the given profiles, or of all profiles in the database.
  private static func read(_ path: String, profiles: [String]) throws(RoutingError)
    -> [CostGraph]
  {
    let store = RoutingStore(path: path)
    try store.open()
    defer { store.close() }
    let known = try store.profileNames()
    if let missing = profiles.first(where: { !known.contains($0) }) {
      throw .profileNotAvailable(missing, available: known)
    }
    // A database with only the core tables has no profiles.
    let names: [String?] = known.isEmpty ? [nil] : profiles.isEmpty ? known : profiles
    return try CostGraph.reading(store, profiles: names)
  }

  /// Builds the hierarchies of graphs, one thread per graph.
  private static func contracted(_ graphs: [CostGraph], _ stage: StageRun) throws
    -> [HierarchyFile.Section]
  {
    let progress = stage.progress
    let queue = WorkQueue(count: graphs.count)
    let results = Collector<HierarchyFile.Section>(count: graphs.count)
    try withWorkers(min(stage.threads, graphs.count)) { _ in
      while let index = queue.next() {
        results.set(index, try .init(contracting: graphs[index]))
        progress.advance(by: 1)
      }
    }
    return results.values()
  }

  private static func report(
    _ stage: StageRun, _ graphs: [CostGraph], _ hierarchies: [HierarchyFile.Section], bytes: Int
  ) {
    var counts: [String: JSONValue] = [:]
    for (graph, hierarchy) in zip(graphs, hierarchies) {
      counts[graph.profile ?? ""] = .object([
        "arcs": .integer(graph.arcs),
        "shortcuts": .integer(hierarchy.shortcutCount),
        "core": .integer(hierarchy.coreCount),
      ])
    }
    stage.output["profiles"] = .object(counts)
    stage.output["bytes"] = .integer(bytes)
    let names = graphs.map { $0.profile ?? "the costs in routing_edges" }
    let edges = graphs.first?.edges ?? 0
    stage.summary = "\(counted(edges, "edge")), ready for \(listed(names))"
  }
}
