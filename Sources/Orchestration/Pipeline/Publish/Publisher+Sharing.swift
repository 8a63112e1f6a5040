// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Several manifests may have one output folder. Each region belongs to the manifest that the index
/// names.
extension Publisher {
  /// Why a region stays that its manifest does not have any more.
  static let leftReason =
    "its manifest does not have it any more; the bundle stays until cairn gc removes it"

  /// Throws 78 if a region of a manifest belongs to another manifest with the same output.
  func checkOwners(_ manifest: Manifest) throws(CairnError) {
    let index = IndexRecord(inFolder: output)
    let owners = Dictionary(
      (index?.regions ?? []).filter { $0.status != .left }.map { ($0.id, $0.manifest) }
    ) { first, _ in first }
    for region in manifest.regions {
      guard let owner = owners[region.id] ?? nil, owner != manifest.name else { continue }
      throw CairnError(
        "region-of-other-manifest", .configuration,
        "the region “\(region.id)” of the manifest “\(manifest.name)” is also one of the manifest "
          + "“\(owner)”, which has the same output", at: region.location,
        hint: "give one of them another id or output; if “\(owner)” has it no more, run that first")
    }
  }

  /// The regions that a manifest had, and of which there still are bundles, in alphabetical order.
  func leftRegions(_ manifest: Manifest) -> [IndexRecord.Region] {
    let ids = Set(manifest.regions.map(\.id))
    let known = IndexRecord(inFolder: output)?.regions ?? []
    return known.filter { entry in
      entry.manifest == manifest.name && !ids.contains(entry.id) && isPlainFileName(entry.id)
        && published(entry.id)?.id == entry.id
    }.sorted { $0.id < $1.id }
  }

  /// The ids of the regions of other manifests with the same output.
  func regionsOfOthers(_ manifest: Manifest) -> Set<String> {
    let known = IndexRecord(inFolder: output)?.regions ?? []
    return Set(known.filter { $0.manifest != manifest.name && $0.status != .left }.map(\.id))
  }
}
