// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Elevation
import Manifests
import ResultStore
import SystemIO
import Validation

/// Decides whether a bundle may be published.
package struct QualityGate: Sendable {
  let index: PublishedIndex
  let digests: DigestCache
  /// The regions published regardless of their difference from the published version.
  let regionsWithAcceptedDrift: Set<String>

  /// The reasons not to publish a region.
  package func objections(
    _ region: Manifest.Region, _ findings: BundleFindings, _ drift: BundleDrift
  ) -> [String] {
    var checks = region.checks
    if regionsWithAcceptedDrift.contains(region.id) { checks.maxDrift = nil }
    return (findings.database.map { checks.objections(to: $0, drift: drift.database) } ?? [])
      + findings.variants.sorted { $0.key < $1.key }.flatMap { name, findings in
        checks.objections(to: findings, drift: drift.variants[name]).map {
          "variant \(name): \($0)"
        }
      }
  }

  /// The missing elevation tiles that explain objections, and what to do; nil if none do. A tile that
  /// was missing before, too, makes no difference from what is published.
  package func missingTiles(
    _ parts: BundleParts, explaining objections: [String]
  ) -> String? {
    func isObjection(_ name: Manifest.Checks.Name) -> Bool {
      objections.contains { $0.contains(name.head) }
    }
    guard isObjection(.elevationCoverage) || isObjection(.maxDrift) else { return nil }
    var tiles = parts.missingTiles
    if !isObjection(.elevationCoverage) {
      let used = (index.published(parts.region.id)?.provenance?.elevation ?? [])
        .compactMap { ElevationTileID(fileName: $0.name)?.description }
      tiles.removeAll { !used.contains($0) }
    }
    guard !tiles.isEmpty else { return nil }
    return parts.manifest.lack(of: tiles, in: parts.region)
      + " (add \(tiles.count == 1 ? "it" : "them"), or set elevation: none for the region)"
  }

  /// The differences of a bundle's databases from the published ones, if drift is checked.
  ///
  /// Throws 65 or 66 if a published one cannot be read or has changed: comparing with it would
  /// defeat the check.
  package func drift(_ region: Manifest.Region, _ bundle: Bundle) throws -> BundleDrift {
    var drift = BundleDrift()
    guard let limit = region.checks.maxDrift, !regionsWithAcceptedDrift.contains(region.id),
      bundle.region.hasRoutingData
    else { return drift }
    try checkRecord(bundle)
    guard let published = index.published(region.id),
      published.hasRoutingData || published.counts.edges > 0
    else { return drift }
    drift.database = try self.drift(
      bundle, bundle.region.routingDbFilename, from: published.routingDatabase, of: published,
      limit: limit)
    for (variant, name) in bundle.region.variants ?? [:] {
      // A new variant has nothing to compare with.
      guard let oldName = published.variants?[variant] else { continue }
      drift.variants[variant] = try self.drift(
        bundle, name, from: oldName, of: published, limit: limit)
    }
    return drift
  }

  /// Throws 65 if the record of the published bundle is damaged or missing, unless its database is
  /// the same.
  private func checkRecord(_ bundle: Bundle) throws(CairnError) {
    let id = bundle.record.id
    guard index.published(id) == nil, isRealFolder(index.folder(id)), let entry = index.entry(id),
      let name = entry.routingDbFilename,
      entry.files?[name]?.sha256 != bundle.contents[bundle.region.routingDbFilename]?.record.sha256
    else { return }
    throw Self.incomparable(
      joinPath(index.folder(id), BundleRecord.fileName), "is damaged or missing", id)
  }

  /// The difference of a database from the published one; nil if there is none.
  private func drift(
    _ bundle: Bundle, _ name: String, from oldName: String?, of published: BundleRecord,
    limit: Double
  ) throws -> DriftReport? {
    let folder = index.folder(published.id)
    guard let oldName, isPlainFileName(oldName), let old = published.files[oldName],
      let database = bundle.contents[name]
    else {
      throw Self.incomparable(
        joinPath(folder, BundleRecord.fileName), "names no database", published.id)
    }
    guard old.sha256 != database.record.sha256 else { return nil }
    let path = joinPath(folder, oldName)
    do {
      guard try digests.digest(ofFile: path) == old.sha256 else {
        throw Self.incomparable(path, "has changed since it was published", published.id)
      }
      return try DriftReport(
        baseline: DriftBaseline(path, limit: limit), database: database.path)
    } catch {
      let error = asCairnError(error)
      guard error.code != .incomparable, error.location?.file == path else { throw error }
      throw Self.incomparable(path, error.message, published.id, error.exitCode)
    }
  }

  private static func incomparable(
    _ path: String, _ message: String, _ id: String, _ exitCode: ExitCode = .dataError
  ) -> CairnError {
    CairnError(
      .incomparable, exitCode,
      "\(message); the check max-drift has nothing to compare with, so the published bundle is "
        + "kept",
      at: Location(file: path),
      hint: "publish the new data with cairn run --accept-drift \(id), or the previous bundle with "
        + "cairn rollback")
  }
}

/// What is to become of the bundle that a region's inputs give.
package enum Verdict: Sendable {
  /// It is published already.
  case isPublished
  /// It is to be published.
  case publish
  /// It stays back as in the run before: nobody needs to be told again.
  case hold(HeldBundle)
  /// It must not be published, for these reasons; with the finding to record if drift alone is the
  /// reason.
  case refuse([String], HeldBundle.Drift?)
}

extension Publisher {
  /// Judges a bundle.
  ///
  /// Drift is a question whether a change is right, which is asked once: until the bundle or the
  /// limit is another one, the published bundle is as good as it was. A bundle that fails any other
  /// check is refused each time, since nothing good can come of its inputs until somebody mends them.
  ///
  /// Throws 65 if it cannot be told whether the bundle is held back.
  ///
  /// - Parameter isForced: Whether a bundle that drift refused is refused again.
  package func verdict(
    on bundle: Bundle, _ parts: BundleParts, _ drift: BundleDrift, by gate: QualityGate,
    isForced: Bool
  ) throws -> Verdict {
    let region = parts.region
    let objections = gate.objections(region, parts.findings, drift)
    guard gate.objections(region, parts.findings, BundleDrift()).isEmpty else {
      return .refuse(objections, nil)
    }
    if isPublished(bundle) { return .isPublished }
    let held = try earlier.held(region.id).flatMap {
      $0.bundle.isSame(as: bundle.record) ? $0 : nil
    }
    if let held, held.drift == nil { return .hold(held) }
    guard !objections.isEmpty else { return .publish }
    if !isForced, let held, held.drift?.limit == region.checks.maxDrift { return .hold(held) }
    let reasons = (gate.missingTiles(parts, explaining: objections).map { [$0] } ?? []) + objections
    return .refuse(
      objections,
      HeldBundle.Drift(
        limit: region.checks.maxDrift, findings: reasons.joined(separator: "; ")))
  }
}

extension Manifest.Checks {
  /// The reasons not to publish a database; empty if there are none.
  ///
  /// - Parameter drift: The difference from the published database; nil without one, if it is the
  ///   same, or if drift is not checked.
  func objections(to validation: ValidatorFindings, drift: DriftReport? = nil) -> [String] {
    var objections: [String] = []
    if !validation.valid { objections.append("cairn-validate says that the database is invalid") }
    if let least = minEdges, validation.edges < least {
      objections.append(
        "check min-edges: \(grouped(validation.edges)) edges, at least \(grouped(least)) required"
      )
    }
    let coverage = validation.elevationCoverage
    if let least = elevationCoverage, coverage < least {
      objections.append(
        "check elevation-coverage: \(percent(coverage, comparedWith: least)) of the nodes have an "
          + "elevation, at least \(percent(least, comparedWith: coverage)) required")
    }
    if let most = maxDrift, let drift {
      let excesses = drift.excesses
      if let first = excesses.first {
        let number = excesses.count == 1 ? "1 value differs" : "\(excesses.count) values differ"
        objections.append(
          "check max-drift: \(number) from what is published by more than \(percent(most)), such "
            + "as \(first.summary(limit: most))")
      }
    }
    return objections
  }
}

extension CairnError.Code {
  /// A published database cannot be read for comparison.
  static let incomparable: Self = "incomparable"
}

/// The differences of a bundle's databases from the published ones.
package struct BundleDrift: Sendable {
  package var database: DriftReport?
  /// By the name of the variant.
  package var variants: [String: DriftReport] = [:]

  /// All reports: of the database, then of the variants by name.
  package var reports: [DriftReport] {
    ([database] + variants.sorted { $0.key < $1.key }.map(\.value)).compactMap { $0 }
  }

  /// The first report with an excessive difference.
  package var excessive: DriftReport? { reports.first { !$0.excesses.isEmpty } }
}
