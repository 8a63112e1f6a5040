// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnWaypoints
import CommandLineKit

/// A layer as lines of text, one for each feature.
package enum LayerText: String, CaseIterable, Sendable {
  /// GeoJSON, one Feature a line (RFC 8142 without its control characters, which GDAL names
  /// GeoJSONSeq).
  case geojsonl
  /// Comma-separated values (RFC 4180) with a header; the geometry is well-known text in the last column.
  case csv

  /// Decimal places of degrees: a centimetre.
  private static let places = 7

  /// Calls `write` with the lines; returns the number of features.
  package func write(
    _ layer: FeatureLayer, to write: ([UInt8]) throws(CairnError) -> Void
  ) throws(CairnError) -> Int {
    var count = 0
    var buffer: [UInt8] = []
    if self == .csv {
      let names = ["fid"] + layer.columns.map(\.name) + ["geometry"]
      buffer += (names.map(WaypointCSV.quoted).joined(separator: ",") + "\r\n").utf8
    }
    try layer.forEach { feature throws(CairnError) in
      count += 1
      buffer += self == .csv ? Self.row(feature, layer) : try Self.line(feature, layer)
      guard buffer.count > 1 << 16 else { return }
      try write(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
    try write(buffer)
    return count
  }

  // MARK: CSV

  private static func row(_ feature: FeatureLayer.Feature, _ layer: FeatureLayer) -> [UInt8] {
    let values = feature.values.map { value in
      switch value {
      case .null: ""
      case .boolean(let flag): flag ? "true" : "false"
      case .integer(let number): "\(number)"
      case .real(let number): exactDecimal(number)
      case .text(let text): WaypointCSV.quoted(text)
      }
    }
    let fields =
      ["\(feature.id)"] + values + [WaypointCSV.quoted(wellKnownText(feature.lines, layer.shape))]
    return Array((fields.joined(separator: ",") + "\r\n").utf8)
  }

  private static func wellKnownText(_ lines: [[Coordinate]], _ shape: FeatureLayer.Shape) -> String
  {
    let texts = lines.map { line in
      "("
        + line.map { "\(decimal($0.longitude, places)) \(decimal($0.latitude, places))" }
        .joined(separator: ", ") + ")"
    }
    guard let first = texts.first else { return "\(shape.rawValue) EMPTY" }
    return shape == .lines
      ? "\(shape.rawValue) (\(texts.joined(separator: ", ")))" : "\(shape.rawValue) \(first)"
  }

  // MARK: GeoJSON

  private struct Feature: Encodable {
    var type = "Feature"
    var id: Int64
    var geometry: Geometry?
    var properties: Properties
  }

  private struct Geometry: Encodable {
    var lines: [[Coordinate]]
    var shape: FeatureLayer.Shape

    private enum CodingKeys: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      switch shape {
      case .point:
        try values.encode("Point", forKey: .type)
        try values.encode(lines.first?.first?.geoJSONPosition, forKey: .coordinates)
      case .line:
        try values.encode("LineString", forKey: .type)
        try values.encode(lines.first?.map(\.geoJSONPosition), forKey: .coordinates)
      case .lines:
        try values.encode("MultiLineString", forKey: .type)
        try values.encode(lines.map { $0.map(\.geoJSONPosition) }, forKey: .coordinates)
      }
    }
  }

  private struct Properties: Encodable {
    var columns: [FeatureLayer.Column]
    var values: [FeatureLayer.Value]

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }

      init(_ name: String) { stringValue = name }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (column, value) in zip(columns, values) {
        let key = Key(column.name)
        switch value {
        case .null: try container.encodeNil(forKey: key)
        case .boolean(let flag): try container.encode(flag, forKey: key)
        case .integer(let number): try container.encode(number, forKey: key)
        case .real(let number): try container.encode(number, forKey: key)
        case .text(let text): try container.encode(text, forKey: key)
        }
      }
    }
  }

  private static func line(_ feature: FeatureLayer.Feature, _ layer: FeatureLayer)
    throws(CairnError) -> [UInt8]
  {
    try encodeJSON(
      Feature(
        id: feature.id,
        geometry: feature.lines.isEmpty
          ? nil : Geometry(lines: feature.lines, shape: layer.shape),
        properties: Properties(columns: layer.columns, values: feature.values)), pretty: false)
  }
}
