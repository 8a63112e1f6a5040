// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import Glibc
import SystemIO
import TrailData

/// `cairn-compute-costs`: a `.graph` file becomes a `.routing.db`.
package struct ComputeCostsCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-compute-costs",
    summary: "compute the costs of a graph by one or more profiles and write a .routing.db",
    discussion: """
      The first profile fills the columns cost and reverse_cost of routing_edges; the view \
      routing_costs has costs and durations of all profiles. An impassable direction costs \
      infinity. created_at is the time of the data, or SOURCE_DATE_EPOCH if set.

      Seasons and conditional tags such as “no @ (Nov-Apr)” are evaluated for one day, at noon: \
      --date, or else the day of the data. Undecidable conditions count as closed. The database \
      also stores the costs of these ways on all other days.

      A component is a part of the network in which a profile leads from every node to every other \
      one. Components shorter than --island-threshold, except the longest, are marked as islands, \
      so that routes do not begin there.
      """,
    options: [
      .option("input", "FILE.graph", required: true, help: "output of cairn-build-graph"),
      .option(
        "profile", "NAME", repeats: true, required: true,
        help: "a built-in profile (see cairn profiles) or the path of a profile file"),
      .option(
        "island-threshold", "KM",
        help: "length below which a component of the network is an island (default: 10)"),
      .option("output", "FILE.routing.db", required: true, help: "the database"),
      .option(
        "date", "YYYY-MM-DD",
        help: "the day for which access tags are evaluated (default: the day of the data)"),
      .option("region-id", "ID", help: "the region's id, for the metadata"),
      .option("region-name", "NAME", help: "the region's name, for the metadata"),
    ],
    examples: [
      "cairn-compute-costs --input valley.graph --profile trail-hiking --profile bike-touring \\",
      "    --output valley.routing.db",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let profiles = try profiles(stage.arguments)
    let chosenDate = try chosenDate(stage.arguments)
    let islandMetres = try islandMetres(stage.arguments)
    let createdAt = try createdAt(epoch: getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) })
    let graph = try GraphFile(try stage.arguments.required("input"), threads: stage.threads)
    stage.input["nodes"] = .integer(graph.nodeIDs.count)
    stage.input["edges"] = .integer(graph.from.count)
    let date = accessDate(of: graph, chosen: chosenDate)
    stage.input["accessDate"] = .text(date?.description ?? "unknown")
    stage.warnings.merge(unclearAccess(graph))
    stage.warnings.merge(unbelievableDurations(graph))
    var costs = EdgeCosts.all(graph, profiles, on: date, threads: stage.threads)
    let prices = RulePrices(graph, profiles)
    let folding = BarrierFolding(graph, costs, prices)
    for profile in costs.indices {
      for edge in folding.leftOutEdges { costs[profile].close(Int(edge)) }
    }
    let components = try mapped(costs, threads: stage.threads) {
      RouteComponents(graph, $0, folding, islandMetres: islandMetres)
    }
    stage.progress.begin("writing", total: 0)
    let output = try AtomicOutput(
      try stage.arguments.required("output"), replacing: RoutingSchema.recognises)
    let builder = DatabaseBuilder(
      graph: graph, profiles: profiles, costs: costs, components: components, prices: prices,
      folding: folding, islandMetres: islandMetres, accessDate: date, createdAt: createdAt,
      regionID: stage.arguments.value("region-id"),
      regionName: stage.arguments.value("region-name"))
    let start = ResourceUse.current().cpuSeconds
    try builder.write(threads: stage.threads, output.write(_:at:))
    stage.output["writingCPUSeconds"] = .number(ResourceUse.current().cpuSeconds - start)
    try output.commit()
    report(stage, builder)
    return .success
  }

  private static func islandMetres(_ arguments: Arguments) throws(CairnError) -> Double {
    guard let text = arguments.value("island-threshold") else {
      return RouteComponents.defaultIslandMetres
    }
    guard let kilometres = Double(text), kilometres >= 0, kilometres <= 1_000_000 else {
      throw arguments.usageError(
        "--island-threshold must be kilometres from 0 to 1000000, not “\(text)”")
    }
    return kilometres * 1000
  }

  private static func profiles(_ arguments: Arguments) throws(CairnError) -> [CostProfile] {
    var profiles: [CostProfile] = []
    for word in arguments.all("profile") {
      let profile = try CostProfile.named(word)
      guard !profiles.contains(where: { $0.name == profile.name }) else {
        throw arguments.usageError("profile “\(profile.name)” is given twice")
      }
      profiles.append(profile)
    }
    return profiles
  }

  /// The results of `transform` in the order of the elements, computed in parallel.
  private static func mapped<Element: Sendable, Result: Sendable>(
    _ elements: [Element], threads: Int, _ transform: @escaping @Sendable (Element) -> Result
  ) throws -> [Result] {
    let queue = WorkQueue(count: elements.count)
    let results = Collector<Result>(count: elements.count)
    try withWorkers(min(threads, elements.count)) { _ in
      while let index = queue.next() { results.set(index, transform(elements[index])) }
    }
    return results.values()
  }

  /// The value of SOURCE_DATE_EPOCH as ISO 8601; nil if it is not set. Throws 64 if it is invalid.
  static func createdAt(epoch: String?) throws(CairnError) -> String? {
    try epoch.flatMap { text throws(CairnError) in
      timestampText(seconds: Int64(try sourceDateEpoch(text)))
    }
  }

  /// The number of edges with each tag set, and their metres.
  private static func tagSetTally(_ graph: GraphFile) -> [(edges: Int, metres: Double)] {
    var sets = [(edges: Int, metres: Double)](repeating: (0, 0), count: graph.tagSets.count)
    for edge in graph.ways.indices {
      let set = Int(graph.wayTagSets[Int(graph.ways[edge])])
      sets[set].edges += 1
      sets[set].metres += graph.distances[edge]
    }
    return sets
  }

  /// The edges and kilometres of each ``TagRules/AccessClass``.
  private static func accessTally(_ sets: [(edges: Int, metres: Double)], _ costs: EdgeCosts)
    -> [String: JSONValue]
  {
    var classes: [AccessClass: (edges: Int, metres: Double)] = [:]
    for (access, sum) in zip(costs.tagSetAccess, sets) where sum.edges > 0 {
      let known = classes[access] ?? (0, 0)
      classes[access] = (known.edges + sum.edges, known.metres + sum.metres)
    }
    var tally: [String: JSONValue] = [:]
    for (access, sum) in classes {
      tally[access.rawValue] = .object([
        "edges": .integer(sum.edges), "kilometres": .number(sum.metres / 1000),
      ])
    }
    return tally
  }

  private static func report(_ stage: StageRun, _ database: DatabaseBuilder) {
    var counts: [String: JSONValue] = [:]
    let leftOut = database.folding.leftOutEdges.count
    let sets = tagSetTally(database.graph)
    for (index, profile) in database.profiles.enumerated() {
      let (costs, parts) = (database.costs[index], database.components[index])
      let impassable = zip(costs.cost, costs.reverseCost).count { $0.isInfinite && $1.isInfinite }
      counts[profile.name] = .object([
        "impassableEdges": .integer(impassable - leftOut),
        "onewayEdges": .integer(costs.isOneway.count { $0 }),
        "minimumCostPerMetre": .number(costs.minimumCostPerMetre),
        "passableKilometres": .number(parts.passableMetres / 1000),
        "components": .integer(parts.components.count),
        "islands": .integer(parts.components.count { $0.isIsland }),
        "islandNodes": .integer(parts.islandNodes.count),
        "access": .object(accessTally(sets, costs)),
      ])
    }
    stage.output["profiles"] = .object(counts)
    stage.output["nodes"] = .integer(database.nodeCount)
    stage.output["edges"] = .integer(database.edgeCount)
    stage.output["barrierEdges"] = .integer(database.graph.barrierEdges.count - leftOut)
    let names = listed(database.profiles.map(\.name))
    stage.summary = "\(grouped(database.edgeCount)) edges, costs for \(names)"
  }
}
