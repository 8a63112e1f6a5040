// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import SystemIO
import TrailData
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
      // Of the terrain there may be nothing where no elevation is known.
      case .buildTiles(let layer) where layer.kind.isTerrain && finished.hasNoTiles: break
      case .buildTiles(let layer): tiles[layer] = finished
      // Its stage would have failed if it had found anything.
      case .validateWaypoints, .validatePlaces, .validateTiles: break
      default: further.append(finished)
      }
    }
    let bundle = try bundle(
      region, of: plan.manifest, source: source,
      sourceDigest: decoded.components.sourceDigest, data: data(of: decoded), database: database,
      variants: variants, waypoints: waypoints, places: places, tiles: tiles, further: further,
      validation: validation)
    return (bundle, findings)
  }

  /// The reasons not to publish a region.
  func objections(
    _ region: Manifest.Region, _ findings: BundleFindings, _ drift: BundleDrift
  ) -> [String] {
    var checks = region.checks
    if regionsWithAcceptedDrift.contains(region.id) { checks.maxDrift = nil }
    let gate = QualityGate(checks: checks)
    return gate.objections(to: findings.database, drift: drift.database)
      + findings.variants.sorted { $0.key < $1.key }.flatMap { name, findings in
        gate.objections(to: findings, drift: drift.variants[name]).map {
          "variant \(name): \($0)"
        }
      }
  }

  /// How the databases of a bundle differ from the published ones, as far as the check of drift asks.
  ///
  /// Throws 65 or 66 if a published one cannot be read or is not as it was published: what it is
  /// compared with would not be what the check is meant to protect.
  func drift(_ region: Manifest.Region, _ bundle: Bundle) throws -> BundleDrift {
    var drift = BundleDrift()
    guard let limit = region.checks.maxDrift, !regionsWithAcceptedDrift.contains(region.id),
      let published = published(region.id)
    else { return drift }
    drift.database = try self.drift(
      bundle, bundle.region.routingDbFilename, from: published.routingDatabase, of: published,
      limit: limit)
    for (variant, name) in bundle.region.variants ?? [:] {
      // A new variant has nothing to be compared with.
      guard let oldName = published.variants?[variant] else { continue }
      drift.variants[variant] = try self.drift(
        bundle, name, from: oldName, of: published, limit: limit)
    }
    return drift
  }

  /// How a database differs from the published one; nil if it is the same.
  private func drift(
    _ bundle: Bundle, _ name: String, from oldName: String?, of published: BundleRecord,
    limit: Double
  ) throws -> DriftReport? {
    let folder = folder(published.id)
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
        throw Self.incomparable(path, "is not as it was published", published.id)
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
      "\(message), so the check max-drift has nothing to compare with; what is published is kept",
      at: Location(file: path),
      hint: "publish the new data as it is with cairn run --accept-drift \(id), or the bundle "
        + "before with cairn rollback")
  }

  /// Where a decoder's result came from; nil if it is not a container. Throws 65 if it is damaged.
  private func data(of decoded: FinishedAction) throws(CairnError) -> Provenance? {
    guard decoded.record.isOfContainer else { return nil }
    guard let provenance = try Provenance.ofContainer(decoded.product) else {
      throw CairnError(
        .inputOutput, .ioError, "has changed since the stage wrote it",
        at: Location(file: decoded.product), hint: "rebuild it with --force")
    }
    return provenance
  }
}

extension CairnError.Code {
  /// A published database with which a new one is to be compared cannot be read.
  static let incomparable: Self = "incomparable"
}

extension FinishedAction {
  /// Whether it made an archive of map tiles without tiles.
  fileprivate var hasNoTiles: Bool { StageReport(inFolder: folder)?.output["tiles"] == .integer(0) }
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
