// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import FoundationEssentials
import SystemIO

/// The part of the output of `cairn-validate --json` for the quality gate.
package struct ValidatorFindings: Decodable, Equatable, Sendable {
  package var valid: Bool
  package var nodes: Int
  package var edges: Int
  package var components: Int
  /// The share of nodes with an elevation, 0…1; nodes that only ferries touch do not count.
  package var elevationCoverage: Double
  /// Its hazards in figures; nil if missing in the output.
  package var safety: SafetySummary?
  /// The reasons why it is invalid, one line for each rule.
  package var errors: [String]?

  package init(
    valid: Bool, nodes: Int, edges: Int, components: Int, elevationCoverage: Double,
    errors: [String]? = nil
  ) {
    self.valid = valid
    self.nodes = nodes
    self.edges = edges
    self.components = components
    self.elevationCoverage = elevationCoverage
    self.errors = errors
  }

  /// Reads the output of the validator. Throws 70 if it is something else.
  package static func load(_ path: String) throws(CairnError) -> ValidatorFindings {
    let bytes = try InputFile(path).readAll(limit: 16 << 20)
    do { return try JSONDecoder().decode(ValidatorFindings.self, from: Data(bytes)) } catch {
      throw CairnError(
        "validation-unreadable", .software, "is not the output of cairn-validate --json: \(error)",
        at: Location(file: path))
    }
  }
}
