// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The hazards of a region in figures: `safety` in `bundle.json`, `index.json` and the validator's
/// reports, and `summary` in `cairn audit`.
///
/// Kilometres are rounded to 10 m. Unknown figures are nil.
public struct SafetySummary: Codable, Hashable, Sendable {
  /// The hazards of one kind in a database.
  public struct Hazards: Codable, Hashable, Sendable {
    /// The name of a ``HazardKind``; later versions may add kinds.
    public var kind: String
    /// The severity of the worst one.
    public var severity: HazardSeverity
    /// The number of stretches and places.
    public var count: Int
    /// The length of the stretches.
    public var kilometres: Double

    /// Makes the figures of a kind.
    package init(kind: String, severity: HazardSeverity, count: Int, kilometres: Double) {
      self.kind = kind
      self.severity = severity
      self.count = count
      self.kilometres = kilometres
    }
  }

  /// Kilometres open to walkers, by type of way.
  public struct Ways: Codable, Hashable, Sendable {
    /// Paths, footways, bridleways, steps, via ferratas.
    public var paths = 0.0
    /// Tracks.
    public var tracks = 0.0
    /// All others.
    public var roads = 0.0

    /// Makes figures.
    package init(paths: Double = 0, tracks: Double = 0, roads: Double = 0) {
      self.paths = paths
      self.tracks = tracks
      self.roads = roads
    }

    /// All of them.
    public var total: Double { paths + tracks + roads }
  }

  /// Kilometres of paths without a grade.
  public struct UnknownGrade: Codable, Hashable, Sendable {
    /// Above the tree line; nil if that or all elevations are unknown.
    public var aboveTreeLine: Double?
    /// On stretches steeper than the limit; nil where all elevations are unknown.
    public var steep: Double?
    /// Without elevations, so that steepness is unknown.
    public var withoutElevation: Double

    /// Makes figures.
    package init(
      aboveTreeLine: Double? = nil, steep: Double? = nil, withoutElevation: Double
    ) {
      self.aboveTreeLine = aboveTreeLine
      self.steep = steep
      self.withoutElevation = withoutElevation
    }
  }

  /// The version of the counting rules. Raised when the same database gives other figures, so that
  /// the difference is not mistaken for damage.
  public static let currentVersion = 1
  /// The key for an unknown grade or visibility.
  public static let unknown = "unknown"

  /// See ``currentVersion``.
  public var version = Self.currentVersion
  /// Kilometres open to walkers on at least some days.
  public var kilometres = Ways()
  /// Kilometres by grade, `strolling` and `T1` to `T6`; `unknown` for paths without one.
  public var grades: [String: Double] = [:]
  /// The hardest grade; nil if none is mapped.
  public var highestGrade: String?
  /// Kilometres by `trail_visibility`; `unknown` for paths without one.
  public var visibility: [String: Double] = [:]
  /// Signs that paths without a grade may be hard.
  public var unknownGrade = UnknownGrade(withoutElevation: 0)
  /// The height of the tree line, in metres; nil if the location is unknown.
  public var treeLineMetres: Double?
  /// From which slope on ground is steep, in percent.
  public var steepPercent: Double
  /// By severity, from the worst, and then by kind.
  public var hazards: [Hazards] = []
  /// The number of stretches and gates closed on some days or at some hours; nil if the database
  /// does not have their tags.
  public var closures: Int?
  /// Whether any of them is, or may be, closed for whole days; nil if unknown.
  public var hasSeasonalClosures: Bool?
  /// The number of stretches with contradictory tags; nil if the database does not have their tags.
  public var suspicious: Int?

  /// Makes an empty summary.
  package init(steepPercent: Double) { self.steepPercent = steepPercent }

  /// The keys whose values differ in another summary.
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
  package static func rounded(metres: Double) -> Double { (metres / 10).rounded() / 100 }
}

extension SafetySummary {
  private enum CodingKeys: String, CodingKey {
    case version, kilometres, grades, highestGrade, visibility, unknownGrade, treeLineMetres
    case steepPercent, hazards, closures, hasSeasonalClosures, suspicious
  }

  /// Writes the summary, what is unknown as null.
  public func encode(to encoder: any Encoder) throws {
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

  /// Writes the figures, what is unknown as null.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(aboveTreeLine, forKey: .aboveTreeLine)
    try values.encode(steep, forKey: .steep)
    try values.encode(withoutElevation, forKey: .withoutElevation)
  }
}
