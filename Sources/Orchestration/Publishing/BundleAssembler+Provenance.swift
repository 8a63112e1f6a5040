// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnSQLiteKit
import Manifests
import ResultStore
import SystemIO
import TrailData

/// What the record of a bundle has from a routing database.
struct DatabaseFacts: Sendable {
  var profiles: [(name: String, sha256: String)] = []
  /// The elevation tiles that it is made from.
  var elevationTiles: [String] = []

  /// Reads a database. Throws SQLite's errors, since a truncated list would pass for a whole one.
  init(_ path: String) throws(CairnError) {
    let connection = try SQLiteConnection(path, .readOnly)
    defer { connection.close() }
    let profile = try connection.prepare(
      "SELECT name, fingerprint FROM routing_profiles ORDER BY id")
    while try profile.step() { profiles.append((profile.text(0) ?? "", profile.text(1) ?? "")) }
    let source = try connection.prepare(
      "SELECT value FROM routing_metadata WHERE key = 'elevation_source'")
    guard try source.step() else { return }
    elevationTiles = (source.text(0) ?? "").split(separator: ",").map(String.init)
      .filter { $0 != "none" }
  }
}

extension BundleAssembler {
  /// Reads ahead what the record of a bundle will have from a routing database. An error is not
  /// kept: ``bundle(_:)`` reads again, and throws it.
  package func prepare(database path: String) {
    guard let read = try? DatabaseFacts(path) else { return }
    facts.access { $0[path] = read }
  }

  private func facts(of path: String) throws(CairnError) -> DatabaseFacts {
    if let known = facts.access({ $0.removeValue(forKey: path) }) { return known }
    return try DatabaseFacts(path)
  }

  /// Describes the inputs of a region's bundle.
  ///
  /// - Parameter databases: The routing databases with their names, the main one first.
  func provenance(_ parts: BundleParts, _ databases: [(String, FinishedAction)]) throws
    -> BundleProvenance
  {
    let (region, manifest) = (parts.region, parts.manifest)
    var provenance = BundleProvenance()
    var tiles: [String] = []
    for (name, action) in databases {
      let facts = try facts(of: action.product)
      provenance.profiles += facts.profiles.map {
        .init(database: name, name: $0.name, sha256: $0.sha256)
      }
      if action.product == parts.database?.product { tiles = facts.elevationTiles }
    }
    if databases.isEmpty, let elevated = parts.elevated {
      tiles = try Provenance.ofContainer(elevated.product)?.elevationTiles ?? []
    }
    let used = tiles.flatMap { name in
      let folders = self.folders(of: name, parts)
      return (folders.isEmpty ? [nil] : folders).map { (name: name, folder: $0) }
    }
    provenance.elevation = try used.map { name, folder in
      guard let folder else { return .init(name: name) }
      return try tile(name, folder, parts)
    }
    provenance.shape = try shape(of: region)
    provenance.stageInputs = parts.further.flatMap(stageInputs)
    provenance.licences = [
      .init(
        source: "OpenStreetMap", licence: Provenance.licence, attribution: Provenance.attribution)
    ]
    // Pictures of the terrain reach further than the ways.
    let drawn =
      parts.tiles.keys.contains { $0.kind.isTerrain } ? manifest.drawnElevation(of: region) : []
    for folder in manifest.elevation(of: region)
    where drawn.contains(folder) || used.contains(where: { $0.folder == folder }) {
      provenance.licences.append(
        .init(
          source: folder.name, licence: folder.licence,
          attribution: folder.attribution))
    }
    return provenance
  }

  /// The folders from which a tile is taken: the first one that has it, and any rasters before it,
  /// which blend into later ones.
  private func folders(of tile: String, _ parts: BundleParts) -> [Manifest.ElevationFolder?] {
    guard isPlainFileName(tile) else { return [] }
    var found: [Manifest.ElevationFolder] = []
    for (number, folder) in parts.manifest.elevation(of: parts.region).enumerated() {
      if folder.hasRasters {
        if parts.elevationTiles[number]?[tile] != nil { found.append(folder) }
      } else if isFile(joinPath(folder.path(for: parts.region), tile)) {
        return found + [folder]
      }
    }
    return found
  }

  private func tile(_ name: String, _ folder: Manifest.ElevationFolder, _ parts: BundleParts) throws
    -> BundleProvenance.Tile
  {
    let number = parts.manifest.elevation(of: parts.region).firstIndex(of: folder)
    if folder.hasRasters, let made = number.flatMap({ parts.elevationTiles[$0]?[name] }) {
      return .init(
        name: name, folder: folder.name, bytes: made.record.bytes, sha256: made.record.sha256)
    }
    let path = joinPath(folder.path(for: parts.region), name)
    return .init(
      name: name, folder: folder.name, bytes: fileSize(path),
      sha256: try digests.digest(ofFile: path))
  }

  private func shape(of region: Manifest.Region) throws -> BundleProvenance.Shape? {
    let feature: Int? = if case .feature(_, let number) = region.shape { number } else { nil }
    guard let path = region.shape.path,
      let corners = try shapes.region(path, feature: feature).name
    else { return nil }
    return BundleProvenance.Shape(name: splitPath(path).name, corners: corners)
  }

  /// The files that a stage read in addition to the result of an earlier stage, by its key.
  private func stageInputs(_ action: FinishedAction) -> [BundleProvenance.StageInput] {
    let command = store.command(inFolder: action.folder)
    return action.components.filter { component in
      ["input ", "file "].contains(where: component.name.hasPrefix)
    }.map { .init(stage: command?.stage ?? "", input: $0.name, sha256: $0.value) }
  }
}
