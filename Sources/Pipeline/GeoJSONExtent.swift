// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import Geodesy
import SystemIO

/// The smallest box around all positions of a GeoJSON file, whatever it holds.
///
/// Throws 66 if the file cannot be read and 65 if there is no position in it.
func extentOfGeoJSON(_ path: String) throws(CairnError) -> BoundingBox {
  let bytes = try InputFile(path).readAll(limit: 64 << 20)
  var positions: [Coordinate] = []
  do { try JSONDecoder().decode(GeoJSON.self, from: Data(bytes)).collect(into: &positions) } catch {
    throw CairnError(
      "malformed-geojson", .dataError, "is not GeoJSON: \(error)", at: Location(file: path))
  }
  guard let box = BoundingBox(around: positions), box.isValid else {
    throw CairnError(
      "malformed-geojson", .dataError, "has no area in it", at: Location(file: path))
  }
  return box
}

/// Any GeoJSON object, as far as positions are concerned.
private final class GeoJSON: Decodable {
  let coordinates: Positions?
  let geometry: GeoJSON?
  let geometries: [GeoJSON]?
  let features: [GeoJSON]?

  func collect(into positions: inout [Coordinate]) {
    positions += coordinates?.all ?? []
    geometry?.collect(into: &positions)
    for part in (geometries ?? []) + (features ?? []) { part.collect(into: &positions) }
  }
}

/// Positions in however many brackets.
private struct Positions: Decodable {
  var all: [Coordinate] = []

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    guard !list.isAtEnd else { return }
    if let longitude = try? list.decode(Double.self) {
      all = [Coordinate(latitude: try list.decode(Double.self), longitude: longitude)]
      return
    }
    while !list.isAtEnd { all += try list.decode(Positions.self).all }
  }
}
