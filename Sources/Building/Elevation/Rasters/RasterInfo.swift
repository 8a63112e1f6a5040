// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import FoundationEssentials
import SystemIO

/// The description of an elevation raster by `gdalinfo`.
package struct RasterInfo: Sendable {
  /// The file that was asked about.
  package let path: String
  /// The files that it consists of, itself among them.
  package let files: [String]
  /// A box around it in degrees, hardly larger than it.
  package let box: BoundingBox
  /// The distance of its pixels in metres, along the axis where it is larger.
  let spacingMetres: Double
  /// Its grid, as far as rasters must agree to be joined without interpolation.
  let grid: Grid
  /// Metres are `scale` times the value and `offset`.
  let scale: Double
  let offset: Double

  /// The projection, size and phase of the pixels of a raster, and the kind of its values.
  struct Grid: Hashable {
    var projection: String
    var dataType: String
    /// Width and height of a pixel and what the origin is beyond a whole number of them, in rounded
    /// units; nil for a raster that can only be taken alone: one that is rotated or upside down.
    var pixels: [Int]?
  }

}

extension RasterInfo {
  /// The time limit for examining a raster.
  private static let timeoutSeconds = 60.0

  /// Examines a raster with GDAL. Throws 65 with the problem if it has the wrong kind or an unknown
  /// location, or names a server; 66 if it cannot be opened.
  ///
  /// - Parameter folder: The folder in which the sources of a VRT lie, unless they lie beside it; nil
  ///   for any.
  package init(_ path: String, _ gdal: GDAL, within folder: String? = nil) throws(CairnError) {
    guard !path.contains(where: \.isNewline) else {
      throw Self.bad(path, "has a line break in its path", "rename it")
    }
    try RasterSources.check(path, within: folder)
    let ending = try gdal.run(
      "gdalinfo", ["-json", "-nogcp", "-nomd", "-norat", "-noct", GDAL.word(path)],
      timeoutSeconds: Self.timeoutSeconds)
    guard ending.isSuccess else {
      throw Self.bad(
        path, "GDAL cannot open it: \(ending.firstNote)", "is it a complete raster?")
    }
    // A file that is cut off loses its projection, with no more than a warning.
    if String(decoding: ending.notes, as: UTF8.self).contains("IO error") {
      throw Self.bad(path, "is damaged or truncated: \(ending.firstNote)", "download it again")
    }
    guard let said = try? JSONDecoder().decode(Answer.self, from: Data(ending.output)) else {
      throw Self.bad(path, "cannot read the output of gdalinfo", nil)
    }
    try self.init(path, said)
  }

  private init(_ path: String, _ said: Answer) throws(CairnError) {
    guard said.bands.count == 1, let band = said.bands.first, said.size.count == 2 else {
      throw Self.bad(
        path, "has \(counted(said.bands.count, "band")); elevations need exactly one",
        said.bands.isEmpty ? "give one of its rasters" : "extract it: gdal_translate -b 1")
    }
    guard let projection = said.coordinateSystem?.wkt, !projection.isEmpty else {
      throw Self.bad(
        path, "has no projection",
        "set it: gdal_translate -a_srs EPSG:CODE")
    }
    guard let transform = said.geoTransform, transform.count == 6, transform.allSatisfy(\.isFinite),
      transform[1] * transform[5] != transform[2] * transform[4]
    else {
      throw Self.bad(
        path, "has no georeference",
        "set its corners: gdal_translate -a_ullr WEST NORTH EAST SOUTH")
    }
    let isGeographic = !["PROJCRS[", "PROJCS["].contains { projection.contains($0) }
    guard let box = said.wgs84Extent?.box(isExact: isGeographic) else {
      throw Self.bad(
        path, "its projection cannot be converted to latitude and longitude",
        "reproject it: gdalwarp -t_srs EPSG:4326")
    }
    self.path = path
    let files = (said.files ?? []).map { $0 == GDAL.word(path) ? path : $0 }
    self.files = files.isEmpty ? [path] : files
    self.box = box
    grid = Grid(
      projection: projection, dataType: band.type, pixels: Self.pixels(transform))
    spacingMetres = Self.spacing(said, transform, box)
    guard let metres = Self.metres(band.unit ?? "", projection) else {
      throw Self.bad(
        path, "has elevations in “\(printable(band.unit ?? ""))”, an unknown unit",
        "set the unit: gdal_edit.py -units m")
    }
    scale = (band.scale ?? 1) * metres
    offset = (band.offset ?? 0) * metres
  }

  private static func bad(_ path: String, _ what: String, _ hint: String?) -> CairnError {
    CairnError(.badRaster, .dataError, what, at: Location(file: path), hint: hint)
  }

  private static func pixels(_ transform: [Double]) -> [Int]? {
    let (width, height) = (transform[1], transform[5])
    guard transform[2] == 0, transform[4] == 0, width > 0, height < 0 else { return nil }
    // A thousandth of a pixel, and sizes to 10⁻⁹ of a degree or metre.
    func phase(_ origin: Double, _ size: Double) -> Int? {
      let pixels = origin / size
      return Int(exactly: ((pixels - pixels.rounded()) * 1000).rounded())
    }
    let numbers = [
      Int(exactly: (width * 1e9).rounded()), Int(exactly: (-height * 1e9).rounded()),
      phase(transform[0], width), phase(transform[3], -height),
    ]
    let known = numbers.compactMap(\.self)
    // The two halves of a pixel's border are one phase.
    return known.count == 4
      ? known.prefix(2) + known.suffix(2).map { abs($0) == 500 ? 500 : $0 } : nil
  }

  private static func spacing(_ said: Answer, _ transform: [Double], _ box: BoundingBox) -> Double {
    let (columns, rows) = (Double(said.size[0]), Double(said.size[1]))
    // Upper left, lower left, lower right, upper right.
    if let corners = said.wgs84Extent?.corners, corners.count >= 4, box.widthDegrees < 90 {
      return max(
        haversineDistance(corners[0], corners[1]) / max(1, rows),
        haversineDistance(corners[0], corners[3]) / max(1, columns))
    }
    return haversineDistance(
      Coordinate(latitude: box.south, longitude: box.west),
      Coordinate(latitude: box.north, longitude: box.west)) / max(1, rows)
  }

  /// The length of a unit of elevation; nil if unknown. Without a name it is that of the vertical
  /// part of the projection, or else a metre.
  private static func metres(_ unit: String, _ projection: String) -> Double? {
    switch unit.lowercased() {
    case "m", "metre", "metres", "meter", "meters": return 1
    case "ft", "foot", "feet", "international foot": return 0.3048
    case "us survey foot", "us survey feet", "ftus", "us-ft", "sfoot", "us foot":
      return 1200.0 / 3937
    case "dm", "decimetre", "decimeter": return 0.1
    case "cm", "centimetre", "centimeter": return 0.01
    case "":
      guard let start = projection.firstRange(of: "VERTCRS[")?.upperBound,
        let mark = projection[start...].firstRange(of: "LENGTHUNIT[")?.upperBound
      else { return 1 }
      let words = projection[mark...].prefix { $0 != "]" }.split(separator: ",")
      return words.count > 1 ? Double(words[1].filter { $0 != " " }) : nil
    default: return nil
    }
  }
}

/// The JSON printed by `gdalinfo`, as far as needed.
private struct Answer: Decodable {
  struct System: Decodable { var wkt: String? }

  struct Band: Decodable {
    var type: String
    var unit: String?
    var offset: Double?
    var scale: Double?
  }

  /// A polygon, or several where it crosses the antimeridian.
  struct Extent: Decodable {
    var type: String
    var coordinates: JSONValue

    private static func points(_ value: JSONValue) -> [Coordinate] {
      guard case .list(let items) = value else { return [] }
      let numbers = items.compactMap(\.number)
      if numbers.count >= 2 { return [Coordinate(latitude: numbers[1], longitude: numbers[0])] }
      return items.flatMap(points)
    }

    /// The corners of one polygon.
    var corners: [Coordinate]? { type == "Polygon" ? Self.points(coordinates) : nil }

    /// A box around it. Lines of another projection bulge between their ends: by less than a twentieth,
    /// even of a raster of a continent.
    func box(isExact: Bool) -> BoundingBox? {
      let points = Self.points(coordinates)
      guard points.count >= 3,
        points.allSatisfy({ $0.latitude.isFinite && $0.longitude.isFinite }),
        var box = BoundingBox(around: points)
      else { return nil }
      if !isExact {
        let bulge = max(box.north - box.south, box.east - box.west) / 20
        (box.south, box.north) = (box.south - bulge, box.north + bulge)
        (box.west, box.east) = (box.west - bulge, box.east + bulge)
      }
      // One that reaches over the antimeridian may have something on both sides of it.
      if box.west < -180 || box.east > 180 { (box.west, box.east) = (-180, 180) }
      return BoundingBox(
        west: box.west, south: max(-90, box.south), east: box.east, north: min(90, box.north))
    }
  }

  var files: [String]?
  var size: [Int]
  var coordinateSystem: System?
  var geoTransform: [Double]?
  var wgs84Extent: Extent?
  var bands: [Band]
}
