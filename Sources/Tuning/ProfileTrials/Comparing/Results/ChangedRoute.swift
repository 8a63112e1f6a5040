// SPDX-License-Identifier: Apache-2.0

/// A pair whose route the candidate changes, with both routes.
package struct ChangedRoute: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// Its number in the dataset, from 1.
  package var pair: Int
  /// The name in the suite.
  package var name: String?
  /// Its rank among the most changed routes of all datasets, from 1; nil beyond the tenth.
  package var rank: Int?
  /// Its rank within the dataset, from 1; nil beyond the tenth.
  package var rankInDataset: Int?
  /// The points that were asked for, `[latitude, longitude]`.
  package var points: [[Double]]
  /// The locations of its first and last point, such as `Arinsal` or `430 m SW of Encamp`; nil if
  /// no database of places gives them.
  package var `where`: [String?]?
  /// The share of the base's route that the candidate's follows, too.
  package var overlap: Double
  /// Metres of either route outside the other, by which routes are ranked.
  package var differingMetres: Double
  /// Metres of the candidate's route that are not part of the base's; nil in comparisons of earlier
  /// versions.
  package var ownMetres: Double?
  /// The base's route.
  package var base: RouteVersion
  /// The candidate's.
  package var candidate: RouteVersion
}

/// A route under one of the profiles.
package struct RouteVersion: Codable, Equatable, Sendable {
  /// Its line, `[latitude, longitude]`.
  package var coordinates: [[Double]]
  /// Its length.
  package var distanceMetres: Double
  /// Metres climbed; nil if unknown.
  package var ascentMetres: Double?
  /// Metres descended; nil if unknown.
  package var descentMetres: Double?
  /// Its steepness; nil in comparisons of earlier versions.
  package var steepness: SteepnessFigures?
  /// Its time, without rests.
  package var seconds: Double
  /// Its cost under its own profile, in metres of flat good path.
  package var cost: Double
  /// The hardest grade of the SAC scale on it, such as `T3`; nil if it has none.
  package var hardestGrade: String?
  /// The ways that only this version uses, longest first, at most five; they show the reason for
  /// the change.
  package var ownWays: [OwnWay]
  /// Its makeup.
  package var makeup: RouteMakeup
  /// Its elevation profile.
  package var elevationProfile: VersionElevations
}

/// A way that only one of two routes uses.
package struct OwnWay: Codable, Equatable, Sendable {
  /// The OpenStreetMap id; nil if the database does not have it.
  package var way: Int64?
  /// Its name, or the number of a road.
  package var name: String?
  /// The value of `highway`.
  package var highway: String?
  /// The used length, in metres.
  package var metres: Double
}

/// The elevation profile of a route: as many elevations as distances.
package struct VersionElevations: Codable, Equatable, Sendable {
  /// Metres from the start; they never decrease.
  package var distances: [Double]
  /// Metres above sea level; nil, in JSON null, if unknown.
  package var elevations: [Double?]
}
