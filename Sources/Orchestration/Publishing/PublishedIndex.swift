// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import FoundationEssentials
import Glibc
import Manifests
import ResultStore
import SystemIO

/// The published content of an output folder: the bundles, and `index.json`, which names them.
///
/// Several manifests may share an output folder. Each region belongs to the manifest named by the
/// index.
package struct PublishedIndex: Sendable {
  /// The outcome of a run for a region.
  package enum Outcome: Equatable, Sendable {
    /// Its bundle is the one for its inputs.
    case fresh
    /// There is no new bundle, for this reason.
    case failed(String)
    /// The bundle for its inputs is held back, for this reason.
    case held(String)
  }

  /// Added to another reason why the bundle for the inputs is not published.
  package static let rolledBack = "an earlier bundle is published since cairn rollback"

  /// The reason why a region published from its inputs is not fresh.
  package static let unlistedReason =
    "index.json does not match the published bundle: a run was interrupted, or the file was "
    + "changed; the next run writes it again"

  /// The reason why a region stays that left its manifest.
  package static let leftReason =
    "no longer in its manifest; the bundle stays until cairn gc removes it"

  /// The output folder.
  package let output: String
  let store: ActionStore
  /// The current names of renamed manifests, by their former ones in the index.
  package var formerNames: [String: String] = [:]
  /// The least number of seconds between two versions of the index while regions are published: with
  /// thousands of them, each version has megabytes. More than 0 only if ``write(_:_:)`` follows.
  package var secondsBetweenWrites = 0.0
  /// When the index was written last, and what has changed since, by region.
  private let unwritten = Monitor<(since: Double, entries: [String: IndexRecord.Region?])>(
    (-.infinity, [:]))
  /// Serializes writing the index.
  private let lock = KeyedLock<String>()
  /// The index that was read or written last, and its bytes: to decode it for each of many regions
  /// would take longer than to publish them.
  private let last = Monitor<(bytes: [UInt8], index: IndexRecord)?>(nil)
  /// The same for the records of bundles, by the id of the region.
  private let bundles = Monitor<[String: (bytes: [UInt8], record: BundleRecord)]>([:])
  private let encoder = IndexEncoder()

  package init(_ output: String, _ store: ActionStore) {
    self.output = output
    self.store = store
  }

  /// The folder of a region.
  package func folder(_ id: String) -> String { joinPath(output, id) }

  /// The record of the currently published bundle, if any.
  package func published(_ id: String) -> BundleRecord? {
    guard let bytes = BundleRecord.bytes(inFolder: folder(id)) else { return nil }
    if let last = bundles.access({ $0[id] }), last.bytes == bytes { return last.record }
    guard let record = try? BundleRecord(json: Data(bytes)) else { return nil }
    remember(record, bytes)
    return record
  }

  /// The entry of a region in `index.json`.
  func entry(_ id: String) -> IndexRecord.Region? { current()?.regions.first { $0.id == id } }

  /// Keeps a record that was read or written, so that it need not be decoded again.
  func remember(_ record: BundleRecord, _ bytes: [UInt8]) {
    bundles.access { $0[record.id] = (bytes, record) }
  }

  /// Updates `index.json`: the regions of this run as they are now, the manifest's other regions
  /// unchanged, and those of other manifests as their own runs left them.
  ///
  /// It contains published regions. Those not yet published are in a record of the same format in
  /// the store.
  package func write(_ manifest: Manifest, _ outcomes: [String: Outcome]) throws {
    try lock.withLock([output]) {
      let known = knownRegions()
      let mine = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
      let ids = Set(manifest.regions.map(\.id))
      let own = manifest.regions.compactMap { region in
        entry(region, of: manifest.name, outcomes[region.id], mine[region.id])
      }
      let left = known.compactMap { entry -> IndexRecord.Region? in
        guard entry.manifest == manifest.name, !ids.contains(entry.id) else { return nil }
        return leftEntry(entry)
      }
      let others = known.filter { $0.manifest != manifest.name && !ids.contains($0.id) }
        .compactMap { known -> IndexRecord.Region? in
          let entry = described(known)
          return entry.files == nil && known.files != nil ? nil : entry
        }
      let regions = own + left + others
      try writeUnpublished(regions.filter { $0.files == nil })
      try check(acceptsDamage: false)
      let published = regions.filter { $0.files != nil }
      if let staged = try stageIndex(published, manifest) {
        try renamePath(staged, to: joinPath(output, IndexRecord.fileName))
        try syncFolder(output)
      }
      try keepCopy()
      unwritten.access { $0 = (-.infinity, [:]) }
      unlink(outdatedMark)
    }
  }

  /// Keeps a copy of the index in the store, for ``mend(report:)``.
  private func keepCopy() throws(CairnError) {
    guard let bytes = IndexRecord.bytes(inFolder: output),
      bytes != IndexRecord.bytes(inFolder: store.published)
    else { return }
    try makeOwnFolder(store.published)
    try writeCacheFile(bytes, to: joinPath(store.published, IndexRecord.fileName))
  }

  /// Changes the published bundle of a region, and immediately the index. A run killed between the
  /// two leaves an outdated index, with the new one in the staging folder, from which the next run
  /// and `cairn bundle verify` recognize this. See ``secondsBetweenWrites``.
  ///
  /// - Parameters:
  ///   - entry: The new index entry of the region; nil if it is no longer published.
  ///   - change: The change, in one step.
  package func publish(
    _ id: String, as entry: IndexRecord.Region?, of manifest: Manifest, _ change: () throws -> Void
  ) throws {
    try lock.withLock([output]) {
      let path = joinPath(output, IndexRecord.fileName)
      var (since, changes) = unwritten.access { $0 }
      changes.updateValue(entry, forKey: id)
      let now = monotonicSeconds()
      guard now - since >= secondsBetweenWrites else {
        if changes.count == 1 {
          try AtomicOutput.write([], to: outdatedMark, flushing: true) { _ in false }
        }
        try change()
        unwritten.access { $0.entries = changes }
        return try syncFolder(output)
      }
      let old = current()
      // A file that is not an index is left alone and reported at the end of the run.
      guard old != nil || !nameExists(path) else {
        try change()
        return try syncFolder(output)
      }
      let others = (old?.regions ?? []).filter { !changes.keys.contains($0.id) }
      let staged = try stageIndex(others + changes.values.compactMap { $0 }, manifest)
      try change()
      if let staged { try renamePath(staged, to: path) }
      unwritten.access { $0 = (now, [:]) }
      try syncFolder(output)
    }
  }

  /// The entry of a region with these records.
  package func entry(
    _ record: BundleRecord, _ region: RegionRecord?, of manifest: String,
    _ status: IndexRecord.Region.Status, _ reason: String? = nil
  ) -> IndexRecord.Region {
    var entry = IndexRecord.Region(
      id: record.id, name: record.name, manifest: manifest, status: status, reason: reason)
    entry.describe(record, region)
    return entry
  }

  /// A file that says that the index does not name all bundles that were published.
  var outdatedMark: String { joinPath(store.staging, "index.outdated") }

  /// Writes an index to the staging folder, where an unfinished file does no harm, and returns its
  /// path; nil if the current index is equal.
  private func stageIndex(_ regions: [IndexRecord.Region], _ manifest: Manifest) throws -> String? {
    let order = Dictionary(manifest.regions.enumerated().map { ($1.id, $0) }) { first, _ in first }
    // By manifest and then in its order, so that the order of runs does not matter.
    let groups = Dictionary(grouping: regions) { $0.manifest ?? "" }.sorted { $0.key < $1.key }
    let sorted = groups.flatMap { name, regions in
      name == manifest.name
        ? regions.enumerated().sorted {
          (order[$0.element.id] ?? .max, $0.offset) < (order[$1.element.id] ?? .max, $1.offset)
        }.map(\.element) : regions
    }
    let index = IndexRecord(regions: sorted, of: manifest.name)
    guard index != current() else { return nil }
    let staged = joinPath(store.staging, IndexRecord.fileName)
    let bytes = try encoder.encode(index)
    try AtomicOutput.write(bytes, to: staged, flushing: false) { _ in true }
    try syncFile(staged)
    last.access { $0 = (bytes, index) }
    return staged
  }

  /// The index of the output folder; nil if there is none.
  private func current() -> IndexRecord? {
    guard let bytes = IndexRecord.bytes(inFolder: output) else { return nil }
    return last.access { last in
      if let last, last.bytes == bytes { return last.index }
      guard let index = try? IndexRecord(json: bytes) else { return nil }
      last = (bytes, index)
      return index
    }
  }

  /// Records the regions not yet published by any run.
  private func writeUnpublished(_ regions: [IndexRecord.Region]) throws(CairnError) {
    let old = IndexRecord(inFolder: store.root)
    guard regions != old?.regions ?? [] else { return }
    try writeCacheFile(
      try encodeJSON(IndexRecord(regions: regions, of: "")),
      to: joinPath(store.root, IndexRecord.fileName))
  }

  /// The regions of all manifests with this output, published or not, as they were recorded last.
  package func knownRegions() -> [IndexRecord.Region] {
    let published = (current() ?? copyOfDamaged())?.regions ?? []
    let ids = Set(published.map(\.id))
    let others = IndexRecord(inFolder: store.root)?.regions.filter { !ids.contains($0.id) } ?? []
    return (published + others).map { region in
      var region = region
      if let name = region.manifest, let present = formerNames[name] { region.manifest = present }
      return region
    }
  }

  /// Throws 73 if a file with the name of the index is not one.
  ///
  /// - Parameter acceptsDamage: Whether it may be one that a run writes again.
  package func check(acceptsDamage: Bool = true) throws(CairnError) {
    let path = joinPath(output, IndexRecord.fileName)
    guard !pathExists(path) || current() != nil || acceptsDamage && copyOfDamaged() != nil else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and is not a Cairn index",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
  }

  /// Throws 78 if a region of a manifest belongs to another manifest with the same output, and 73
  /// if one is published but the index with its owner cannot be read.
  package func checkOwners(_ manifest: Manifest) throws(CairnError) {
    for region in manifest.regions where published(region.id) != nil {
      try check()
      break
    }
    let owners = Dictionary(
      knownRegions().filter { $0.status != .left && (isPublished($0) || hasLostRecord($0)) }.map {
        ($0.id, $0.manifest)
      }
    ) { first, _ in first }
    for region in manifest.regions {
      guard let owner = owners[region.id] ?? nil, owner != manifest.name else { continue }
      throw CairnError(
        "region-of-other-manifest", .configuration,
        "the region “\(region.id)” of the manifest “\(manifest.name)” also belongs to the manifest "
          + "“\(owner)”, which has the same output", at: region.location,
        hint:
          "give one of them another id or output; if “\(owner)” no longer has it, run that "
          + "manifest first; if this manifest had that name, run cairn gc --former-name "
          + "“\(owner)”")
    }
  }

  /// The regions that left a manifest but still have bundles, in alphabetical order.
  package func leftRegions(_ manifest: Manifest) -> [IndexRecord.Region] {
    let ids = Set(manifest.regions.map(\.id))
    return knownRegions().filter { entry in
      entry.manifest == manifest.name && !ids.contains(entry.id) && isPublished(entry)
    }.sorted { $0.id < $1.id }
  }

  /// The ids of the regions of other manifests with the same output.
  package func regionsOfOthers(_ manifest: Manifest) -> Set<String> {
    Set(knownRegions().filter { $0.manifest != manifest.name && $0.status != .left }.map(\.id))
  }

  /// Whether there is a bundle of a region in the index.
  func isPublished(_ entry: IndexRecord.Region) -> Bool {
    isPlainFileName(entry.id) && published(entry.id)?.id == entry.id
  }

  /// The entry of a region that left its manifest; nil if nothing of it remains.
  private func leftEntry(_ known: IndexRecord.Region) -> IndexRecord.Region? {
    var entry = described(known)
    guard entry.files != nil else { return nil }
    entry.status = .left
    entry.reason = Self.leftReason
    return entry
  }

  /// Whether the bundle of an entry is there except for its record, which is damaged or missing: then
  /// the entry is all that tells whose it is.
  private func hasLostRecord(_ entry: IndexRecord.Region) -> Bool {
    guard isPlainFileName(entry.id), published(entry.id) == nil, isRealFolder(folder(entry.id))
    else { return false }
    return (entry.files ?? [:]).contains { name, record in
      isPlainFileName(name) && isFile(joinPath(folder(entry.id), name), ofBytes: record.bytes)
    }
  }

  /// An entry updated from the currently published bundle.
  func described(_ known: IndexRecord.Region) -> IndexRecord.Region {
    if hasLostRecord(known) {
      var entry = known
      entry.status = .stale
      return entry
    }
    guard isPlainFileName(known.id), let bundle = published(known.id), bundle.id == known.id else {
      return IndexRecord.Region(
        id: known.id, name: known.name, manifest: known.manifest, status: .failed,
        reason: known.reason)
    }
    var entry = known
    if entry.status == .failed { entry.status = .stale }
    entry.describe(bundle, RegionRecord(inFolder: folder(known.id)))
    return entry
  }

  private func entry(
    _ region: Manifest.Region, of manifest: String, _ outcome: Outcome?,
    _ known: IndexRecord.Region?
  ) -> IndexRecord.Region? {
    var entry = described(
      known.flatMap { hasLostRecord($0) ? $0 : nil }
        ?? IndexRecord.Region(id: region.id, name: region.name, manifest: manifest, status: .stale))
    let hasBundle = entry.files != nil
    switch outcome {
    case .fresh: entry.status = .fresh
    case .failed(let reason), .held(let reason): entry.reason = reason
    case nil:
      guard known != nil || hasBundle else { return nil }
      // One that came back is as old as before.
      let status = known?.status ?? .stale
      if hasBundle { entry.status = status == .left || status == .failed ? .stale : status }
      entry.reason = status == .left ? nil : known?.reason
    }
    return entry
  }
}
