// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Manifests
import ResultStore
import SystemIO

/// Puts bundles into the output folder, each atomically.
///
/// A region's folder is assembled under `.cairn/staging`, flushed to disk and then exchanged with
/// the published one: a reader sees the old bundle or the new one, never a mixture. Results of
/// Cairn's stages are hard-linked, not copied. If you change the published file, the result changes
/// and is rebuilt.
package struct Publisher: Sendable {
  /// The published index.
  package var index: PublishedIndex
  /// The earlier bundles.
  package let earlier: EarlierBundles
  package let files: BundleFiles

  /// - Parameter keepPrevious: The number of earlier bundles of a region to keep.
  package init(_ index: PublishedIndex, _ digests: DigestCache, keepPrevious: Int = 1) {
    self.index = index
    files = BundleFiles(store: index.store, digests: digests)
    earlier = EarlierBundles(index: index, files: files, keepPrevious: keepPrevious)
  }

  /// Whether the region's folder contains exactly this bundle already.
  package func isPublished(_ bundle: Bundle) -> Bool {
    guard index.published(bundle.record.id)?.isSame(as: bundle.record) == true else { return false }
    // An unreadable bundle is published again.
    return (try? files.isWhole(index.folder(bundle.record.id), bundle.record)) ?? false
  }

  /// Publishes a bundle of a manifest. Returns a note if the old folder contained foreign files,
  /// which are kept.
  ///
  /// Throws 73 if the region's folder exists but is not a Cairn bundle, and 74 if a result has
  /// changed since its stage wrote it.
  package func publish(_ bundle: Bundle, of manifest: Manifest) throws -> String? {
    let id = bundle.record.id
    let folder = index.folder(id)
    try checkFolder(id)
    let staged = try emptyStaging(id)
    try makeOwnFolder(staged)
    // The record first: if this run is killed, a later one recognizes the folder as Cairn's.
    let recordBytes = try encodeJSON(bundle.record)
    try files.write(recordBytes, to: joinPath(staged, BundleRecord.fileName))
    try files.write(try encodeJSON(bundle.region), to: joinPath(staged, RegionRecord.fileName))
    for (name, product) in bundle.contents {
      var (product, isShared) = (product, bundle.sharedContents.contains(name))
      // What was copied into the present bundle is not copied again.
      let present = joinPath(folder, name)
      if !isShared, files.isRecorded(present, product.record) {
        (product, isShared) = (.init(path: present, record: product.record), true)
      }
      try files.place(product, at: joinPath(staged, name), isShared: isShared)
    }
    try files.flush(staged)
    let isSame = index.published(id)?.isSame(as: bundle.record) == true
    let entry = index.entry(bundle.record, bundle.region, of: manifest.name, .fresh)
    let lost = lostRecord(id)
    var note: String?
    try index.publish(id, as: entry, of: manifest) {
      try files.swap(staged, folder)
      index.remember(bundle.record, recordBytes)
      earlier.accept(id)
      // Before the index names the new bundle, since recovery knows the old one by it. A damaged
      // copy of the same bundle is not kept for a rollback.
      note =
        try isSame || lost != nil
        ? files.discard(staged, id: id, otherwise: lost?.files)
        : earlier.retire(staged, id: id)
    }
    // Only now: a file that loses a name changes its status.
    for (name, record) in bundle.record.files {
      files.digests.remember(record.sha256, ofFile: joinPath(folder, name))
    }
    return note
  }

  /// Removes the published bundle of a region that left the manifest. Returns a note if there were
  /// foreign files in its folder, which are kept elsewhere.
  package func withdraw(_ id: String, of manifest: Manifest) throws -> String? {
    let staged = try emptyStaging(id)
    try index.publish(id, as: nil, of: manifest) { try files.move(index.folder(id), to: staged) }
    return try files.discard(staged, id: id)
  }

  /// Makes the deltas from the last bundles of regions to the published ones, and removes useless
  /// ones. Calls `report` on failure, which is harmless, since whole files always work.
  ///
  /// - Parameters:
  ///   - ids: The regions whose deltas are made.
  ///   - keep: The number of earlier bundles to start from.
  package func updateDeltas(_ ids: [String], keep: Int, report: (_ id: String, CairnError) -> Void)
  {
    let deltas = DeltaFolder(files.store.deltas)
    for id in ids where keep > 0 {
      do {
        try deltas.update(index.folder(id), from: earlier.folders(id).suffix(keep))
      } catch { report(id, asCairnError(error)) }
    }
    guard isRealFolder(files.store.deltas) else { return }
    deltas.prune(
      index.knownRegions().filter { isPlainFileName($0.id) }.map {
        (published: index.folder($0.id), earlier: earlier.folders($0.id))
      })
  }

  /// Throws 73 if a region's folder exists but is not a Cairn bundle.
  package func checkFolder(_ id: String) throws(CairnError) {
    let folder = index.folder(id)
    let isOurs =
      isRealFolder(folder)
      && (index.published(id) != nil || isEmptyFolder(folder) || lostRecord(id) != nil)
    guard !nameExists(folder) || isOurs else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and is not a Cairn bundle",
        at: Location(file: folder), hint: "move it away, or choose another output")
    }
  }

  /// The entry in the index of a region whose published bundle has a damaged or missing record: a file
  /// in its folder is as the index says. Nil for any other folder.
  private func lostRecord(_ id: String) -> IndexRecord.Region? {
    guard index.published(id) == nil, let entry = index.entry(id) else { return nil }
    let folder = index.folder(id)
    return (entry.files ?? [:]).contains { name, record in
      isPlainFileName(name) && files.isRecorded(joinPath(folder, name), record)
    } ? entry : nil
  }

  private func isEmptyFolder(_ path: String) -> Bool {
    (try? folderContents(path))?.isEmpty ?? false
  }
}
