// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import DownloadCache
import Elevation
import Glibc
import Manifests
import SystemIO

extension CairnError.Code {
  /// The server's error for a file that it does not have; see `Transfer`.
  package static let notOnServer: Self = "not-on-server"
}

/// Elevation tiles with a URL pattern. They hardly ever change, so a local tile is not checked
/// again unless sources are being updated.
extension SourceResolver {
  private struct Tile: Hashable {
    var pattern: String
    var tile: ElevationTileID
  }

  /// The outcome for each tile.
  private typealias Tiles = [Tile: Result<SourceLock.Tile, CairnError>]

  var hasTilePatterns: Bool {
    manifest.elevationFolders(of: regions).contains { $0.pattern != nil }
  }

  /// Finds the tiles of all regions, records them, and puts them into a folder for each region;
  /// obstacles are recorded in the manifest.
  func resolveTiles(_ manifest: inout Manifest, _ lock: inout SourceLock) {
    var tiles: Tiles = [:]
    for folder in manifest.elevationFolders(of: regions) {
      guard let pattern = folder.pattern else { continue }
      for region in regions where manifest.elevation(of: region).contains(folder) {
        do throws(CairnError) {
          try place(pattern, folder.path(for: region), region, lock, &tiles)
        } catch {
          manifest.tileObstacles[region.id] = manifest.tileObstacles[region.id] ?? error
        }
      }
    }
    for (tile, result) in tiles {
      guard case .success(let found) = result else { continue }
      lock.tiles[redactedURL(tile.pattern), default: [:]][tile.tile.description] = found
    }
  }

  func tooManyTiles(_ region: Manifest.Region, hint: String) -> CairnError {
    CairnError(
      .sourceFailed, .configuration,
      "region “\(region.id)” has more than \(TilePattern.tileLimit) tiles", at: region.location,
      hint: hint)
  }

  private func place(
    _ pattern: TilePattern, _ folder: String, _ region: Manifest.Region, _ lock: SourceLock,
    _ tiles: inout Tiles
  ) throws(CairnError) {
    let shown = redactedURL(pattern.url)
    let box = try shapes.extent(region.shape)
    guard let needed = TilePattern.tiles(of: box) else {
      throw tooManyTiles(
        region,
        hint:
          "download them into a folder, and list it as \(pattern.hasRasters ? "raster" : "hgt"):")
    }
    var found: [(name: String, tile: SourceLock.Tile)] = []
    for id in needed {
      let key = Tile(pattern: pattern.url, tile: id)
      let path = joinPath(folder, pattern.fileName(id))
      let known = lock.tiles[shown]?[id.description]
      let result =
        tiles[key]
        ?? Result { () throws(CairnError) in try tile(pattern, id, known, at: path) }
      tiles[key] = result
      found.append((pattern.fileName(id), try result.get()))
    }
    guard found.contains(where: { $0.tile.sha256 != nil }) else {
      throw CairnError(
        .sourceFailed, .noInput, "there is no tile of region “\(region.id)”",
        at: Location(file: shown), hint: "is the pattern right?")
    }
    if mode != .planning {
      // Tiles for an earlier shape of the region.
      for name in (try? folderContents(folder)) ?? []
      where TilePattern.isTile(name) && !found.contains(where: { $0.name == name }) {
        unlink(joinPath(folder, name))
      }
    }
    for (name, tile) in found {
      let path = joinPath(folder, name)
      guard supply.digest(ofFile: path) != tile.sha256 else { continue }
      // Planning changes nothing.
      guard mode != .planning else { throw tileNotHere(shown) }
      unlink(path)
      guard let sha256 = tile.sha256 else { continue }
      try makeFolders(folder)
      guard try supply.takeFromCache(sha256, as: path) else { throw tileNotHere(shown) }
    }
  }

  /// The version of a tile, from the lock file or its server.
  private func tile(
    _ pattern: TilePattern, _ id: ElevationTileID, _ known: SourceLock.Tile?, at path: String
  ) throws(CairnError) -> SourceLock.Tile {
    let shown = redactedURL(pattern.url(of: id))
    let isHere =
      known.map { known in
        known.sha256.map { supply.cachedBytes($0) != nil || supply.digest(ofFile: path) == $0 }
          ?? true
      } ?? false
    if let known, isHere, !isUpdating { return known }
    guard mode == .asking || mode == .frozen && known != nil else {
      guard known == nil else { throw tileNotHere(shown) }
      throw CairnError(
        .notAskedYet, .noInput, "has not been asked for yet", at: Location(file: shown),
        hint: mode == .planning
          ? nil : "run once without --\(mode == .frozen ? "frozen" : "offline")")
    }
    note(id.description, "asking \(shown)")
    do throws(CairnError) {
      let answer = try supply.ask(
        FetchRequest(
          url: pattern.url(of: id), maximumBytes: 1 << 30, content: "tile",
          sha256: mode == .frozen ? known?.sha256 : nil))
      guard case .received(let file) = answer else { throw tileNotHere(shown) }
      return SourceLock.Tile(sha256: file.sha256, bytes: file.bytes)
    } catch {
      // There are no tiles of the sea.
      guard error.code == .notOnServer, mode == .asking else { throw error }
      return SourceLock.Tile(sha256: nil, bytes: 0)
    }
  }

  private func tileNotHere(_ url: String) -> CairnError {
    mode == .planning
      ? CairnError(
        .notAskedYet, .noInput, "has not been asked for yet", at: Location(file: url))
      : CairnError(
        .sourceFailed, .noInput, "is in the lock file, but not in the cache of downloads",
        at: Location(file: url),
        hint: "run once without \(mode == .frozen ? "--frozen" : "--offline")")
  }
}
