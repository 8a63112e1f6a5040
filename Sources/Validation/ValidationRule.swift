// SPDX-License-Identifier: Apache-2.0

/// A thing that must hold in a routing database.
public struct ValidationRule: Equatable, Sendable {
  /// What a breach means.
  public enum Severity: String, Sendable, Codable {
    /// The database must not be used.
    case error
    /// It may be used, but somebody should look.
    case warning
  }

  /// A short name in kebab-case.
  public let id: String
  /// What a breach means.
  public let severity: Severity
  /// What must hold, in one sentence.
  public let statement: String
  /// What to do about a breach.
  public let fix: String

  /// Every rule, in the order in which they are checked.
  public static let all = [
    integrity, schema, foreignKeys, metadata, nodes, positiveCosts, costCoversDistance, oneway,
    length, geometry, climb, elevationProfiles, admissible, profileCosts, islands, coverage,
    components,
  ]

  static let integrity = ValidationRule(
    id: "integrity", severity: .error, statement: "SQLite finds the file undamaged",
    fix: "build the database anew; the file was damaged after it was written")
  static let schema = ValidationRule(
    id: "schema", severity: .error,
    statement: "the three tables and three indexes of the contract are there, with their columns",
    fix: "build the database with cairn-compute-costs")
  static let foreignKeys = ValidationRule(
    id: "foreign-keys", severity: .error, statement: "every edge begins and ends at a known node",
    fix: "build the database anew; rows were removed or added by hand")
  static let metadata = ValidationRule(
    id: "metadata", severity: .error,
    statement: "the counts and the bounding box in the metadata are those of the tables",
    fix: "build the database anew; rows were changed after it was written")
  static let nodes = ValidationRule(
    id: "nodes", severity: .error,
    statement: "every node lies on the Earth, and its elevation is unknown or one that a place has",
    fix: "build the database anew; rows were changed after it was written")
  static let positiveCosts = ValidationRule(
    id: "positive-costs", severity: .error,
    statement: "every cost is a positive number, or infinity where there is no way",
    fix: "look for a factor of 0 in the profile")
  static let costCoversDistance = ValidationRule(
    id: "cost-covers-distance", severity: .error,
    statement: "in the hiking profile no edge costs less than its length",
    fix: "a factor below 1 belongs into a profile of another name")
  static let oneway = ValidationRule(
    id: "oneway", severity: .error,
    statement: "is_oneway is 1 where there is a way there and none back, and 0 everywhere else",
    fix: "build the database anew with this version")
  static let length = ValidationRule(
    id: "length", severity: .error,
    statement: "every edge has a length, not shorter than the straight line between its ends",
    fix: "build the graph anew; distances and positions do not belong together")
  static let geometry = ValidationRule(
    id: "geometry", severity: .error,
    statement: "every geometry is a list of Float32 points on the Earth",
    fix: "build the database anew; the blobs were written by something else")
  static let climb = ValidationRule(
    id: "climb", severity: .error,
    statement: "gain and loss are lengths, and their difference is that of the end nodes",
    fix: "build the graph anew from the elevated file")
  static let elevationProfiles = ValidationRule(
    id: "elevation-profiles", severity: .error,
    statement: "every elevation profile can be read, and every largest slope is a number",
    fix: "build the database anew; the blobs were written by something else")
  static let admissible = ValidationRule(
    id: "admissible", severity: .error,
    statement: "the stated least cost of a metre is not above that of any edge",
    fix: "build the database anew; with a wrong bound routes are not the best ones")
  static let profileCosts = ValidationRule(
    id: "profile-costs", severity: .error,
    statement:
      "each profile has costs and times of every edge, the first one those of routing_edges",
    fix: "build the database anew with cairn-compute-costs")
  static let islands = ValidationRule(
    id: "islands", severity: .error,
    statement: "the parts of each profile and the nodes of its islands are those of its costs",
    fix: "build the database anew with cairn-compute-costs")
  static let coverage = ValidationRule(
    id: "elevation-coverage", severity: .warning,
    statement: "at least 95 % of the nodes have an elevation",
    fix: "add the missing elevation tiles; without them climbs cost nothing")
  static let components = ValidationRule(
    id: "components", severity: .warning,
    statement: "at least 80 % of the passable kilometres hang together",
    fix: "look for ways that are cut at the region's border, or for a gap in the data")
}
