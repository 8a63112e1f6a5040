// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import Geodesy
import SystemIO

/// Reads regions from GeoJSON files (RFC 7946) and from the filter files of Osmosis (`.poly`).
public enum RegionFile {
  /// The largest file in bytes; a country's border in full detail has about a tenth.
  static let maximumBytes = 64 << 20

  /// Reads a Polygon or MultiPolygon, alone, in a Feature, a FeatureCollection or a
  /// GeometryCollection, or the sections of a `.poly` file; several of them make one region.
  ///
  /// The format is known by the name's ending, or else by the first character.
  /// The region is named by the digest of the file. Throws 66 if the file cannot be read and 65
  /// if it holds no polygon or a broken one.
  public static func read(_ path: String) throws(CairnError) -> Region {
    let bytes = try InputFile(path).readAll(limit: maximumBytes)
    let digest = SHA256Digest()
    digest.update(bytes)
    do throws(CairnError) {
      let areas = isPoly(path, bytes) ? try PolyFile.areas(bytes) : try areas(geoJSON: bytes)
      return Region(areas, name: "polygon:" + (try digest.finish()))
    } catch { throw error.located(inFile: path) }
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
    let document: GeoJSON
    do {
      document = try JSONDecoder().decode(GeoJSON.self, from: Data(bytes))
    } catch {
      throw .badData(
        .badRegion, bytes.isEmpty ? "is empty" : "is no GeoJSON: \(reason(error))",
        hint: "a Polygon, MultiPolygon, Feature or FeatureCollection is expected")
    }
    guard !document.polygons.isEmpty else {
      throw .badData(.badRegion, "holds no polygon")
    }
    var areas: [MultiPolygon] = []
    for polygon in document.polygons { areas.append(try area(polygon)) }
    return areas
  }

  private static func area(_ polygon: [[[Double]]]) throws(CairnError) -> MultiPolygon {
    var rings: [[Coordinate]] = []
    for positions in polygon {
      var ring: [Coordinate] = []
      for position in positions {
        guard position.count >= 2 else {
          throw .badData(.badRegion, "holds a position without longitude and latitude")
        }
        let point = Coordinate(latitude: position[1], longitude: position[0])
        guard point.isValid else {
          throw .badData(
            .badRegion, "holds the position \(position[0]), \(position[1]), which is not on Earth",
            hint: "longitude comes first; cut the polygon where it crosses the antimeridian")
        }
        ring.append(point)
      }
      if ring.count > 1, ring.first == ring.last { ring.removeLast() }
      rings.append(ring)
    }
    guard let area = MultiPolygon(rings: rings) else {
      throw .badData(.badRegion, "holds a ring of fewer than three points")
    }
    return area
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    return switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context),
      .typeMismatch(_, let context), .valueNotFound(_, let context):
      context.debugDescription
    @unknown default: "\(error)"
    }
  }
}

/// The polygons of any GeoJSON object, each as its rings of [longitude, latitude].
private struct GeoJSON: Decodable {
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
        forKey: .type, in: object, debugDescription: "“\(type.prefix(40))” is no polygon")
    }
  }
}
