// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRoutingDatabase

/// The contents of a `.routing.db`.
package struct DatabaseListing: Listing {
  private let file: String
  private let kind = "routing.db"
  private let statistics: DatabaseStatistics

  /// Describes a file.
  package init(_ path: String) throws(CairnError) {
    file = path
    statistics = try DatabaseStatistics(path)
  }

  package var lines: [String] {
    let whole = [
      "\(file): .routing.db",
      fact("nodes", grouped(statistics.nodes)),
      fact("edges", "\(grouped(statistics.edges)), \(length(statistics.kilometres))"),
      fact("edges of barriers", grouped(statistics.barrierEdges)),
      fact("edges of ferries", grouped(statistics.ferryEdges)),
    ]
    let metadata = statistics.metadata.sorted { $0.key < $1.key }.map { fact($0.key, $0.value) }
    return whole + statistics.profiles.flatMap(lines) + ["metadata"] + metadata
  }

  private func lines(of profile: DatabaseStatistics.Profile) -> [String] {
    var lines = [
      "profile \(profile.name)",
      fact(
        "passable",
        "\(counted(profile.passableEdges, "edge")), \(length(profile.passableKilometres)), "
          + "\(grouped(profile.onewayEdges)) of them one-way"),
      fact(
        "impassable",
        "\(counted(profile.impassableEdges, "edge")), \(length(profile.impassableKilometres)), "
          + "\(counted(profile.closedBarriers, "closed barrier"))"),
    ]
    if let components = profile.components, let islands = profile.islands,
      let nodes = profile.islandNodes, let share = profile.largestComponentShare
    {
      lines.append(
        fact(
          "components",
          "\(grouped(components)), among them \(counted(islands, "island")) with "
            + counted(nodes, "node")))
      lines.append(fact("largest component", "\(percent(share)) of the passable length"))
    }
    return lines
  }

  private func length(_ length: Double) -> String { kilometres(length * 1000, decimals: 1) }

  private enum CodingKeys: String, CodingKey { case file, kind }

  package func encode(to encoder: any Encoder) throws {
    try statistics.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(file, forKey: .file)
    try values.encode(kind, forKey: .kind)
  }
}
