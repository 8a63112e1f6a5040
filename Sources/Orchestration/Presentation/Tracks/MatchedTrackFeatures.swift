// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnMapMatching
import CommandLineKit

/// Matched tracks as a GeoJSON FeatureCollection: a line for each way and each gap.
package struct MatchFeatures: Encodable {
  private struct Properties: Encodable {
    var track: Nullable<String>
    var kind: String
    var lengthMetres: Double
    var way: Int64?
    var name: String?
    var highway: String?
    var reversed: Bool?
  }

  private var creator = geoJSONCreator
  private var type = "FeatureCollection"
  private var features: [LineFeature<Properties>]

  /// Draws some tracks.
  package init(_ matches: [NamedMatch]) {
    features = matches.flatMap { match in
      match.track.sections.flatMap { Self.features($0, track: match.name) }
    }
  }

  private static func features(_ section: MatchedTrack.Section, track: String?)
    -> [LineFeature<Properties>]
  {
    switch section {
    case .gap(let gap):
      guard !gap.line.isEmpty else { return [] }
      return [
        LineFeature(
          gap.line.map(shortened),
          Properties(
            track: Nullable(track), kind: gap.kind.rawValue,
            lengthMetres: tenths(gap.lengthMetres)))
      ]
    case .stretch(let stretch):
      return stretch.ways.map { way in
        LineFeature(
          way.edges.line.map { shortened($0.coordinate) },
          Properties(
            track: Nullable(track), kind: "network", lengthMetres: tenths(way.lengthMetres),
            way: way.first.osmWayID, name: way.first.name, highway: way.first.highwayType,
            reversed: way.first.isReversed))
      }
    }
  }

  private static func shortened(_ point: Coordinate) -> Coordinate {
    Coordinate(latitude: rounded(point.latitude, 7), longitude: rounded(point.longitude, 7))
  }
}
