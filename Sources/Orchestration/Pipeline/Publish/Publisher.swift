// SPDX-License-Identifier: Apache-2.0
import CLinux
import CommandLineKit
import Diagnostics
import Glibc
import SystemIO
import TrailData

/// Puts bundles into the output folder, each atomically.
///
/// A region's folder is assembled under `.cairn/staging`, flushed to the disk and then exchanged
/// with the published one: a reader sees the old bundle or the new one, never a mixture. Results of
/// Cairn's stages are not copied: the file gets a second name. Who changes the published file changes
/// the result, which is then made again.
struct Publisher: Sendable {
  /// A bundle to be published.
  struct Bundle: Sendable {
    let region: RegionRecord
    let record: BundleRecord
    /// The results that become its files, by file name.
    let contents: [String: FinishedAction.Product]
    /// The names of those that only Cairn's stages write, so that they need not be copied.
    var sharedContents: Set<String> = []
  }

  let output: String
  let store: ActionStore
  let digests: DigestCache
  let shapes: RegionShapes
  /// How many earlier bundles of a region are kept.
  var keepPrevious = 1
  /// The regions that are published however much they differ from what is published now.
  var regionsWithAcceptedDrift: Set<String> = []
  /// The present names of manifests, by their former ones: what the index says of the regions of a
  /// manifest that was renamed.
  var formerNames: [String: String] = [:]
  /// Lets one thread at a time write the index.
  let indexLock = KeyedLock<String>()

  /// The folder of a region.
  func folder(_ id: String) -> String { joinPath(output, id) }

  /// The record of the bundle that is published now, if there is one.
  func published(_ id: String) -> BundleRecord? { BundleRecord(inFolder: folder(id)) }

  /// Describes a region's bundle.
  ///
  /// - Parameters:
  ///   - sourceDigest: The digest of the source that was decoded; the file may be another one by now.
  ///   - data: Where the decoded data came from, if that is known. Its time is that of the last change
  ///     that was applied to the region.
  func bundle(
    _ region: Manifest.Region, of manifest: Manifest, source: Manifest.Source,
    sourceDigest: String?, data: Provenance?, database: FinishedAction,
    variants: [String: FinishedAction] = [:],
    waypoints: FinishedAction? = nil, places: FinishedAction? = nil,
    tiles: [TileLayer: FinishedAction] = [:], further: [FinishedAction],
    validation: ValidatorFindings
  ) throws -> Bundle {
    let stem = manifest.databaseStem(of: region)
    let name = { (variant: String) in
      Manifest.Variant(name: variant, profiles: []).databaseName(stem: stem)
    }
    let databaseName = "\(stem).routing.db"
    let waypointsName = waypoints.map { _ in "\(stem).waypoints.db" }
    let placesName = places.map { _ in "\(stem).places.db" }
    var contents = [databaseName: database.main]
    for (variant, action) in variants { contents[name(variant)] = action.main }
    if let waypointsName { contents[waypointsName] = waypoints?.main }
    if let placesName { contents[placesName] = places?.main }
    let tileName = { (layer: TileLayer) in "\(stem).\(layer.fileExtension)" }
    for (layer, action) in tiles { contents[tileName(layer)] = action.main }
    let baseMapName = "\(stem).mbtiles"
    if let map = region.baseMap {
      contents[baseMapName] = FinishedAction.Product(
        path: map.path,
        record: FileRecord(
          bytes: try InputFile(map.path).size, sha256: try digests.digest(ofFile: map.path)))
    }
    let shared = Set(contents.keys)
    for action in further { contents.merge(action.products) { first, _ in first } }
    contents = try contents.mapValues { product in
      guard product.record.isOfContainer else { return product }
      return FinishedAction.Product(path: product.path, record: try FileRecord(of: product.path))
    }
    var regionRecord = RegionRecord(
      uuid: manifest.uuid(of: region), manifestId: region.id, name: region.name,
      box: try shapes.extent(region.shape), dataTimestamp: data?.dataTimestamp,
      fileSizeBytes: contents.values.reduce(0) { $0 &+ $1.record.bytes },
      routingDbFilename: databaseName)
    let databases =
      [(databaseName, database)] + variants.map { (name($0.key), $0.value) }.sorted { $0.0 < $1.0 }
    var provenance = try provenance(
      region, of: manifest, databases, further, tiles: Array(tiles.keys))
    let baseMap = try describe(region, &regionRecord, contents[baseMapName], baseMapName)
    if let baseMap {
      provenance.licences.append(.init(source: baseMap.name, attribution: baseMap.attribution))
    }
    regionRecord.attribution = provenance.attribution
    regionRecord.waypointsDbFilename = waypointsName
    regionRecord.placesDbFilename = placesName
    for layer in tiles.keys { regionRecord.setFilename(tileName(layer), of: layer.kind) }
    regionRecord.variants =
      variants.isEmpty ? nil : variants.keys.reduce(into: [:]) { $0[$1] = name($1) }
    let regionBytes = try encodeJSON(regionRecord)
    let regionDigest = SHA256Digest()
    regionDigest.update(regionBytes)
    var record = BundleRecord(
      id: region.id, name: region.name,
      source: .init(
        name: source.fileName,
        sha256: try sourceDigest ?? source.sha256 ?? digests.digest(ofFile: source.path),
        url: source.publicURL,
        changes: data?.changes?.map { .init(name: $0.name, sha256: $0.sha256) }),
      dataTimestamp: data?.dataTimestamp,
      counts: .init(
        nodes: validation.nodes, edges: validation.edges, components: validation.components),
      elevationCoverage: validation.elevationCoverage, variants: regionRecord.variants,
      files: contents.mapValues(\.record).merging([
        RegionRecord.fileName: FileRecord(
          bytes: regionBytes.count, sha256: regionDigest.finish())
      ]) { $1 })
    record.provenance = provenance
    record.attribution = provenance.attribution
    record.baseMap = baseMap
    return Bundle(
      region: regionRecord, record: record, contents: contents, sharedContents: shared)
  }

  /// Enters a region's base map into its record, and says where it came from; nil if there is none.
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

  /// Whether the region's folder contains exactly this bundle already.
  func isPublished(_ bundle: Bundle) -> Bool {
    guard published(bundle.record.id)?.isSame(as: bundle.record) == true else { return false }
    return isWhole(folder(bundle.record.id), bundle.record)
  }

  /// Whether a folder contains all files of a bundle, unchanged.
  func isWhole(_ folder: String, _ record: BundleRecord) -> Bool {
    record.files.allSatisfy { name, record in
      let path = joinPath(folder, name)
      return isFile(path, ofBytes: record.bytes)
        && (try? digests.digest(ofFile: path)) == record.sha256
    }
  }

  /// Publishes a bundle of a manifest. Returns a note if the old folder contained something that is not Cairn's;
  /// it is kept.
  ///
  /// Throws 73 if the region's folder exists but is not a Cairn bundle, and 74 if a result has
  /// changed since its stage wrote it.
  func publish(_ bundle: Bundle, of manifest: Manifest) throws -> String? {
    let id = bundle.record.id
    let folder = folder(id)
    try checkFolder(id)
    let staged = joinPath(store.staging, id)
    // A run that was killed while it published leaves the new folder or the old one here.
    _ = try discard(staged, id: id)
    try makeOwnFolder(staged)
    // The record first: if this run is killed, a later one knows by it that the folder is Cairn's.
    try write(try encodeJSON(bundle.record), to: joinPath(staged, BundleRecord.fileName))
    try write(try encodeJSON(bundle.region), to: joinPath(staged, RegionRecord.fileName))
    for (name, product) in bundle.contents {
      try place(
        product, at: joinPath(staged, name), isShared: bundle.sharedContents.contains(name))
    }
    try flush(staged)
    let isSame = published(id)?.isSame(as: bundle.record) == true
    let entry = self.entry(bundle.record, bundle.region, of: manifest.name, .fresh)
    try publish(id, as: entry, of: manifest) { try swap(staged, folder) }
    accept(id)
    // A damaged copy of the same bundle is not kept for a rollback.
    let note = try isSame ? discard(staged, id: id) : retire(staged, id: id)
    // Only now: a file that loses a name changes its status.
    for (name, record) in bundle.record.files {
      digests.remember(record.sha256, ofFile: joinPath(folder, name))
    }
    return note
  }

  /// Waits until all files of a folder are on the disk, and their names.
  private func flush(_ folder: String) throws {
    for name in try folderContents(folder) { try syncFile(joinPath(folder, name)) }
    try syncFolder(folder)
  }

  /// Throws 73 if a region's folder exists but is not a Cairn bundle.
  func checkFolder(_ id: String) throws(CairnError) {
    let folder = folder(id)
    let isOurs = isRealFolder(folder) && (published(id) != nil || isEmptyFolder(folder))
    guard !nameExists(folder) || isOurs else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and is not a Cairn bundle",
        at: Location(file: folder), hint: "move it away, or choose another output")
    }
  }

  /// Exchanges two folders, or renames the first one if the second one does not exist.
  func swap(_ staged: String, _ folder: String) throws {
    guard pathExists(folder) else {
      try moveBundle(staged, to: folder)
      return
    }
    if cairn_exchange_paths(staged, folder) == 0 { return }
    guard Self.cannotExchange.contains(errno) else { throw systemFailure(folder, "replace") }
    try replace(folder, with: staged)
  }

  /// What file systems answer that cannot exchange two folders: old and network ones, overlays of
  /// containers, and mounts.
  private static let cannotExchange = [EINVAL, ENOSYS, ENOTSUP, EPERM, EXDEV]

  /// Exchanges two folders in three steps. The region is missing for an instant; if the run is killed
  /// within it, the next run repairs that.
  func replace(_ folder: String, with staged: String) throws {
    let old = staged + ".old"
    _ = try discard(old, id: splitPath(folder).name)
    try moveBundle(folder, to: old)
    do { try moveBundle(staged, to: folder) } catch {
      try moveBundle(old, to: folder)
      throw error
    }
    try moveBundle(old, to: staged)
  }

  /// Writes a file that is flushed later.
  func write(_ bytes: [UInt8], to path: String) throws(CairnError) {
    try AtomicOutput.write(bytes, to: path, flushing: false) { _ in true }
  }

  private func isEmptyFolder(_ path: String) -> Bool {
    (try? folderContents(path))?.isEmpty ?? false
  }
}
