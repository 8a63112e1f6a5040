// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import FoundationEssentials
import SystemIO

/// What the quality gate needs of the output of `cairn-validate --json`.
package struct ValidatorFindings: Decodable, Equatable, Sendable {
  package var valid: Bool
  package var nodes: Int
  package var edges: Int
  package var components: Int
  /// The share of nodes that have an elevation, 0…1.
  package var elevationCoverage: Double
  /// What can hurt in it; nil if the validator did not say it.
  package var safety: SafetySummary?
  /// What makes it invalid, one line for each rule.
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

  /// Reads what the validator printed. Throws 70 if it is something else.
  package static func load(_ path: String) throws(CairnError) -> ValidatorFindings {
    let bytes = try InputFile(path).readAll(limit: 16 << 20)
    do { return try JSONDecoder().decode(ValidatorFindings.self, from: Data(bytes)) } catch {
      throw CairnError(
        "validation-unreadable", .software, "is not the output of cairn-validate --json: \(error)",
        at: Location(file: path))
    }
  }
}
