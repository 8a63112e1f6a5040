// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CommandLineKit
import Elevation
import Manifests
import ResultStore
import SystemIO

/// Rasters with elevations, by the square degrees of a region that they cover.
extension SourceResolver {
  /// The margin of a tile in which its neighbours count: sources blend there, and the last posts
  /// may belong to the next raster.
  private static let marginDegrees = 0.005
  /// The least overlap of a raster with a tile: rasters centred on whole degrees extend into the
  /// next ones by half a pixel.
  private static let leastDegrees = 0.0005
  /// The most rasters of a tile: a command line names all of them.
  private static let rasterLimit = 10_000

  var hasRasters: Bool { manifest.elevationFolders(of: regions).contains(where: \.hasRasters) }

  /// Finds the rasters for the tiles of all regions; obstacles are recorded in the manifest.
  func resolveRasters(_ manifest: inout Manifest) {
    guard hasRasters else { return }
    let gdal = Result { () throws(CairnError) in try GDAL() }
    manifest.gdalVersion = try? gdal.get().version
    let store = ActionStore(ofOutput: manifest.output)
    var catalogue = RasterCatalogue(joinPath(store.root, "rasters.json"))
    var paths: Set<String> = []
    for region in regions where manifest.tileObstacles[region.id] == nil {
      let folders = manifest.elevation(of: region)
      guard folders.contains(where: \.hasRasters) else { continue }
      do {
        let gdal = try gdal.get()
        manifest.rasterTiles[region.id] = try folders.map { folder in
          guard folder.hasRasters else { return [] }
          let files = try self.files(folder, region)
          paths.formUnion(files)
          return try tiles(
            of: region, catalogue.places(files, gdal, within: splitPath(self.manifest.path).folder))
        }
      } catch {
        manifest.tileObstacles[region.id] = asCairnError(error)
      }
    }
    // It only saves time.
    if mode != .planning { try? catalogue.save(paths) }
  }

  private func files(_ folder: Manifest.ElevationFolder, _ region: Manifest.Region)
    throws(CairnError) -> [String]
  {
    if folder.pattern != nil {
      let path = folder.path(for: region)
      return try folderContents(path).filter(TilePattern.isTile).map { joinPath(path, $0) }
    }
    let files = folder.rasterFiles
    guard !files.isEmpty else {
      throw CairnError(
        .cannotRead, .noInput, "no raster \(folder.path)", at: folder.location,
        hint: folderExists(folder.path)
          ? "write \(folder.path)/*.tif for the rasters in the folder"
          : "paths are relative to the manifest; * stands for any part of a name")
    }
    return files
  }

  private func tiles(
    of region: Manifest.Region, _ places: [(files: [String], box: BoundingBox)]
  ) throws(CairnError) -> [Manifest.RasterTile] {
    let box = try shapes.extent(region.shape)
    guard let needed = TilePattern.tiles(of: box) else {
      throw tooManyTiles(region, hint: "divide it")
    }
    var tiles: [Manifest.RasterTile] = []
    for tile in needed {
      guard places.contains(where: { tile.meets($0.box, marginDegrees: -Self.leastDegrees) }) else {
        continue
      }
      let rasters = places.filter { tile.meets($0.box, marginDegrees: Self.marginDegrees) }
      guard rasters.count <= Self.rasterLimit else {
        throw CairnError(
          .sourceFailed, .configuration,
          "\(tile) of region “\(region.id)” has \(grouped(rasters.count)) rasters, more than "
            + grouped(Self.rasterLimit), at: region.location,
          hint: "join them: gdalbuildvrt dem.vrt FOLDER/*.tif")
      }
      tiles.append(Manifest.RasterTile(tile: tile, rasters: rasters.map(\.files)))
    }
    return tiles
  }
}
