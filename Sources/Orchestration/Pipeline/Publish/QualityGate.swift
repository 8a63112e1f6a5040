// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import FoundationEssentials
import SystemIO
import Validation

/// What the quality gate needs of the output of `cairn-validate --json`.
struct ValidatorFindings: Decodable, Equatable, Sendable {
  var valid: Bool
  var nodes: Int
  var edges: Int
  var components: Int
  /// The share of nodes that have an elevation, 0…1.
  var elevationCoverage: Double
  /// What makes it invalid, one line for each rule.
  var errors: [String]?

  /// Reads what the validator printed. Throws 70 if it is something else.
  static func load(_ path: String) throws(CairnError) -> ValidatorFindings {
    let bytes = try InputFile(path).readAll(limit: 16 << 20)
    do { return try JSONDecoder().decode(ValidatorFindings.self, from: Data(bytes)) } catch {
      throw CairnError(
        "validation-unreadable", .software, "is not the output of cairn-validate --json: \(error)",
        at: Location(file: path))
    }
  }
}

/// Decides whether a database may be published.
struct QualityGate: Sendable {
  let checks: Manifest.Checks

  /// The reasons not to publish a database; empty if it may be published.
  ///
  /// - Parameter drift: How the database differs from the published one; nil if there is none, it is
  ///   the same, or drift is not checked.
  func objections(to validation: ValidatorFindings, drift: DriftReport? = nil) -> [String] {
    var objections: [String] = []
    if !validation.valid { objections.append("cairn-validate says that the database is invalid") }
    if let least = checks.minEdges, validation.edges < least {
      objections.append(
        "check min-edges: \(grouped(validation.edges)) edges, at least \(grouped(least)) required"
      )
    }
    let coverage = validation.elevationCoverage
    if let least = checks.elevationCoverage, coverage < least {
      objections.append(
        "check elevation-coverage: \(percent(coverage, comparedWith: least)) of the nodes have an "
          + "elevation, at least \(percent(least, comparedWith: coverage)) required")
    }
    if let most = checks.maxDrift, let drift {
      let excesses = drift.excesses
      if let first = excesses.first {
        let number = excesses.count == 1 ? "1 value differs" : "\(excesses.count) values differ"
        objections.append(
          "check max-drift: \(number) from what is published by more than \(percent(most)), such "
            + "as \(first.summary(limit: most))")
      }
    }
    return objections
  }
}
