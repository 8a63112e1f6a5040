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

  /// Brings `index.json` up to date: the regions of this run as they are now, the manifest's other
  /// regions as they were.
  func writeIndex(_ manifest: Manifest, _ outcomes: [String: Outcome]) throws {
    let old = IndexRecord(inFolder: output)
    let known = Dictionary((old?.regions ?? []).map { ($0.id, $0) }) { first, _ in first }
    let regions = manifest.regions.compactMap { region in
      entry(region, outcomes[region.id], known[region.id])
    }
    let index = IndexRecord(name: manifest.name, regions: regions)
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

  private func entry(
    _ region: Manifest.Region, _ outcome: Outcome?, _ known: IndexRecord.Region?
  ) -> IndexRecord.Region? {
    let bundle = published(region.id)
    let record = bundle == nil ? nil : RegionRecord(inFolder: folder(region.id))
    var entry = IndexRecord.Region(
      id: region.id, name: region.name, status: .stale, uuid: record?.id,
      boundingBox: record?.boundingBox, dataTimestamp: bundle?.dataTimestamp,
      routingDbFilename: bundle?.routingDatabase, files: bundle?.files, totalBytes: bundle?.bytes)
    switch outcome {
    case .fresh: entry.status = .fresh
    case .failed(let reason):
      entry.status = bundle == nil ? .failed : .stale
      entry.reason = reason
    case .held: entry.reason = Self.heldReason
    case nil:
      guard known != nil || bundle != nil else { return nil }
      entry.status = known?.status ?? .stale
      entry.reason = known?.reason
    }
    return entry
  }
}
