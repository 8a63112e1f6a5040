// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnFormatting
import Elevation
import StrictYAML
import SystemIO

extension ManifestReader {
  /// A list of folders, or a mapping of such a list and of how elevations are cleaned.
  func elevation(_ value: YAMLValue?, _ output: String)
    -> ([Manifest.ElevationFolder], Manifest.ElevationOptions)
  {
    guard let value, case .mapping = value.node.content, let reader = value.mapping() else {
      return (elevationFolders(value, output), .init())
    }
    let folders = elevationFolders(reader.value("sources"), output)
    let options = Manifest.ElevationOptions(
      smoothingMetres: reader.value("smoothing-metres")?.number(),
      thresholdMetres: reader.value("threshold-metres")?.number(),
      stepMetres: reader.value("step-metres")?.number())
    reader.finish()
    return (folders, options)
  }

  /// The tiles of a region or a source: a list of folders, or `none`; nil if it has no value.
  func ownElevation(_ reader: MappingReader, _ output: String) -> [Manifest.ElevationFolder]? {
    reader.value("elevation").map { isNone($0) ? [] : elevationFolders($0, output) }
  }

  private func elevationFolders(_ value: YAMLValue?, _ output: String) -> [Manifest.ElevationFolder]
  {
    guard let value else { return [] }
    if case .scalar = value.node.content {
      let preset = value.choice().flatMap { name in ElevationPreset.all.first { $0.name == name } }
      return preset.flatMap { tiles($0.url, at: value, output) }.map { [filled($0, by: preset)] }
        ?? []
    }
    let list = value.list() ?? []
    if isList(value), list.isEmpty {
      value.refuse("must list at least one folder of tiles: - { hgt: FOLDER }")
    }
    return list.compactMap { elevationFolder($0, output) }
  }

  private func elevationFolder(_ item: YAMLValue, _ output: String) -> Manifest.ElevationFolder? {
    guard let reader = item.mapping() else { return nil }
    let others = ["url", "raster", "preset"].map { reader.value($0) }
    let (url, raster, presetName) = (others[0], others[1], others[2])
    let mirror = reader.value("mirror")
    let resolution = reader.value("resolution")
    let licence = reader.value("licence")?.text()
    let attribution = reader.value("attribution")?.text()
    let hgt = others.allSatisfy { $0 == nil } ? reader.required("hgt") : reader.value("hgt")
    reader.finish()
    let given = zip(["hgt", "url", "raster", "preset"], [hgt] + others).filter { $0.1 != nil }
    if given.count > 1 {
      given[0].1?.refuse("is not allowed beside \(given[1].0)")
      return nil
    }
    if presetName == nil {
      mirror?.refuse(
        "works only with a preset",
        hint: "give the whole url: "
          + "instead")
    }
    let preset = presetName?.choice().flatMap { name in
      ElevationPreset.all.first { $0.name == name }
    }
    var folder: Manifest.ElevationFolder?
    if let raster {
      folder = raster.text().map { path in
        Manifest.ElevationFolder(
          path: resolved(path), resolution: SampleElevationCommand.standardResolution,
          location: location(raster))
      }
    } else if let presetName, let preset {
      let base = mirror.flatMap { self.url($0, schemes: Self.tileSchemes) }
      folder =
        mirror == nil || base != nil ? tiles(preset.url(on: base), at: presetName, output) : nil
    } else if let url {
      folder = self.url(url, schemes: Self.tileSchemes).flatMap { tiles($0, at: url, output) }
    } else if let hgt {
      folder = hgt.text().map {
        Manifest.ElevationFolder(path: resolved($0), location: location(hgt))
      }
    }
    guard var folder else { return nil }
    if let resolution {
      let chosen = resolution.choice()
      if folder.hasRasters {
        folder.resolution = chosen ?? folder.resolution
      } else {
        resolution.refuse("works only with rasters", hint: "HGT tiles are used unchanged")
      }
    }
    (folder.licence, folder.attribution) = (licence, attribution)
    return filled(folder, by: preset)
  }

  private static let tileSchemes = ["https://", "http://", "file://"]

  /// A folder with the preset's values for those that it lacks.
  private func filled(_ folder: Manifest.ElevationFolder, by preset: ElevationPreset?)
    -> Manifest.ElevationFolder
  {
    guard let preset else { return folder }
    var folder = folder
    folder.preset = preset.name
    folder.licence = folder.licence ?? preset.licence
    folder.attribution = folder.attribution ?? preset.attribution
    return folder
  }

  /// Tiles at a URL, which get a folder among the results.
  private func tiles(_ url: String, at value: YAMLValue, _ output: String)
    -> Manifest.ElevationFolder?
  {
    guard let pattern = TilePattern(url) else {
      value.refuse(
        "must end in the name of a tile: {tile}.hgt, {tile}.hgt.gz, {tile}.hgt.zip or {tile}.tif",
        hint: "{tile} stands for names such as N42E001, {lat-band} for N42, {lon-band} for E001")
      return nil
    }
    let name = String(SHA256Digest.ofText(redactedURL(url)).prefix(16))
    return Manifest.ElevationFolder(
      path: joinPath(output, "\(StoreFolder.tiles)/\(name)"), pattern: pattern,
      resolution: pattern.hasRasters ? SampleElevationCommand.standardResolution : nil,
      location: location(value))
  }
}
