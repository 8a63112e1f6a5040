// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Several manifests may have one output folder. Each region belongs to the manifest that the index
/// names.
extension Publisher {
  /// Why a region stays that its manifest does not have any more.
  static let leftReason =
    "its manifest does not have it any more; the bundle stays until cairn gc removes it"

  /// Throws 78 if a region of a manifest belongs to another manifest with the same output, and 73 if
  /// one is published and the index cannot be read that says whose it is.
  func checkOwners(_ manifest: Manifest) throws(CairnError) {
    for region in manifest.regions where published(region.id) != nil {
      try checkIndex()
      break
    }
    let owners = Dictionary(
      knownRegions().filter { $0.status != .left && isPublished($0) }.map { ($0.id, $0.manifest) }
    ) { first, _ in first }
    for region in manifest.regions {
      guard let owner = owners[region.id] ?? nil, owner != manifest.name else { continue }
      throw CairnError(
        "region-of-other-manifest", .configuration,
        "the region “\(region.id)” of the manifest “\(manifest.name)” is also one of the manifest "
          + "“\(owner)”, which has the same output", at: region.location,
        hint:
          "give one of them another id or output; if “\(owner)” has it no more, run that first; "
          + "if this manifest was called that before, say so: cairn gc --former-name “\(owner)”")
    }
  }

  /// The regions that a manifest had, and of which there still are bundles, in alphabetical order.
  func leftRegions(_ manifest: Manifest) -> [IndexRecord.Region] {
    let ids = Set(manifest.regions.map(\.id))
    return knownRegions().filter { entry in
      entry.manifest == manifest.name && !ids.contains(entry.id) && isPublished(entry)
    }.sorted { $0.id < $1.id }
  }

  /// The ids of the regions of other manifests with the same output.
  func regionsOfOthers(_ manifest: Manifest) -> Set<String> {
    Set(knownRegions().filter { $0.manifest != manifest.name && $0.status != .left }.map(\.id))
  }

  /// Whether there is a bundle of a region in the index.
  private func isPublished(_ entry: IndexRecord.Region) -> Bool {
    isPlainFileName(entry.id) && published(entry.id)?.id == entry.id
  }
}
