// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// A folder of HGT tiles, listed once.
///
/// The file of a tile is `N42E001.hgt`, `.hgt.gz` or `.hgt.zip`, in upper or lower case, with any
/// suffix after the name of the tile (`N42E001.SRTMGL1.hgt.zip`). If a tile has several files, a plain
/// file takes precedence over gzip, gzip over zip, and then the first name in byte order. Other files
/// are ignored.
package struct ElevationSource: Sendable {
  /// The path of the folder, as given.
  package let folder: String
  /// Warnings about the folder: `duplicate-tile` for a file that is not used because of another one
  /// of the same tile, `tile-name` for a file with the extension of a tile but another name.
  package let warnings: WarningTally
  private let files: [ElevationTileID: HGTFile]

  /// Lists a folder. Throws 66 if it cannot be read.
  package init(folder: String) throws(CairnError) {
    self.folder = folder
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
          warnings.add("tile-name", "\(joinPath(folder, name)): its name is not that of a tile")
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

  /// The available tiles, sorted.
  package var tiles: [ElevationTileID] { files.keys.sorted() }

  func file(of tile: ElevationTileID) -> HGTFile? { files[tile] }
}
