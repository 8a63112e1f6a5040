// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTagRules

/// A stretch, or a place, that an audit tells of. Stretches of several ways that have the same to tell
/// and lead on from each other are one.
package struct AuditFinding: Sendable {
  /// What it is about.
  package enum Category: String, Sendable, CaseIterable {
    /// A tag or the elevations warn of something.
    case hazard
    /// A path without a grade, where it matters.
    case unknownGrade = "unknown-grade"
    /// It is closed on some days or at some hours.
    case closure
    /// Its tags cannot all be right.
    case suspicious
  }

  /// What all findings have that may become one.
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

  /// What it is about.
  package var category: Category
  /// A ``HazardKind`` by its name, or what else the category has.
  package var kind: String
  /// How much it matters.
  package var severity: HazardSeverity
  /// It in a few words, in English.
  package var text: String
  /// The tags that say so, such as `ford=yes`; nil for what the elevations say.
  package var tag: String?
  /// The objects of OpenStreetMap that have them, such as `way/123`, in their order along the line.
  package var osm: [String]
  /// The ids of the edges that it lies on, in their order along the line.
  package var edges: [Int64] = []
  /// Its length; 0 for a place.
  package var metres: Double
  /// Its line, or its place; empty if it was not read.
  package var line: [Coordinate] = []
  /// The days on which it is closed in the year from the database's date; nil unless it is a closure
  /// whose days can be told.
  package var year: AccessYear?
}
