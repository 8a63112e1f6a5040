// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// A folder of HGT tiles, listed once.
///
/// The file of a tile is `N42E001.hgt`, `.hgt.gz` or `.hgt.zip`, in upper or lower case, with any
/// suffix after the name of the tile (`N42E001.SRTMGL1.hgt.zip`). `N42E001hgt.zip`, `N42E001.zip` and
/// `NASADEM_HGT_n42e001.zip` are tiles, too. If a tile has several files, a plain file takes precedence
/// over gzip, gzip over zip, and then the first name in byte order. Other files are ignored.
package struct ElevationSource: Sendable {
  /// The path of the folder, as given, or that of the first of several single tiles.
  package let folder: String
  /// Whether it is a folder.
  let isFolder: Bool
  /// Warnings about the folder: `duplicate-tile` for a file that is not used because of another one
  /// of the same tile, `tile-name` for a file with the extension of a tile but another name.
  package let warnings: WarningTally
  private var files: [ElevationTileID: HGTFile]

  /// Lists a folder. Throws 66 if it cannot be read.
  package init(folder: String) throws(CairnError) {
    self.folder = folder
    isFolder = true
    let names: [String]
    do throws(CairnError) { names = try folderContents(folder) } catch {
      var error = error
      error.hint = error.hint ?? "give a folder with .hgt, .hgt.gz or .hgt.zip files"
      throw error
    }
    var files: [ElevationTileID: HGTFile] = [:]
    var warnings = WarningTally()
    for name in names {
      guard let file = HGTFile(folder: folder, name: name) else {
        if HGTFile.packing(ofName: name) != nil {
          warnings.add(
            "tile-name",
            "\(joinPath(folder, name)): not a tile name such as "
              + "N42E001.hgt")
        }
        continue
      }
      guard let known = files[file.tile] else {
        files[file.tile] = file
        continue
      }
      // Names are sorted, so the first file of equal packings is kept.
      let isBetter = file.packing.rawValue < known.packing.rawValue
      if isBetter { files[file.tile] = file }
      let (taken, left) = isBetter ? (file, known) : (known, file)
      warnings.add("duplicate-tile", "\(left.path): not used, \(taken.name) takes precedence")
    }
    self.files = files
    self.warnings = warnings
  }

  /// The sources at some paths, in their order: a folder each, and tiles that follow one another and
  /// are of different squares together. Throws 66 if a folder cannot be read, and 65 for a file that
  /// does not have the name of a tile.
  package static func sources(at paths: [String]) throws(CairnError) -> [ElevationSource] {
    var sources: [ElevationSource] = []
    for path in paths {
      guard isFile(path) else {
        sources.append(try ElevationSource(folder: path))
        continue
      }
      let (folder, name) = splitPath(path)
      guard let file = HGTFile(folder: folder, name: name) else {
        throw CairnError(
          .damagedTile, .dataError, "does not have the name of a tile, such as N42E001.hgt",
          at: Location(file: path), hint: "give a folder of tiles, or rename it")
      }
      if let last = sources.last, !last.isFolder, last.files[file.tile] == nil {
        sources[sources.count - 1].files[file.tile] = file
      } else {
        sources.append(ElevationSource(file))
      }
    }
    return sources
  }

  private init(_ file: HGTFile) {
    folder = file.path
    isFolder = false
    warnings = WarningTally()
    files = [file.tile: file]
  }

  /// The available tiles, sorted.
  package var tiles: [ElevationTileID] { files.keys.sorted() }

  func file(of tile: ElevationTileID) -> HGTFile? { files[tile] }
}

extension ElevationSource {
  /// Whether it has a tile, which is read to its end. Throws 66 if the file cannot be read, and 65 if it
  /// is truncated, damaged or not a tile.
  package func hasWhole(_ tile: ElevationTileID) throws(CairnError) -> Bool {
    guard let file = file(of: tile) else { return false }
    _ = try file.read()
    return true
  }
}
