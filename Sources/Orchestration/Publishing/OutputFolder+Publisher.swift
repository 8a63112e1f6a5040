// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests
import Planning
import SystemIO

extension OutputFolder {
  /// The index of its published regions.
  package var index: PublishedIndex { PublishedIndex(path, store) }

  /// Makes the assembler of bundles.
  package var assembler: BundleAssembler {
    BundleAssembler(store: store, digests: digests, shapes: shapes)
  }

  /// Makes the gate for publishing bundles.
  ///
  /// - Parameter regionsWithAcceptedDrift: The regions published regardless of their difference
  ///   from the published version.
  package func gate(regionsWithAcceptedDrift: Set<String>) -> QualityGate {
    QualityGate(
      index: index, digests: digests, regionsWithAcceptedDrift: regionsWithAcceptedDrift)
  }

  /// Makes the publisher of bundles.
  ///
  /// - Parameter keepPrevious: The number of earlier bundles of a region to keep.
  package func publisher(keepPrevious: Int = 1) -> Publisher {
    Publisher(index, digests, keepPrevious: keepPrevious)
  }
}

extension Manifest {
  /// Throws 73 if something in the output folder is in the way of a run, and 78 if another manifest
  /// has one of the regions there.
  package func checkOutput() throws(CairnError) {
    guard !pathExists(output) || folderExists(output) else {
      throw CairnError(
        .outputIsForeign, .cannotCreate, "is a file, but must be a folder",
        at: Location(file: output), hint: "move it away, or choose another output")
    }
    let publisher = OutputFolder(self).publisher()
    try publisher.index.check()
    try publisher.index.checkOwners(self)
    for region in regions { try publisher.checkFolder(region.id) }
  }
}
