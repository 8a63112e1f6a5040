// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import SystemIO

extension Publisher {
  /// What a run made of a region.
  enum Outcome: Equatable, Sendable {
    /// Its bundle is the one that its inputs give.
    case fresh
    /// There is no new bundle, for a reason.
    case failed(String)
    /// The bundle that the inputs give was rolled back before.
    case held
  }

  /// Why a bundle that was rolled back is not published.
  static let heldReason =
    "the bundle that its inputs give was rolled back; it is published when they change, "
    + "or after cairn rollback --undo"

  /// Said beside another reason why the bundle that the inputs give is not published.
  static let rolledBack = "an earlier bundle is published since cairn rollback"

  /// Brings `index.json` up to date: the regions of this run as they are now, the manifest's other
  /// regions as they were, and those of other manifests as their own runs left them.
  func writeIndex(_ manifest: Manifest, _ outcomes: [String: Outcome]) throws {
    let old = IndexRecord(inFolder: output)
    let known = old?.regions ?? []
    let mine = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let own = manifest.regions.compactMap { region in
      entry(region, of: manifest.name, outcomes[region.id], mine[region.id])
    }
    let ids = Set(manifest.regions.map(\.id))
    let left = known.compactMap { entry -> IndexRecord.Region? in
      guard entry.manifest == manifest.name, !ids.contains(entry.id) else { return nil }
      return leftEntry(entry)
    }
    let others = known.filter { $0.manifest != manifest.name && !ids.contains($0.id) }
      .filter { $0.files == nil || published($0.id) != nil }
    // By manifest and then as there, so that it does not matter which of them ran last.
    let groups = Dictionary(grouping: own + left + others) { $0.manifest ?? "" }
    let index = IndexRecord(regions: groups.sorted { $0.key < $1.key }.flatMap(\.value))
    guard index != old else { return }
    let path = joinPath(output, IndexRecord.fileName)
    try checkIndex()
    // Written in the staging folder, where an unfinished file does no harm.
    let staged = joinPath(store.staging, IndexRecord.fileName)
    try write(try encodeJSON(index), to: staged)
    try syncFile(staged)
    try renamePath(staged, to: path)
    try syncFolder(output)
  }

  /// Throws 73 if there is a file under the name of the index that is not one.
  func checkIndex() throws(CairnError) {
    let path = joinPath(output, IndexRecord.fileName)
    guard !pathExists(path) || IndexRecord(inFolder: output) != nil else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "exists and is not a Cairn index",
        at: Location(file: path), hint: "move it away, or choose another output")
    }
  }

  /// What becomes of a region that its manifest does not have any more; nil if there is nothing of it.
  private func leftEntry(_ known: IndexRecord.Region) -> IndexRecord.Region? {
    guard published(known.id) != nil else { return nil }
    var entry = known
    entry.status = .left
    entry.reason = Self.leftReason
    return entry
  }

  private func entry(
    _ region: Manifest.Region, of manifest: String, _ outcome: Outcome?,
    _ known: IndexRecord.Region?
  ) -> IndexRecord.Region? {
    let bundle = published(region.id)
    let record = bundle == nil ? nil : RegionRecord(inFolder: folder(region.id))
    var entry = IndexRecord.Region(
      id: region.id, name: region.name, manifest: manifest, status: .stale, uuid: record?.id,
      boundingBox: record?.boundingBox, dataTimestamp: bundle?.dataTimestamp,
      attribution: bundle?.attribution,
      routingDbFilename: bundle?.routingDatabase, files: bundle?.files, totalBytes: bundle?.bytes)
    switch outcome {
    case .fresh: entry.status = .fresh
    case .failed(let reason):
      entry.status = bundle == nil ? .failed : .stale
      entry.reason = reason
    case .held: entry.reason = Self.heldReason
    case nil:
      guard known != nil || bundle != nil else { return nil }
      // One that came back is as old as it was.
      let status = known?.status ?? .stale
      entry.status = status == .left ? .stale : status
      entry.reason = status == .left ? nil : known?.reason
    }
    return entry
  }
}
