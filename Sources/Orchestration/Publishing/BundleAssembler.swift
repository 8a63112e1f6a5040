// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Manifests
import ResultStore
import SystemIO
import TrailData

/// A bundle for publishing.
package struct Bundle: Sendable {
  package let region: RegionRecord
  package let record: BundleRecord
  /// The results that become its files, by file name.
  package let contents: [String: FinishedAction.Product]
  /// The names of files written only by Cairn's stages, which need not be copied: damage to the file
  /// of a user must not reach the bundle, nor the other way round.
  let sharedContents: Set<String>
}

/// Assembles bundles from results: the names of their files, and the content of their records.
/// Nothing is written.
package struct BundleAssembler: Sendable {
  let store: ActionStore
  let digests: DigestCache
  let shapes: RegionShapes
  /// What was read ahead of databases, by path.
  let facts = Monitor<[String: DatabaseFacts]>([:])

  /// The names of a bundle's files.
  private struct Names {
    let stem: String
    var database: String { "\(stem).routing.db" }
    var waypoints: String { "\(stem).waypoints.db" }
    var places: String { "\(stem).places.db" }
    var baseMap: String { "\(stem).mbtiles" }

    func database(_ variant: String) -> String {
      Manifest.Variant(name: variant, profiles: []).databaseName(stem: stem)
    }

    func tiles(_ layer: TileLayer) -> String { "\(stem).\(layer.fileExtension)" }
  }

  /// The bundle of a region. Throws 65, 66 or 74 if a result or a base map cannot be read.
  package func bundle(_ parts: BundleParts) throws -> Bundle {
    let names = Names(stem: parts.manifest.databaseStem(of: parts.region))
    let own = try contents(parts, names)
    var contents = own
    for action in parts.further { contents.merge(action.products) { first, _ in first } }
    contents = try contents.mapValues { product in
      guard product.record.isOfContainer else { return product }
      return FinishedAction.Product(path: product.path, record: try FileRecord(of: product.path))
    }
    var region = try regionRecord(parts, names, contents)
    let databases =
      (parts.database.map { [(names.database, $0)] } ?? [])
      + parts.variants.map { (names.database($0.key), $0.value) }.sorted { $0.0 < $1.0 }
    var provenance = try provenance(parts, databases)
    let baseMap = try describe(parts.region, &region, contents[names.baseMap], names.baseMap)
    if let baseMap {
      provenance.licences.append(.init(source: baseMap.name, attribution: baseMap.attribution))
    }
    region.attribution = provenance.attribution
    var record = try bundleRecord(parts, region, contents)
    record.provenance = provenance
    record.attribution = provenance.attribution
    record.baseMap = baseMap
    return Bundle(
      region: region, record: record, contents: contents,
      sharedContents: Set(own.keys).subtracting([names.baseMap]))
  }

  /// The results of Cairn's stages, and the base map, by the names of their files.
  private func contents(_ parts: BundleParts, _ names: Names) throws
    -> [String: FinishedAction.Product]
  {
    var contents: [String: FinishedAction.Product] = [:]
    if let database = parts.database { contents[names.database] = database.main }
    for (variant, action) in parts.variants { contents[names.database(variant)] = action.main }
    if let waypoints = parts.waypoints { contents[names.waypoints] = waypoints.main }
    if let places = parts.places { contents[names.places] = places.main }
    for (layer, action) in parts.tiles { contents[names.tiles(layer)] = action.main }
    if let map = parts.region.baseMap {
      contents[names.baseMap] = FinishedAction.Product(
        path: map.path,
        record: FileRecord(
          bytes: try InputFile(map.path).size, sha256: try digests.digest(ofFile: map.path)))
    }
    return contents
  }

  /// `region.json`, without the additions of the base map.
  private func regionRecord(
    _ parts: BundleParts, _ names: Names, _ contents: [String: FinishedAction.Product]
  ) throws -> RegionRecord {
    let region = parts.region
    var record = RegionRecord(
      uuid: parts.manifest.uuid(of: region), manifestId: region.id, name: region.name,
      box: try shapes.extent(region.shape), dataTimestamp: parts.data?.dataTimestamp,
      fileSizeBytes: contents.values.reduce(0) { $0 &+ $1.record.bytes },
      routingDbFilename: names.database)
    record.hasRoutingData = parts.database != nil
    if parts.waypoints != nil { record.waypointsDbFilename = names.waypoints }
    if parts.places != nil { record.placesDbFilename = names.places }
    for layer in parts.tiles.keys { record.setFilename(names.tiles(layer), of: layer.kind) }
    if !parts.variants.isEmpty {
      record.variants = parts.variants.keys.reduce(into: [:]) { $0[$1] = names.database($1) }
    }
    return record
  }

  /// `bundle.json`, without the provenance of its content.
  private func bundleRecord(
    _ parts: BundleParts, _ region: RegionRecord, _ contents: [String: FinishedAction.Product]
  ) throws -> BundleRecord {
    let (source, validation) = (parts.source, parts.findings.database)
    let bytes = try encodeJSON(region)
    let digest = SHA256Digest()
    digest.update(bytes)
    let files = [RegionRecord.fileName: FileRecord(bytes: bytes.count, sha256: digest.finish())]
    var record = BundleRecord(
      id: parts.region.id, name: parts.region.name, generator: "cairn \(cairnVersion)",
      licence: Provenance.licence, attribution: Provenance.attribution,
      source: .init(
        name: source.fileName,
        sha256: try parts.sourceDigest ?? source.sha256 ?? digests.digest(ofFile: source.path),
        url: source.publicURL,
        changes: parts.data?.changes?.map { .init(name: $0.name, sha256: $0.sha256) }),
      dataTimestamp: parts.data?.dataTimestamp,
      counts: .init(
        nodes: validation?.nodes ?? 0, edges: validation?.edges ?? 0,
        components: validation?.components ?? 0),
      elevationCoverage: validation?.elevationCoverage ?? 0, variants: region.variants,
      files: contents.mapValues(\.record).merging(files) { $1 })
    record.safety = validation?.safety
    return record
  }

  /// Adds a region's base map to its record, and returns the map's source; nil if there is none.
  private func describe(
    _ region: Manifest.Region, _ record: inout RegionRecord, _ product: FinishedAction.Product?,
    _ name: String
  ) throws -> BundleRecord.BaseMapSource? {
    guard let file = region.baseMap, let product else { return nil }
    let map = try BaseMap(file.path, covering: shapes.extent(region.shape))
    record.baseMapFilename = name
    record.zoomLevels = [map.zooms.lowerBound, map.zooms.upperBound]
    (record.minZoom, record.maxZoom) = (map.zooms.lowerBound, map.zooms.upperBound)
    record.tileCount = map.tileCount
    return BundleRecord.BaseMapSource(
      name: splitPath(file.path).name, sha256: product.record.sha256, title: map.name,
      attribution: map.attribution, format: map.format, missingTiles: map.missingTiles)
  }
}
