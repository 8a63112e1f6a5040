// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests
import Planning
import SystemIO

extension OutputFolder {
  /// What is published in it.
  package var index: PublishedIndex { PublishedIndex(path, store) }

  /// What makes bundles of results.
  package var assembler: BundleAssembler {
    BundleAssembler(store: store, digests: digests, shapes: shapes)
  }

  /// What decides whether bundles may be published.
  ///
  /// - Parameter regionsWithAcceptedDrift: The regions that are published however much they differ
  ///   from what is published now.
  package func gate(regionsWithAcceptedDrift: Set<String>) -> QualityGate {
    QualityGate(
      index: index, digests: digests, regionsWithAcceptedDrift: regionsWithAcceptedDrift)
  }

  /// What publishes bundles in it.
  ///
  /// - Parameter keepPrevious: How many earlier bundles of a region are kept.
  package func publisher(keepPrevious: Int = 1) -> Publisher {
    Publisher(index, digests, keepPrevious: keepPrevious)
  }
}

extension Manifest {
  /// Throws 73 if something in the output folder is in the way of what a run would write there, and 78
  /// if another manifest has one of the regions there.
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
