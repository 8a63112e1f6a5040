// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CommandLineKit
import Elevation
import FoundationEssentials
import Glibc
import SystemIO

/// The locations of rasters. GDAL is called once for each, until its files change.
struct RasterCatalogue {
  /// The cached information on a raster.
  struct Place: Codable, Equatable {
    /// Size and times of its files, and of its folder, to which others may be added.
    var state: String
    /// The files that it consists of.
    var files: [String]
    /// West, south, east and north.
    var bounds: [Double]

    var box: BoundingBox? {
      guard bounds.count == 4 else { return nil }
      return BoundingBox(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3])
    }
  }

  private struct Stored: Codable {
    /// 2 since the sources of virtual rasters are checked.
    var version = 2
    var rasters: [String: Place] = [:]
  }

  private static let bytesLimit = 64 << 20

  private let path: String
  private var stored: Stored
  private var isChanged = false

  /// Reads the cache of earlier runs; a damaged or missing one is empty.
  init(_ path: String) {
    self.path = path
    let bytes = try? InputFile(path).readAll(limit: Self.bytesLimit)
    let known = bytes.flatMap { try? JSONDecoder().decode(Stored.self, from: Data($0)) }
    stored = known.flatMap { $0.version == 2 ? $0 : nil } ?? Stored()
  }

  /// The locations of rasters. Throws the error of the first invalid one.
  mutating func places(_ paths: [String], _ gdal: GDAL, within folder: String?) throws -> [(
    files: [String], box: BoundingBox
  )] {
    let unknown = paths.filter { path in
      guard let place = stored.rasters[path] else { return true }
      return place.box == nil || place.state != Self.state(place.files)
    }
    let infos = try RasterInfo.all(unknown, gdal, within: folder, threads: availableProcessors())
    for (path, info) in zip(unknown, infos) {
      let info = try info.get()
      let box = info.box
      stored.rasters[path] = Place(
        state: Self.state(info.files), files: info.files,
        bounds: [box.west, box.south, box.east, box.north])
      isChanged = true
    }
    return paths.compactMap { path in
      stored.rasters[path].flatMap { place in place.box.map { (place.files, $0) } }
    }
  }

  /// Caches the information on these rasters, if there is a folder for it.
  func save(_ paths: Set<String>) throws(CairnError) {
    guard isChanged, folderExists(splitPath(path).folder) else { return }
    try writeCacheFile(
      try encodeJSON(Stored(rasters: stored.rasters.filter { paths.contains($0.key) })), to: path)
  }

  private static func state(_ files: [String]) -> String {
    let folders = files.first.map { [splitPath($0).folder] } ?? []
    return (files + folders).map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "-" }
      let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
      return status.st_mode & S_IFMT == S_IFDIR ? time : "\(status.st_size) \(time)"
    }.joined(separator: ",")
  }
}
