// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit
import Validation

/// The findings of an audit as a GeoJSON FeatureCollection: a line or a point for each. Positions are
/// [longitude, latitude] (RFC 7946).
package struct AuditFeatures: Encodable {
  private enum Geometry: Encodable {
    case line([Coordinate])
    case point(Coordinate)

    private enum CodingKeys: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .line(let line):
        try values.encode("LineString", forKey: .type)
        try values.encode(line.map(\.geoJSONPosition), forKey: .coordinates)
      case .point(let point):
        try values.encode("Point", forKey: .type)
        try values.encode(point.geoJSONPosition, forKey: .coordinates)
      }
    }
  }

  private struct Feature: Encodable {
    var type = "Feature"
    var geometry: Geometry
    var properties: AuditProperties
  }

  private var creator = geoJSONCreator
  private var type = "FeatureCollection"
  private var features: [Feature]

  /// Draws the findings of an audit with their lines.
  package init(_ audit: RegionAudit) {
    features = audit.findings.compactMap { finding in
      guard let first = finding.line.first else { return nil }
      return Feature(
        geometry: finding.line.count > 1 ? .line(finding.line) : .point(first),
        properties: AuditProperties(finding, withPlace: false))
    }
  }
}
