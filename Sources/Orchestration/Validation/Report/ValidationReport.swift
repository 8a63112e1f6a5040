// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics

/// The validator's report on a database.
package struct ValidationReport: Codable, Equatable, Sendable {
  /// The outcome of one rule.
  package struct Check: Codable, Equatable, Sendable {
    /// The rule's id.
    package var rule: String
    /// `pass`, `error`, `warning`, `info`, or `skipped` if there was nothing to check or an earlier
    /// breach makes the rule meaningless.
    package var status: String
    /// The number of rows that break the rule.
    package var count: Int
    /// The first breaches, or an observation.
    package var details: [String]
  }

  /// The file.
  package var database: String
  /// Whether no rule of severity error is broken.
  package var valid: Bool { !checks.contains { $0.status == "error" } }
  /// Whether the file could be read as a routing database at all.
  package var isReadable: Bool {
    let gate = RuleName.gate.map(\.rawValue)
    return !checks.contains { $0.status == "error" && gate.contains($0.rule) }
  }
  /// The size of the file.
  package var bytes = 0
  /// Rows of routing_nodes.
  package var nodes = 0
  /// Rows of routing_edges.
  package var edges = 0
  /// The length of all edges in kilometres.
  package var kilometres = 0.0
  /// The components of the graph, connected by passable edges.
  package var components = 0
  /// The share of the passable kilometres in the largest of them, 0…1.
  package var largestComponentShare = 0.0
  /// The share of nodes with an elevation, 0…1; nodes that only ferries touch do not count.
  package var elevationCoverage = 0.0
  /// Its hazards in figures; nil if it is not valid, and in a report of an earlier version.
  package var safety: SafetySummary?
  /// The outcome of each rule.
  package var checks: [Check] = []
  /// The comparison with a baseline, if one was given.
  package var drift: DriftReport?

  /// Makes an empty report.
  package init(database: String) { self.database = database }

  /// The size of the file per kilometre of edges; nil if there are none.
  package var bytesPerKilometre: Double? {
    kilometres > 0 && kilometres.isFinite ? Double(bytes) / kilometres : nil
  }

  private enum CodingKeys: String, CodingKey {
    case database, valid, bytes, nodes, edges, kilometres, components, largestComponentShare
    case elevationCoverage, safety, checks, drift, errors, warnings
  }

  /// Reads a report; `valid`, `errors` and `warnings` are derived from the checks.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    database = try values.decode(String.self, forKey: .database)
    bytes = try values.decode(Int.self, forKey: .bytes)
    nodes = try values.decode(Int.self, forKey: .nodes)
    edges = try values.decode(Int.self, forKey: .edges)
    kilometres = try values.decode(Double.self, forKey: .kilometres)
    components = try values.decode(Int.self, forKey: .components)
    largestComponentShare = try values.decode(Double.self, forKey: .largestComponentShare)
    elevationCoverage = try values.decode(Double.self, forKey: .elevationCoverage)
    safety = try values.decodeIfPresent(SafetySummary.self, forKey: .safety)
    checks = try values.decode([Check].self, forKey: .checks)
    drift = try values.decodeIfPresent(DriftReport.self, forKey: .drift)
  }

  /// Writes the report including `valid`, `errors` and `warnings`.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(database, forKey: .database)
    try values.encode(valid, forKey: .valid)
    try values.encode(bytes, forKey: .bytes)
    try values.encode(nodes, forKey: .nodes)
    try values.encode(edges, forKey: .edges)
    try values.encode(kilometres, forKey: .kilometres)
    try values.encode(components, forKey: .components)
    try values.encode(largestComponentShare, forKey: .largestComponentShare)
    try values.encode(elevationCoverage, forKey: .elevationCoverage)
    try values.encodeIfPresent(safety, forKey: .safety)
    try values.encode(checks, forKey: .checks)
    try values.encodeIfPresent(drift, forKey: .drift)
    try values.encode(messages("error"), forKey: .errors)
    try values.encode(messages("warning"), forKey: .warnings)
  }

  private func messages(_ status: String) -> [String] {
    checks.filter { $0.status == status }.map {
      "\($0.rule): \($0.details.joined(separator: "; "))"
    }
  }
}
