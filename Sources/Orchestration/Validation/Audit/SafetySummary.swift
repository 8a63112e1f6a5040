// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// What a region has that can hurt, in figures: `safety` of `bundle.json`, `index.json` and the
/// reports of the validator, and `summary` of `cairn audit`.
///
/// Kilometres are rounded to 10 m. What is not known is nil.
package struct SafetySummary: Codable, Equatable, Sendable {
  /// What a database has of one kind of hazard.
  package struct Hazards: Codable, Equatable, Sendable {
    /// A ``HazardKind`` by its name: a later version may have more of them.
    package var kind: String
    /// How much the worst one matters.
    package var severity: HazardSeverity
    /// How many stretches and places there are.
    package var count: Int
    /// The length of the stretches.
    package var kilometres: Double
  }

  /// Kilometres that walkers may use, by what they are.
  package struct Ways: Codable, Equatable, Sendable {
    /// Paths, footways, bridleways, steps, via ferratas.
    package var paths = 0.0
    /// Tracks.
    package var tracks = 0.0
    /// All others.
    package var roads = 0.0

    /// All of them.
    package var total: Double { paths + tracks + roads }
  }

  /// Kilometres of paths without a grade.
  package struct UnknownGrade: Codable, Equatable, Sendable {
    /// Above the tree line; nil where that or all elevations are unknown.
    package var aboveTreeLine: Double?
    /// On stretches steeper than the limit; nil where all elevations are unknown.
    package var steep: Double?
    /// Without elevations, so that nobody can tell.
    package var withoutElevation: Double
  }

  /// The version of what is counted and how. Raised when the same database gives other figures, so that
  /// nobody takes the difference for damage.
  package static let currentVersion = 1
  /// What stands for a grade, or a visibility, that is not known.
  package static let unknown = "unknown"

  /// See ``currentVersion``.
  package var version = Self.currentVersion
  /// What walkers may use, on some day at least.
  package var kilometres = Ways()
  /// Kilometres by grade, `strolling` and `T1` to `T6`; `unknown` are the paths without one.
  package var grades: [String: Double] = [:]
  /// The hardest grade; nil where none is mapped.
  package var highestGrade: String?
  /// Kilometres by `trail_visibility`; `unknown` are the paths without one.
  package var visibility: [String: Double] = [:]
  /// Where paths without a grade may be hard.
  package var unknownGrade = UnknownGrade(withoutElevation: 0)
  /// The height of the tree line, in metres; nil where the place is unknown.
  package var treeLineMetres: Double?
  /// From which slope on ground is steep, in percent.
  package var steepPercent = AuditLimits.usualSteepPercent
  /// By severity, from the worst, and then by kind.
  package var hazards: [Hazards] = []
  /// The stretches and gates that are closed on some days or at some hours; nil where the database does
  /// not have their tags.
  package var closures: Int?
  /// Whether any of them is closed, or may be, for whole days; nil where that is not known.
  package var hasSeasonalClosures: Bool?
  /// The stretches whose tags cannot all be right; nil where the database does not have them.
  package var suspicious: Int?

  init() {}

  /// The keys whose values are others in another summary.
  package func differences(from other: SafetySummary) -> [String] {
    let isSame: [(String, Bool)] = [
      ("kilometres", kilometres == other.kilometres), ("grades", grades == other.grades),
      ("highestGrade", highestGrade == other.highestGrade),
      ("visibility", visibility == other.visibility),
      ("unknownGrade", unknownGrade == other.unknownGrade),
      ("treeLineMetres", treeLineMetres == other.treeLineMetres),
      ("steepPercent", steepPercent == other.steepPercent), ("hazards", hazards == other.hazards),
      ("closures", closures == other.closures),
      ("hasSeasonalClosures", hasSeasonalClosures == other.hasSeasonalClosures),
      ("suspicious", suspicious == other.suspicious), ("version", version == other.version),
    ]
    return isSame.filter { !$0.1 }.map(\.0)
  }

  /// Kilometres to 10 m.
  static func rounded(metres: Double) -> Double { (metres / 10).rounded() / 100 }
}

extension SafetySummary {
  private enum CodingKeys: String, CodingKey {
    case version, kilometres, grades, highestGrade, visibility, unknownGrade, treeLineMetres
    case steepPercent, hazards, closures, hasSeasonalClosures, suspicious
  }

  /// Writes the summary, what is unknown as null.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(version, forKey: .version)
    try values.encode(kilometres, forKey: .kilometres)
    try values.encode(grades, forKey: .grades)
    try values.encode(highestGrade, forKey: .highestGrade)
    try values.encode(visibility, forKey: .visibility)
    try values.encode(unknownGrade, forKey: .unknownGrade)
    try values.encode(treeLineMetres, forKey: .treeLineMetres)
    try values.encode(steepPercent, forKey: .steepPercent)
    try values.encode(hazards, forKey: .hazards)
    try values.encode(closures, forKey: .closures)
    try values.encode(hasSeasonalClosures, forKey: .hasSeasonalClosures)
    try values.encode(suspicious, forKey: .suspicious)
  }
}

extension SafetySummary.UnknownGrade {
  private enum CodingKeys: String, CodingKey { case aboveTreeLine, steep, withoutElevation }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(aboveTreeLine, forKey: .aboveTreeLine)
    try values.encode(steep, forKey: .steep)
    try values.encode(withoutElevation, forKey: .withoutElevation)
  }
}

/// From where on an audit takes ground for high or steep.
package struct AuditLimits: Sendable {
  /// The height of the tree line, in metres; nil for the usual one of the region's latitude.
  package var treeLineMetres: Double?
  /// Percent along the way, up or down.
  package var steepPercent: Double

  /// The usual limit of steep ground: 22°.
  package static let usualSteepPercent = 40.0

  /// Makes limits.
  package init(
    treeLineMetres: Double? = nil, steepPercent: Double = AuditLimits.usualSteepPercent
  ) {
    (self.treeLineMetres, self.steepPercent) = (treeLineMetres, steepPercent)
  }

  /// About where forest ends at a latitude, in metres: 85 m for each degree to 70°, where there is
  /// none, and at most 4,000 m. That is 2,350 m in Andorra and 1,950 m in the Alps; near the sea it
  /// is lower.
  package static func usualTreeLine(latitude: Double) -> Double {
    let metres = min(85 * (70 - abs(latitude)), 4000)
    return max(metres / 50, 0).rounded() * 50
  }
}
