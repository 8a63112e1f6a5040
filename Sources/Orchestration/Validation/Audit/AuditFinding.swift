// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules

/// A stretch or a place in an audit. Connected stretches of several ways with the same finding are
/// one.
package struct AuditFinding: Sendable {
  /// The subject of a finding.
  package enum Category: String, Sendable, CaseIterable {
    /// A tag or the elevations warn of something.
    case hazard
    /// A path without a grade on high or steep ground.
    case unknownGrade = "unknown-grade"
    /// It is closed on some days or at some hours.
    case closure
    /// Its tags cannot all be right.
    case suspicious
  }

  /// The common part of findings that may become one.
  struct Theme: Hashable {
    var category: Category
    var kind: String
    var text: String
    var tag: String?
  }

  /// The kind of paths without a grade above the tree line.
  package static let highKind = "unknown-grade-above-tree-line"
  /// The kind of steep paths without a grade.
  package static let steepKind = "unknown-grade-on-steep-ground"

  /// The subject.
  package var category: Category
  /// The name of a ``HazardKind``, or another kind of the category.
  package var kind: String
  /// The severity.
  package var severity: HazardSeverity
  /// The finding in a few words, in English.
  package var text: String
  /// Its tags, such as `ford=yes`; nil for findings by elevations.
  package var tag: String?
  /// The objects of OpenStreetMap with these tags, such as `way/123`, in their order along the
  /// line.
  package var osm: [String]
  /// The ids of its edges, in their order along the line.
  package var edges: [Int64] = []
  /// Its length; 0 for a place.
  package var metres: Double
  /// Its line, or its place; empty if it was not read.
  package var line: [Coordinate] = []
  /// The days on which it is closed in the year from the database's date; nil if it is no closure
  /// or the days are unknown.
  package var year: AccessYear?
}
