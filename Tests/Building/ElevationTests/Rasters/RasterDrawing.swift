// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import Elevation

let hasGDAL = GDAL.programs.allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

/// A raster for tests: what a function of its coordinates gives at the centre of each pixel, as 32-bit
/// numbers, which GDAL reads by way of a VRT.
struct RasterDrawing {
  var projection: String? = "EPSG:4326"
  var columns: Int
  var rows: Int
  /// As GDAL has it: the origin and the steps of columns and rows.
  var transform: [Double]
  var nodata: String? = "-9999"
  /// Further elements of the band, such as `<UnitType>ft</UnitType>`.
  var details = ""
  var value: (_ x: Double, _ y: Double) -> Double

  /// One in the way of Copernicus: so many columns and rows a degree, whose first column and row are
  /// centred on the western and the northern border, and whose last ones are those of other rasters.
  static func degree(
    _ south: Int, _ west: Int, columns: Int, rows: Int, value: @escaping (Double, Double) -> Double
  ) -> RasterDrawing {
    let (width, height) = (1 / Double(columns), 1 / Double(rows))
    return RasterDrawing(
      columns: columns, rows: rows,
      transform: [
        Double(west) - width / 2, width, 0, Double(south + 1) + height / 2, 0, -height,
      ], value: value)
  }

  /// Writes `NAME.vrt` and the file with its numbers; returns the path.
  func write(_ name: String, in folder: TemporaryFolder) throws -> String {
    var bytes: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let (right, down) = (Double(column) + 0.5, Double(row) + 0.5)
        let x = transform[0] + right * transform[1] + down * transform[2]
        let y = transform[3] + right * transform[4] + down * transform[5]
        bytes += little(Float(value(x, y)).bitPattern)
      }
    }
    try folder.write(bytes, to: "\(name).raw")
    let system = projection.map { "<SRS>\($0)</SRS>" } ?? ""
    let place = transform.isEmpty ? "" : transform.map { "\($0)" }.joined(separator: ",")
    return try folder.write(
      """
      <VRTDataset rasterXSize="\(columns)" rasterYSize="\(rows)">\(system)
      <GeoTransform>\(place)</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1" subClass="VRTRawRasterBand">
      \(nodata.map { "<NoDataValue>\($0)</NoDataValue>" } ?? "")\(details)
      <SourceFilename relativetoVRT="1">\(name).raw</SourceFilename><ByteOrder>LSB</ByteOrder>
      </VRTRasterBand></VRTDataset>
      """, to: "\(name).vrt")
  }

  /// Writes it as `NAME.tif`; returns the path.
  func writeTIFF(_ name: String, in folder: TemporaryFolder, options: [String] = []) throws
    -> String
  {
    let source = try write(name, in: folder)
    let path = folder.file("\(name).tif")
    let ending = try runProcess("/usr/bin/gdal_translate", ["-q"] + options + [source, path])
    guard ending.status == 0 else { throw TestFailure(ending.stderr) }
    return path
  }
}

/// Hills that are smooth, and differ everywhere.
func hills(_ longitude: Double, _ latitude: Double) -> Double {
  900 + 300 * sin(longitude * 7) + 200 * cos(latitude * 9) + 40 * sin(longitude * latitude)
}

/// The tile of a square degree out of rasters, with 30″ and more.
func made(
  _ name: String, _ paths: [String], in folder: TemporaryFolder, finest: Int = 3600,
  next: [String] = []
) throws -> RasterTile {
  let gdal = try GDAL()
  let tile = try #require(ElevationTileID(fileStem: name.utf8))
  let rasters = try RasterInfo.all(paths, gdal, threads: 2).map { try $0.get() }
  let intervals = try RasterTile.intervals(of: rasters, finest: finest)
  var made = RasterTile(
    tile, intervals: intervals,
    border: next.isEmpty ? 0 : RasterTile.seamPosts(intervals: intervals) + 1)
  try made.take(rasters, gdal, in: folder.path)
  if !next.isEmpty { try made.fill(from: ElevationDataManager(folders: next)) }
  return made
}

extension RasterTile {
  /// The post `north` steps above the southern border and `east` steps from the western one.
  subscript(north north: Int, east east: Int) -> Int16 {
    posts[(border + intervals - north) * side + border + east]
  }
}
