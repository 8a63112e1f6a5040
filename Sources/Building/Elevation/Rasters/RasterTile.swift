// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import Glibc
import SystemIO

/// The posts of one square degree, taken from rasters.
///
/// Rasters of one grid are joined before they are interpolated, so that nothing shows where one ends and
/// the next begins, and posts on which a pixel is centred have its value, rounded to whole metres.
struct RasterTile {
  /// The possible resolutions of tiles: steps a degree, finest first.
  static let possibleIntervals = [10_800, 7200, 3600, 1800, 1200, 600, 120]
  /// The factor by which a raster may be coarser than its posts, since metres of a projection are
  /// not exactly seconds of arc.
  private static let tolerance = 1.05

  let tile: ElevationTileID
  /// The steps from post to post along each side.
  let intervals: Int
  /// The number of known posts beyond the sides.
  let border: Int
  /// Metres, rows from north to south; ``HGTTile/void`` if unknown.
  var posts: [Int16]

  /// The posts of a row, with those beyond the sides.
  var side: Int { intervals + 1 + 2 * border }
  /// The number of known posts of the tile itself.
  private(set) var knownCount = 0

  /// The steps of a tile of rasters of some spacing: the finest that is not finer than the coarsest of
  /// them, nor than `finest`. Throws 65 where they are too coarse for any.
  static func intervals(of rasters: [RasterInfo], finest: Int) throws(CairnError) -> Int {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    guard let coarsest = rasters.max(by: { $0.spacingMetres < $1.spacingMetres }) else {
      return possibleIntervals.last ?? 120
    }
    let steps = metresPerDegree / coarsest.spacingMetres * tolerance
    let fitting = possibleIntervals.first { $0 <= finest && Double($0) <= steps }
    guard let fitting else {
      throw CairnError(
        .badRaster, .dataError,
        "has a pixel every \(grouped(Int(min(1e9, coarsest.spacingMetres)))) m: too coarse for "
          + "ways",
        at: Location(file: coarsest.path), hint: "use a finer model")
    }
    return fitting
  }

  /// Makes a tile without elevations.
  init(_ tile: ElevationTileID, intervals: Int, border: Int) {
    (self.tile, self.intervals, self.border) = (tile, intervals, border)
    let side = intervals + 1 + 2 * border
    posts = [Int16](repeating: HGTTile.void, count: side * side)
  }

  /// Takes the elevations of rasters, in order of preference.
  ///
  /// - Parameter folder: The folder for temporary grids.
  mutating func take(_ rasters: [RasterInfo], _ gdal: GDAL, in folder: String) throws(CairnError) {
    struct Kind: Hashable {
      var grid: RasterInfo.Grid
      var scale: Double
      var offset: Double
      /// A number of its own for what cannot be joined.
      var number: Int
    }
    var kinds: [Kind] = []
    var groups: [Kind: [RasterInfo]] = [:]
    for (index, raster) in rasters.enumerated() {
      let kind = Kind(
        grid: raster.grid, scale: raster.scale, offset: raster.offset,
        number: raster.grid.pixels == nil ? index : -1)
      if groups[kind] == nil { kinds.append(kind) }
      groups[kind, default: []].append(raster)
    }
    for kind in kinds { try take(group: groups[kind] ?? [], gdal, in: folder) }
    countKnown()
  }

  /// Counts the posts of the tile itself that are known.
  mutating func countKnown() {
    knownCount = (border...border + intervals).reduce(0) { count, row in
      let first = row * side + border
      return count + posts[first...first + intervals].count { $0 != HGTTile.void }
    }
  }

  /// Takes the elevations of rasters of one grid.
  private mutating func take(group: [RasterInfo], _ gdal: GDAL, in folder: String)
    throws(CairnError)
  {
    guard let first = group.first else { return }
    let warped = joinPath(folder, "warped.img")
    defer { unlink(warped) }
    let source = group.count == 1 ? GDAL.word(first.path) : joinPath(folder, "joined.vrt")
    if group.count > 1 {
      let list = joinPath(folder, "joined.txt")
      // In a VRT the last one lies on top.
      let paths = group.reversed().map { absolutePath($0.path) + "\n" }.joined()
      try AtomicOutput.write(Array(paths.utf8), to: list) { _ in true }
      let ending = try gdal.run(
        "gdalbuildvrt",
        ["-q", "-overwrite", "-strict", "-input_file_list", list, source])
      guard ending.isSuccess else { throw failure(group, "cannot be joined", ending) }
    }
    let step = 1 / Double(intervals)
    let reach = (Double(border) + 0.5) * step
    let (south, west) = (Double(tile.latitude), Double(tile.longitude))
    let bounds = [west - reach, south - reach, west + 1 + reach, south + 1 + reach]
    let ending = try gdal.run(
      "gdalwarp",
      [
        "-q", "-overwrite", "-novshift", "-of", "ENVI", "-ot", "Float32", "-t_srs", "EPSG:4326",
        "-r",
        "bilinear",
        "-dstnodata", "nan", "-ts", "\(side)", "\(side)", "-te",
      ] + bounds.map { "\($0)" } + GDAL.warpMemory + [source, warped])
    guard ending.isSuccess else { throw failure(group, "cannot be read", ending) }
    try read(warped, scale: first.scale, offset: first.offset)
  }

  private func failure(_ group: [RasterInfo], _ what: String, _ ending: GDAL.Ending) -> CairnError {
    // GDAL's error names the file if it is one of several.
    let note = ending.firstNote
    let culprit = group.first { note.contains(splitPath($0.path).name) } ?? group.first
    let others = group.count > 1 ? " (with \(counted(group.count - 1, "other")))" : ""
    return CairnError(
      .badRaster, .dataError, "\(what)\(others) for \(tile): \(note)",
      at: Location(file: culprit?.path ?? ""),
      hint: "is it complete? Check with gdalinfo -checksum")
  }

  /// Reads 32-bit numbers, row by row, into posts without an elevation.
  private mutating func read(_ path: String, scale: Double, offset: Double) throws(CairnError) {
    let file = try InputFile(path)
    let side = self.side
    let rowBytes = side * MemoryLayout<Float>.size
    guard file.size == rowBytes * side else {
      throw CairnError(
        .badRaster, .software, "gdalwarp wrote \(grouped(file.size)) bytes",
        at: Location(file: path))
    }
    var row = [UInt32](repeating: 0, count: side)
    for number in 0..<side {
      let count = try row.withUnsafeMutableBufferPointer { row throws(CairnError) in
        try file.read(into: UnsafeMutableRawBufferPointer(row), at: number * rowBytes)
      }
      guard count == rowBytes else {
        throw CairnError(.inputOutput, .ioError, "ends early", at: Location(file: path))
      }
      for column in 0..<side where posts[number * side + column] == HGTTile.void {
        let value = Double(Float(bitPattern: UInt32(littleEndian: row[column])))
        posts[number * side + column] = Self.post(value * scale + offset)
      }
    }
  }

  /// Whole metres; void for implausible elevations.
  static func post(_ metres: Double) -> Int16 {
    let range = HGTTile.plausibleMetres
    // False for NaN, too.
    guard metres > Double(range.lowerBound) - 0.5, metres < Double(range.upperBound) + 0.5 else {
      return HGTTile.void
    }
    return Int16(metres.rounded())
  }

  /// Writes the tile as an HGT file; as the smallest one if nothing is known.
  func write(to output: AtomicOutput) throws(CairnError) {
    let written = knownCount > 0 ? self : RasterTile(tile, intervals: 120, border: 0)
    for row in written.border...written.border + written.intervals {
      let first = row * written.side + written.border
      let metres = written.posts[first...first + written.intervals].map(\.bigEndian)
      try metres.withUnsafeBufferPointer { metres throws(CairnError) in
        try output.write(UnsafeRawBufferPointer(metres))
      }
    }
    try output.commit()
  }
}
