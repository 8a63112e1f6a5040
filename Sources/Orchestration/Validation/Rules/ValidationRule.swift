// SPDX-License-Identifier: Apache-2.0

/// A condition that a routing database must meet.
package struct ValidationRule: Equatable, Sendable, Codable {
  /// What a breach means.
  package enum Severity: String, Sendable, Codable {
    /// The database must not be used.
    case error
    /// The database can be used, but the finding should be looked into.
    case warning
    /// The finding is for information only.
    case info
  }

  /// A short name in kebab-case.
  package let id: String
  /// What a breach means.
  package let severity: Severity
  /// What must hold, in one sentence.
  package let statement: String
  /// The consequence of a breach.
  package let reason: String
  /// What to do about a breach.
  package let fix: String

  /// Every rule, in the order of the report.
  package static let all = RuleName.allCases.map(\.rule)

  init(_ severity: Severity, _ statement: String, because reason: String, fix: String) {
    id = ""
    self.severity = severity
    self.statement = statement
    self.reason = reason
    self.fix = fix
  }

  /// The same rule under a name.
  init(_ id: String, _ rule: ValidationRule) {
    self.id = id
    severity = rule.severity
    statement = rule.statement
    reason = rule.reason
    fix = rule.fix
  }
}

/// The names of the rules, beginning with the gate: if one of its rules is broken, nothing else is
/// checked.
enum RuleName: String, CaseIterable {
  case integrity
  case schema
  case extensionTables = "extension-tables"
  case foreignKeys = "foreign-keys"
  case metadata
  case boundingBox = "bounding-box"
  case nodes
  case unusedNodes = "unused-nodes"
  case length
  case geometry
  case polyline
  case duplicateEdges = "duplicate-edges"
  case overlappingEdges = "overlapping-edges"
  case graph
  case ways
  case climb
  case elevationProfiles = "elevation-profiles"
  case elevationAgreement = "elevation-agreement"
  case elevationCoverage = "elevation-coverage"
  case positiveCosts = "positive-costs"
  case costCoversDistance = "cost-covers-distance"
  case straightLineBound = "straight-line-bound"
  case oneway
  case admissible
  case profileCosts = "profile-costs"
  case profileDefinitions = "profile-definitions"
  case edgeTags = "edge-tags"
  case hazards
  case recomputedCosts = "recomputed-costs"
  case islands
  case components
  case sacScale = "sac-scale"
  case surfaces
  case size
  case drift

  /// The rules that must hold before any other rule can be checked.
  static let gate: [RuleName] = [.integrity, .schema]

  var rule: ValidationRule { ValidationRule(rawValue, content) }

  private var content: ValidationRule {
    switch self {
    case .integrity, .schema, .extensionTables, .foreignKeys, .metadata, .size, .drift: fileRule
    case .boundingBox, .nodes, .unusedNodes, .length, .geometry, .polyline, .duplicateEdges,
      .overlappingEdges, .graph, .ways, .sacScale, .surfaces:
      graphRule
    case .climb, .elevationProfiles, .elevationAgreement, .elevationCoverage: elevationRule
    case .positiveCosts, .costCoversDistance, .straightLineBound, .oneway, .admissible,
      .profileCosts, .profileDefinitions, .edgeTags, .hazards, .recomputedCosts, .islands,
      .components:
      costRule
    }
  }
}
