// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit

/// What the validator found in a database.
public struct ValidationReport: Codable, Equatable, Sendable {
  /// The outcome of one rule.
  public struct Check: Codable, Equatable, Sendable {
    /// The rule's id.
    public var rule: String
    /// `pass`, `error`, `warning`, or `skipped` where an earlier breach makes it meaningless.
    public var status: String
    /// How many rows break the rule.
    public var count: Int
    /// What was seen, or the first breaches.
    public var details: [String]
  }

  /// The file.
  public var database: String
  /// Whether no rule of severity error is broken.
  public var valid: Bool { !checks.contains { $0.status == "error" } }
  /// Rows of routing_nodes.
  public var nodes = 0
  /// Rows of routing_edges.
  public var edges = 0
  /// The length of all edges in kilometres.
  public var kilometres = 0.0
  /// Parts of the graph that hang together by passable edges.
  public var components = 0
  /// The share of the passable kilometres in the largest of them, 0…1.
  public var largestComponentShare = 0.0
  /// The share of nodes with an elevation, 0…1.
  public var elevationCoverage = 0.0
  /// The outcome of each rule.
  public var checks: [Check] = []

  /// Makes an empty report.
  public init(database: String) { self.database = database }

  private enum CodingKeys: String, CodingKey {
    case database, valid, nodes, edges, kilometres, components, largestComponentShare
    case elevationCoverage, checks, errors, warnings
  }

  /// Reads a report; `valid`, `errors` and `warnings` follow from the checks.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    database = try values.decode(String.self, forKey: .database)
    nodes = try values.decode(Int.self, forKey: .nodes)
    edges = try values.decode(Int.self, forKey: .edges)
    kilometres = try values.decode(Double.self, forKey: .kilometres)
    components = try values.decode(Int.self, forKey: .components)
    largestComponentShare = try values.decode(Double.self, forKey: .largestComponentShare)
    elevationCoverage = try values.decode(Double.self, forKey: .elevationCoverage)
    checks = try values.decode([Check].self, forKey: .checks)
  }

  /// Writes the report with `valid`, `errors` and `warnings` spelled out.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(database, forKey: .database)
    try values.encode(valid, forKey: .valid)
    try values.encode(nodes, forKey: .nodes)
    try values.encode(edges, forKey: .edges)
    try values.encode(kilometres, forKey: .kilometres)
    try values.encode(components, forKey: .components)
    try values.encode(largestComponentShare, forKey: .largestComponentShare)
    try values.encode(elevationCoverage, forKey: .elevationCoverage)
    try values.encode(checks, forKey: .checks)
    try values.encode(messages("error"), forKey: .errors)
    try values.encode(messages("warning"), forKey: .warnings)
  }

  private func messages(_ status: String) -> [String] {
    checks.filter { $0.status == status }.map {
      "\($0.rule): \($0.details.joined(separator: "; "))"
    }
  }

  /// The report as a table for people.
  public var table: String {
    var lines = [
      "\(database): \(valid ? "valid" : "NOT VALID")",
      "  \(grouped(nodes)) nodes, \(grouped(edges)) edges, \(grouped(Int(kilometres.rounded()))) km,"
        + " \(grouped(components)) \(components == 1 ? "component" : "components"), elevation for \(percent(elevationCoverage)) of the"
        + " nodes",
    ]
    let width = ValidationRule.all.map(\.id.count).max() ?? 0
    for check in checks {
      let gap = String(repeating: " ", count: width - min(width, check.rule.count) + 2)
      let status = check.status.padded(to: 8)
      let count = check.count > 0 ? "\(grouped(check.count)): " : ""
      lines.append(
        "  \(status)\(check.rule)\(gap)\(count)\(check.details.joined(separator: "; "))")
      if check.status == "error" || check.status == "warning",
        let rule = ValidationRule.all.first(where: { $0.id == check.rule })
      {
        let indent = String(repeating: " ", count: width + 12)
        lines.append("\(indent)must hold: \(rule.statement)")
        lines.append("\(indent)to do: \(rule.fix)")
      }
    }
    return lines.map { printable($0.trimmingTrailingSpaces()) }.joined(separator: "\n") + "\n"
  }
}

/// A share as people read it, rounded down so that only all is 100 %: `99.9 %`.
func percent(_ share: Double) -> String {
  let tenths = Int((share * 1000).rounded(.down))
  return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func trimmingTrailingSpaces() -> String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
