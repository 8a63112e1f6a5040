// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests

extension Plan {
  /// The elevations of a region.
  struct RegionElevation {
    /// The options that name folders and tiles, the preferred ones first.
    var arguments: [Argument] = []
    /// The actions that make tiles out of rasters.
    var tiles: [Int] = []
  }

  /// The folders of elevation tiles that stages read, each once.
  package var tileFolders: [String] {
    var folders: [String] = []
    for case .tiles(let folder, _) in actions.flatMap(\.arguments) where !folders.contains(folder) {
      folders.append(folder)
    }
    return folders
  }

  /// How the elevations of a region are sampled and cleaned.
  func samplingOptions(_ region: Manifest.Region) -> [Argument] {
    // A published model has a tile of all land, so a missing tile has been lost.
    let isOfAllLand = manifest.elevation(of: region).contains { $0.preset != nil }
    return (isOfAllLand ? [.word("--every-tile")] : [])
      + [
        ("--smoothing-metres", manifest.elevationOptions.smoothingMetres),
        ("--threshold-metres", manifest.elevationOptions.thresholdMetres),
        ("--step-metres", manifest.elevationOptions.stepMetres),
      ].flatMap { name, metres -> [Argument] in
        metres.map { [.word(name), .word("\($0)")] } ?? []
      }
  }

  /// Adds the actions that make tiles from a region's rasters, one for each square degree. Regions
  /// with the same degree and rasters share the result, since it has one key.
  mutating func addElevation(_ index: Int) -> RegionElevation {
    let region = regions[index]
    if let obstacle = manifest.tileObstacles[region.id] {
      return RegionElevation(arguments: [.obstacle(obstacle)])
    }
    let folders = manifest.elevation(of: region)
    let rasters = manifest.rasterTiles[region.id] ?? []
    /// The tiles of a source; empty for a folder of tiles.
    typealias Source = (folder: [Argument], made: [(tile: Manifest.RasterTile, action: Int)])
    var sources = [Source](repeating: ([], []), count: folders.count)
    var result = RegionElevation()
    // The last ones first: rasters blend into those after them.
    for number in folders.indices.reversed() {
      let role = "elevation folder \(number + 1)"
      guard let resolution = folders[number].resolution else {
        sources[number].folder = [
          .word("--hgt"), .tiles(folders[number].path(for: region), role: role),
        ]
        continue
      }
      for made in number < rasters.count ? rasters[number] : [] {
        let next = sources[(number + 1)...].flatMap { source in
          source.folder + products(source.made.filter { $0.tile.isBeside(made) }, "next")
        }
        let near = sources[(number + 1)...].flatMap { source in
          source.made.filter { $0.tile.isBeside(made) }.map(\.action)
        }
        let action = add(
          index, .gridElevation(tile: made.name, source: number + 1),
          options(made, resolution) + next + [.word("--output"), .output], dependencies: near)
        sources[number].made.append((made, action))
        result.tiles.append(action)
      }
    }
    result.arguments = sources.enumerated().flatMap { number, source in
      source.folder + products(source.made, "elevation \(number + 1)")
    }
    if result.arguments.isEmpty, !folders.isEmpty {
      // Rasters are known only when a run begins, and there may be none.
      result.arguments = [.obstacle(.noRaster(of: region, folders))]
    }
    return result
  }

  private func options(_ made: Manifest.RasterTile, _ resolution: String) -> [Argument] {
    [.word("--tile"), .word(made.name)]
      + made.rasters.enumerated().flatMap { index, files -> [Argument] in
        [.word("--raster"), .raster(files, role: "raster \(index + 1)")]
      }
      + [
        .word("--resolution"), .word(String(resolution.prefix { $0 != " " })), .word("--gdal"),
        .word(manifest.gdalVersion ?? ""),
      ]
  }

  private func products(_ made: [(tile: Manifest.RasterTile, action: Int)], _ role: String)
    -> [Argument]
  {
    made.flatMap { tile, action -> [Argument] in
      [.word("--hgt"), .product(of: action, role: "\(role) \(tile.name)")]
    }
  }
}

extension CairnError {
  fileprivate static func noRaster(
    of region: Manifest.Region, _ folders: [Manifest.ElevationFolder]
  ) -> CairnError {
    CairnError(
      .noRaster, .noInput, "no raster covers region “\(region.id)”",
      at: folders[0].location, hint: "add rasters, or set elevation: none for the region")
  }
}

extension CairnError.Code {
  /// No raster has elevations of a region.
  static let noRaster: Self = "no-raster"
}
