// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CommandLineKit
import Manifests
import Planning
import ResultStore
import SystemIO
import TrailData
import Validation

/// The results that a region's bundle is made from.
package struct BundleParts: Sendable {
  let region: Manifest.Region
  let manifest: Manifest
  let source: Manifest.Source
  /// The digest of the decoded source; the file may have changed since.
  let sourceDigest: String?
  /// The origin of the decoded data, if known. Its time is that of the last change applied to the
  /// region.
  let data: Provenance?
  /// The routing database; nil for a region without routing.
  var database: FinishedAction?
  /// The ways with their elevations; nil if there are none.
  var elevated: FinishedAction?
  /// The databases of variants, by name.
  var variants: [String: FinishedAction] = [:]
  var waypoints: FinishedAction?
  var places: FinishedAction?
  var tiles: [TileLayer: FinishedAction] = [:]
  /// The elevation tiles made from rasters, except empty ones, by the number of the source, counted
  /// from 0, and by their names.
  var elevationTiles: [Int: [String: FinishedAction]] = [:]
  /// The results of custom stages.
  var further: [FinishedAction] = []
  /// The validator's findings about the databases.
  package var findings = BundleFindings()

  /// The elevation tiles that no source has and in which ways on the ground lie.
  var missingTiles: [String] {
    guard let elevated,
      case .list(let tiles)? =
        StageReport(inFolder: elevated.folder)?.output["missingTiles"]
    else { return [] }
    return tiles.compactMap { if case .text(let name) = $0 { name } else { nil } }
  }

  /// Collects the parts of a plan's publishing action.
  ///
  /// Its inputs are the decoded data, then databases and the validator's findings about them,
  /// archives of map tiles, the results of custom stages, and made elevation tiles. Throws 65 if
  /// the decoded data is damaged, 70 for invalid findings, and the errors of `product`.
  ///
  /// - Parameter product: The finished action with an index in the plan.
  package init(
    _ action: Action, _ plan: Plan, product: (Int) throws(CairnError) -> FinishedAction
  ) throws(CairnError) {
    region = plan.regions[action.region]
    manifest = plan.manifest
    guard let first = action.dependencies.first, let source = manifest.sources[region.source] else {
      throw CairnError("unfinished-input", .software, "nothing to publish for \(region.id)")
    }
    self.source = source
    let decoded = try product(first)
    sourceDigest = decoded.components.sourceDigest
    data = try Self.data(of: decoded)
    for dependency in action.dependencies.dropFirst() {
      try add(product(dependency), of: plan.actions[dependency].stage)
    }
  }

  private mutating func add(_ finished: FinishedAction, of stage: Stage) throws(CairnError) {
    switch stage {
    case .computeCosts: database = finished
    case .validate: findings.database = try ValidatorFindings.load(finished.product)
    case .sampleElevation: elevated = finished
    case .computeVariant(let name): variants[name] = finished
    case .validateVariant(let name):
      findings.variants[name] = try ValidatorFindings.load(finished.product)
    case .gridElevation(_, let source):
      if !finished.hasNone(of: "known") {
        elevationTiles[source - 1, default: [:]][stage.product] = finished
      }
    case .collectPlaces: waypoints = finished
    case .indexPlaces: places = finished
    // Terrain tiles may be empty if no elevation is known.
    case .buildTiles(let layer) where layer.kind.isTerrain && finished.hasNone(of: "tiles"): break
    case .buildTiles(let layer): tiles[layer] = finished
    // Its stage would have failed on any finding.
    case .validateWaypoints, .validatePlaces, .validateTiles: break
    default: further.append(finished)
    }
  }

  /// The origin of a decoder's result; nil if it is not a container. Throws 65 if it is damaged.
  private static func data(of decoded: FinishedAction) throws(CairnError) -> Provenance? {
    guard decoded.record.isOfContainer else { return nil }
    guard let provenance = try Provenance.ofContainer(decoded.product) else {
      throw CairnError(
        .inputOutput, .ioError, "has changed since the stage wrote it",
        at: Location(file: decoded.product), hint: "rebuild it with --force")
    }
    return provenance
  }
}

/// The validator's findings about the databases of a bundle.
package struct BundleFindings: Equatable, Sendable {
  /// Nil for a region without routing.
  package var database: ValidatorFindings?
  /// By the name of the variant.
  var variants: [String: ValidatorFindings] = [:]
}

extension FinishedAction {
  /// Whether its report counts none of these.
  fileprivate func hasNone(of what: String) -> Bool {
    StageReport(inFolder: folder)?.output[what] == .integer(0)
  }
}
