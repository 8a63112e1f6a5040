// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// A folder of HGT tiles, listed once.
///
/// A tile's file is `N42E001.hgt`, `.hgt.gz` or `.hgt.zip`, in any case of letters, with any suffix
/// behind the name of the tile (`N42E001.SRTMGL1.hgt.zip`). Where a tile has two files the plain
/// one goes before gzip and that before zip, then the order of the names' bytes decides. Files of
/// other kinds are ignored.
package struct ElevationSource: Sendable {
  /// The folder as it was given.
  package let folder: String
  /// What is odd about the folder: `duplicate-tile` for a file that gives way to another one of
  /// the same tile, `tile-name` for a file with the ending of a tile whose name names none.
  package let warnings: WarningTally
  private let files: [ElevationTileID: HGTFile]

  /// Lists a folder. Throws 66 if it cannot be read.
  package init(folder: String) throws(CairnError) {
    self.folder = folder
    let names: [String]
    do throws(CairnError) { names = try folderContents(folder) } catch {
      var error = error
      error.hint = error.hint ?? "give a folder that holds .hgt, .hgt.gz or .hgt.zip files"
      throw error
    }
    var files: [ElevationTileID: HGTFile] = [:]
    var warnings = WarningTally()
    for name in names {
      guard let file = HGTFile(folder: folder, name: name) else {
        if HGTFile.packing(ofName: name) != nil {
          warnings.add("tile-name", "\(joinPath(folder, name)): its name does not name a tile")
        }
        continue
      }
      guard let known = files[file.tile] else {
        files[file.tile] = file
        continue
      }
      // Names come sorted, so that of equal packings the first one stays.
      let isBetter = file.packing.rawValue < known.packing.rawValue
      if isBetter { files[file.tile] = file }
      let (taken, left) = isBetter ? (file, known) : (known, file)
      warnings.add("duplicate-tile", "\(left.path): not used, there is \(taken.name)")
    }
    self.files = files
    self.warnings = warnings
  }

  /// The tiles there are, sorted.
  package var tiles: [ElevationTileID] { files.keys.sorted() }

  func file(of tile: ElevationTileID) -> HGTFile? { files[tile] }
}
