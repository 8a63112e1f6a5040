// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CommandLineKit

/// Isochrones as a GeoJSON FeatureCollection: positions are [longitude, latitude] (RFC 7946).
package struct IsochroneFeatures: Encodable {
  private enum Geometry: Encodable {
    case lines([[[Double]]])
    case polygons([[[[Double]]]])

    private enum CodingKeys: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .lines(let lines):
        try values.encode("MultiLineString", forKey: .type)
        try values.encode(lines, forKey: .coordinates)
      case .polygons(let polygons):
        try values.encode("MultiPolygon", forKey: .type)
        try values.encode(polygons, forKey: .coordinates)
      }
    }
  }
  private struct Properties: Encodable {
    var minutes: Double
    var reachedMetres: Double
    var reachedNodes: Int
    var cellMetres: Double?
    var offNetworkMetres: Double
    var lastResort: Nullable<String>
    var accessDate: Nullable<String>
    var departure: Nullable<String>
  }
  private struct Feature: Encodable {
    var type = "Feature"
    var geometry: Geometry
    var properties: Properties
  }
  private var creator = geoJSONCreator
  private var type = "FeatureCollection"
  private var features: [Feature] = []

  /// Draws isochrones of one start, shortest limit first.
  ///
  /// - Parameters:
  ///   - area: Their areas, drawn instead of their ways; nil for the ways.
  ///   - offNetworkMetres: The distance of the start from the network.
  ///   - day: The day of the computation.
  package init(
    _ isochrones: [Isochrone], area: IsochroneArea?, offNetworkMetres: Double, day: JudgedDay
  ) {
    for (index, isochrone) in isochrones.enumerated() {
      let geometry: Geometry =
        if let area {
          .polygons(area.polygons[index].map { $0.map { $0.map(\.geoJSONPosition) } })
        } else {
          .lines(isochrone.stretches.map { $0.coordinates.map(\.geoJSONPosition) })
        }
      features.append(
        Feature(
          geometry: geometry,
          properties: Properties(
            minutes: isochrone.limitSeconds / 60,
            reachedMetres: (isochrone.totalDistance * 10).rounded() / 10,
            reachedNodes: isochrone.nodeCount, cellMetres: area?.cellMetres,
            offNetworkMetres: offNetworkMetres,
            lastResort: Nullable(isochrone.startLastResort?.rawValue),
            accessDate: Nullable(day.accessDate),
            departure: Nullable(day.departure))))
    }
  }
}

extension Coordinate {
  /// Longitude and latitude to seven decimals, about a centimetre.
  var geoJSONPosition: [Double] {
    [longitude, latitude].map { ($0 * 1e7).rounded() / 1e7 }
  }
}
