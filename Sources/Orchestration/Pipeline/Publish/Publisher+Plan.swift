// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import SystemIO
import Validation

extension Publisher {
  /// The bundle that a publishing action of a plan publishes, and what the validator found in its
  /// databases.
  ///
  /// Its inputs are the decoded data, the database, the validator's findings, the same two of each
  /// variant, of waypoints and of places, and the results of the user's own stages.
  func bundle(
    _ action: Action, _ plan: Plan, product: (Int) throws(CairnError) -> FinishedAction
  ) throws -> (Bundle, BundleFindings) {
    let region = plan.regions[action.region]
    guard action.dependencies.count >= 3, let source = plan.manifest.sources[region.source] else {
      throw CairnError("unfinished-input", .software, "nothing to publish for \(region.id)")
    }
    let decoded = try product(action.dependencies[0])
    let database = try product(action.dependencies[1])
    let validation = try ValidatorFindings.load(product(action.dependencies[2]).product)
    var variants: [String: FinishedAction] = [:]
    var findings = BundleFindings(database: validation)
    var further: [FinishedAction] = []
    var (waypoints, places): (FinishedAction?, FinishedAction?)
    var tiles: [TileLayer: FinishedAction] = [:]
    for dependency in action.dependencies.dropFirst(3) {
      let finished = try product(dependency)
      switch plan.actions[dependency].stage {
      case .computeVariant(let name): variants[name] = finished
      case .validateVariant(let name):
        findings.variants[name] = try ValidatorFindings.load(finished.product)
      case .collectPlaces: waypoints = finished
      case .indexPlaces: places = finished
      case .buildTiles(let layer): tiles[layer] = finished
      // Its stage would have failed if it had found anything.
      case .validateWaypoints, .validatePlaces, .validateTiles: break
      default: further.append(finished)
      }
    }
    let bundle = try bundle(
      region, of: plan.manifest, source: source,
      sourceDigest: decoded.components.sourceDigest, database: database, variants: variants,
      waypoints: waypoints, places: places, tiles: tiles, further: further, validation: validation,
      dataTimestamp: dataTimestamp(decoded))
    return (bundle, findings)
  }

  /// The reasons not to publish a region.
  func objections(
    _ region: Manifest.Region, _ findings: BundleFindings, _ drift: BundleDrift
  ) -> [String] {
    var checks = region.checks
    if regionsWithAcceptedDrift.contains(region.id) { checks.maxDrift = nil }
    let gate = QualityGate(checks: checks)
    let objections = gate.objections(
      to: findings.database, publishedEdges: published(region.id)?.counts.edges,
      drift: drift.database)
    return objections
      + findings.variants.sorted { $0.key < $1.key }.flatMap { name, findings in
        // Without a drift report there is no number of edges to compare with.
        gate.objections(to: findings, publishedEdges: nil, drift: drift.variants[name]).map {
          "variant \(name): \($0)"
        }
      }
  }

  /// How the databases of a bundle differ from the published ones.
  func drift(_ region: Manifest.Region, _ bundle: Bundle) -> BundleDrift {
    let published = published(region.id)
    var drift = BundleDrift(
      database: self.drift(
        region, bundle, bundle.region.routingDbFilename, from: published?.routingDatabase))
    for (variant, name) in bundle.region.variants ?? [:] {
      drift.variants[variant] = self.drift(
        region, bundle, name, from: published?.variants?[variant])
    }
    return drift
  }

  /// How a database differs from the published one; nil if there is none, if drift is not checked,
  /// or if the published one cannot be read.
  private func drift(
    _ region: Manifest.Region, _ bundle: Bundle, _ name: String, from oldName: String?
  ) -> DriftReport? {
    guard let limit = region.checks.maxDrift, !regionsWithAcceptedDrift.contains(region.id),
      let database = bundle.contents[name], let oldName,
      let published = published(region.id)?.files[oldName],
      published.sha256 != database.record.sha256
    else { return nil }
    return try? DriftReport(
      baseline: DriftBaseline(joinPath(folder(region.id), oldName), limit: limit),
      database: database.path)
  }

  /// The time of the data, if the decoder's report says it.
  private func dataTimestamp(_ decoded: FinishedAction) -> String? {
    guard let report = StageReport(inFolder: decoded.folder),
      case .text(let time)? = report.output["dataTimestamp"] ?? report.input["dataTimestamp"]
    else { return nil }
    return time
  }
}

/// What the validator found in the databases of a bundle.
struct BundleFindings: Equatable, Sendable {
  var database: ValidatorFindings
  /// By the name of the variant.
  var variants: [String: ValidatorFindings] = [:]
}

/// How the databases of a bundle differ from those that are published.
struct BundleDrift: Sendable {
  var database: DriftReport?
  /// By the name of the variant.
  var variants: [String: DriftReport] = [:]

  /// All reports: of the database, then of the variants by name.
  var reports: [DriftReport] {
    ([database] + variants.sorted { $0.key < $1.key }.map(\.value)).compactMap { $0 }
  }

  /// The first report with a value that differs by too much.
  var excessive: DriftReport? { reports.first { !$0.excesses.isEmpty } }
}
