// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import SystemIO
import Validation

extension Publisher {
  /// The bundle that a publishing action of a plan publishes: its inputs are the decoded data, the
  /// database, the validator's findings and the results of the user's own stages.
  func bundle(
    _ action: Action, _ plan: Plan, product: (Int) throws(CairnError) -> FinishedAction
  ) throws -> (Bundle, ValidatorFindings) {
    let region = plan.regions[action.region]
    guard action.dependencies.count >= 3, let source = plan.manifest.sources[region.source] else {
      throw CairnError("unfinished-input", .software, "nothing to publish for \(region.id)")
    }
    let decoded = try product(action.dependencies[0])
    let database = try product(action.dependencies[1])
    let validation = try ValidatorFindings.load(product(action.dependencies[2]).product)
    let bundle = try bundle(
      region, source: source,
      sourceDigest: decoded.components.sourceDigest, database: database,
      further: try action.dependencies.dropFirst(3).map(product), validation: validation,
      dataTimestamp: dataTimestamp(decoded))
    return (bundle, validation)
  }

  /// The reasons not to publish a region.
  func objections(
    _ region: Manifest.Region, _ validation: ValidatorFindings, _ drift: DriftReport?
  ) -> [String] {
    var checks = region.checks
    if regionsWithAcceptedDrift.contains(region.id) { checks.maxDrift = nil }
    return QualityGate(checks: checks).objections(
      to: validation, publishedEdges: published(region.id)?.counts.edges, drift: drift)
  }

  /// How a database differs from the published one; nil if there is none, if drift is not checked,
  /// or if the published one cannot be read.
  func drift(_ region: Manifest.Region, _ bundle: Bundle) -> DriftReport? {
    let name = bundle.region.routingDbFilename
    guard let limit = region.checks.maxDrift, !regionsWithAcceptedDrift.contains(region.id),
      let database = bundle.contents[name],
      let published = published(region.id)?.files[name], published.sha256 != database.record.sha256
    else { return nil }
    return try? DriftReport(
      baseline: DriftBaseline(joinPath(folder(region.id), name), limit: limit),
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
