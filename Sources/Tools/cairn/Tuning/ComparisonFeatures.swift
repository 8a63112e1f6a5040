// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit
import Presentation
import ProfileTrials

/// The most changed routes of a comparison as a GeoJSON FeatureCollection, each in both versions: a
/// line under the base, then one under the candidate.
struct ComparisonFeatures: Encodable {
  /// The properties of a version.
  struct Properties: Encodable {
    var dataset: String
    var pair: Int
    var name: String?
    var `where`: [String?]?
    var rank: Int?
    /// `base` or `candidate`.
    var side: String
    var profile: String
    var overlap: Double
    var differingMetres: Double
    var distanceMetres: Double
    var ascentMetres: Nullable<Double>
    var seconds: Double
    /// The ways that only this version uses, the longest first.
    var ownWays: [Int64]
  }

  var creator = geoJSONCreator
  var type = "FeatureCollection"
  var features: [LineFeature<Properties>] = []

  init(_ comparison: ProfileComparison) {
    for candidate in comparison.candidates {
      for route in candidate.changedRoutes {
        add(route, route.base, "base", comparison.comparedWith)
        add(route, route.candidate, "candidate", candidate.profile)
      }
    }
  }

  private mutating func add(
    _ route: ChangedRoute, _ version: RouteVersion, _ side: String, _ profile: ProfileRecord
  ) {
    features.append(
      LineFeature(
        version.coordinates.map { Coordinate(latitude: $0[0], longitude: $0[1]) },
        Properties(
          dataset: route.dataset, pair: route.pair, name: route.name, where: route.where,
          rank: route.rank, side: side,
          profile: profile.label, overlap: route.overlap, differingMetres: route.differingMetres,
          distanceMetres: version.distanceMetres, ascentMetres: Nullable(version.ascentMetres),
          seconds: version.seconds, ownWays: version.ownWays.compactMap(\.way))))
  }
}
