// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import CostModel
import RoutingGraph
import TrailData

extension AsciiMap {
  /// Takes the map as far as a graph, writes it as a `.graph` file and returns its path.
  package func graphFile(in folder: TemporaryFolder, name: String = "map.graph", threads: Int = 1)
    throws -> String
  {
    let path = folder.file(name)
    try runStage(
      BuildGraphCommand.self,
      try elevatedFiles(in: folder, name: name).arguments
        + ["--output", path, "--threads", "\(threads)"])
    return path
  }

  /// Takes the map all the way to a routing database and returns its path.
  ///
  /// - Parameters:
  ///   - profiles: Names of built-in profiles or paths of profile files; the first one
  ///     fills the costs of `routing_edges`.
  ///   - date: The day for which access is judged; nil for that of the data.
  ///   - region: The id of the region, for the metadata.
  package func routingDatabase(
    in folder: TemporaryFolder, name: String = "map.routing.db",
    profiles: [String] = ["hiking", "cycling"], date: String? = nil, region: String? = nil
  ) throws -> String {
    let path = folder.file(name)
    let graph = try graphFile(in: folder, name: name + ".graph")
    try runStage(
      ComputeCostsCommand.self,
      ["--input", graph, "--output", path] + profiles.flatMap { ["--profile", $0] }
        + (date.map { ["--date", $0] } ?? []) + (region.map { ["--region-id", $0] } ?? []))
    return path
  }

  /// Takes regions of the map to routing databases, `region0.routing.db` and so on, and returns their
  /// paths. Each has the ways that touch its letters, whole, as a build has them.
  package func routingDatabases(
    ofRegions regions: [String], in folder: TemporaryFolder,
    profiles: [String] = ["hiking", "cycling"], date: String? = nil
  ) throws -> [String] {
    // The ids of ways are those of the whole map.
    let ways = ways.enumerated().map { index, way in
      Way(way.nodes, id: way.id ?? Int64(100 + index), tags: way.tags)
    }
    return try regions.enumerated().map { index, letters in
      var part = self
      part.ways = ways.filter { $0.nodes.contains(where: letters.contains) }
      return try part.routingDatabase(
        in: folder, name: "region\(index).routing.db", profiles: profiles, date: date,
        region: "region\(index)")
    }
  }
}

/// Runs a stage in this process, without a word on stderr. Throws what the stage throws; an
/// ending that is neither is a failure of the test.
package func runStage(_ stage: any StageCommand.Type, _ words: [String]) throws {
  let code = try stage.run(Arguments(words + ["--quiet"], for: stage.definition))
  guard code == .success else { throw TestFailure("\(stage) ended with \(code)") }
}
