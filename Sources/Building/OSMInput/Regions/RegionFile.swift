// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import FoundationEssentials
import SystemIO

/// Reads regions from GeoJSON files (RFC 7946) and from Osmosis polygon filter files (`.poly`).
package enum RegionFile {
  /// The largest file in bytes, ten times a detailed border of a country.
  static let maximumBytes = 64 << 20

  /// Reads a Polygon or MultiPolygon, alone, in a Feature, a FeatureCollection or a
  /// GeometryCollection, or the sections of a `.poly` file; several of them make one region.
  ///
  /// The format is determined from the file name extension, or else from the first character. The
  /// region is named by the digest of its corners, whatever the format. Throws 66 if the file cannot
  /// be read and 65 if it contains no polygon or an invalid one.
  package static func read(_ path: String) throws(CairnError) -> Region {
    let bytes = try InputFile(path).readAll(limit: maximumBytes)
    do throws(CairnError) {
      return try region(
        isPoly(path, bytes) ? try PolyFile.areas(bytes) : try areas(geoJSON: bytes))
    } catch { throw error.located(inFile: path) }
  }

  /// The region of some areas, named by their corners.
  static func region(_ areas: [MultiPolygon]) throws(CairnError) -> Region {
    let digest = SHA256Digest()
    for area in areas {
      digest.update("area \(area.rings.count)\n")
      for ring in area.rings {
        try checkAntimeridian(ring)
        var words = [UInt64(ring.count).littleEndian]
        for corner in ring {
          words.append(corner.latitude.bitPattern.littleEndian)
          words.append(corner.longitude.bitPattern.littleEndian)
        }
        words.withUnsafeBytes { digest.update($0) }
      }
    }
    return Region(areas, name: "polygon:" + digest.finish())
  }

  /// Throws 65 if a side of a ring spans more than half of the Earth's circumference: by RFC 7946
  /// it leads the long way round, but a side from 179 to −179 usually means the short way. Sides
  /// from −180 to 180 bound the whole world.
  private static func checkAntimeridian(_ ring: [Coordinate]) throws(CairnError) {
    guard var last = ring.last else { return }
    for corner in ring {
      let (start, end) = (last.longitude, corner.longitude)
      last = corner
      guard abs(end - start) > 180, abs(start) < 180 || abs(end) < 180 else { continue }
      throw .badData(
        .badRegion,
        "contains a side from longitude \(start) to \(end), more than half-way around the Earth",
        hint: "cut the polygon in two where it crosses the antimeridian; "
          + "to go the long way, add a corner between")
    }
  }

  private static func isPoly(_ path: String, _ bytes: [UInt8]) -> Bool {
    let name = path.lowercased()
    if name.hasSuffix(".poly") { return true }
    if name.hasSuffix(".geojson") || name.hasSuffix(".json") { return false }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
  }

  static func areas(geoJSON bytes: [UInt8]) throws(CairnError) -> [MultiPolygon] {
    let document = try decode(
      GeoJSON.self, bytes,
      hint: "expected a Polygon, MultiPolygon, Feature or FeatureCollection")
    return try areas(document.polygons)
  }

  /// Decodes a JSON file. Throws 65 if it is anything else.
  static func decode<Document: Decodable>(_ type: Document.Type, _ bytes: [UInt8], hint: String)
    throws(CairnError) -> Document
  {
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw .badData(
        .badRegion, bytes.isEmpty ? "is empty" : "is not GeoJSON: \(reason(error))", hint: hint)
    }
  }

  /// The areas of some polygons of [longitude, latitude]. Throws 65 if there are none, or invalid
  /// ones.
  static func areas(_ polygons: [[[[Double]]]]) throws(CairnError) -> [MultiPolygon] {
    guard !polygons.isEmpty else { throw .badData(.badRegion, "contains no polygon") }
    var areas: [MultiPolygon] = []
    for polygon in polygons { areas.append(try area(polygon)) }
    return areas
  }

  private static func area(_ polygon: [[[Double]]]) throws(CairnError) -> MultiPolygon {
    var rings: [[Coordinate]] = []
    for positions in polygon {
      var ring: [Coordinate] = []
      for position in positions {
        guard position.count >= 2 else {
          throw .badData(.badRegion, "contains a position without longitude and latitude")
        }
        let point = Coordinate(latitude: position[1], longitude: position[0])
        guard point.isValid else {
          throw .badData(
            .badRegion,
            "contains the position \(position[0]), \(position[1]), which is not on Earth",
            hint: "longitude comes first; cut the polygon where it crosses the antimeridian")
        }
        ring.append(point)
      }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      rings.append(ring)
    }
    guard let area = MultiPolygon(rings: rings) else {
      throw .badData(.badRegion, "contains a ring of fewer than three points")
    }
    return area
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    return switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context),
      .typeMismatch(_, let context), .valueNotFound(_, let context):
      feature(context.codingPath) + context.debugDescription
    @unknown default: "\(error)"
    }
  }

  /// The feature that a path in a document leads to, counted from 1: `feature 3: `, or nothing.
  private static func feature(_ path: [any CodingKey]) -> String {
    for (list, element) in zip(path, path.dropFirst()) where list.stringValue == "features" {
      if let index = element.intValue { return "feature \(index + 1): " }
    }
    return ""
  }
}

/// The polygons of any GeoJSON object, each as rings of [longitude, latitude].
struct GeoJSON: Decodable {
  var polygons: [[[[Double]]]] = []

  private enum Key: CodingKey {
    case type
    case features
    case geometry
    case geometries
    case coordinates
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let type = try object.decode(String.self, forKey: .type)
    switch type {
    case "FeatureCollection":
      polygons = try object.decode([GeoJSON].self, forKey: .features).flatMap(\.polygons)
    case "Feature":
      polygons = try object.decodeIfPresent(GeoJSON.self, forKey: .geometry)?.polygons ?? []
    case "GeometryCollection":
      polygons = try object.decode([GeoJSON].self, forKey: .geometries).flatMap(\.polygons)
    case "Polygon":
      polygons = [try object.decode([[[Double]]].self, forKey: .coordinates)]
    case "MultiPolygon":
      polygons = try object.decode([[[[Double]]]].self, forKey: .coordinates)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: object, debugDescription: "“\(type.prefix(40))” is not a polygon")
    }
  }
}
