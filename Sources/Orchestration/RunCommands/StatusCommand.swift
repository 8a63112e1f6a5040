// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import FoundationEssentials
import JSONKit
import Manifests
import Pipeline
import Planning
import Publishing
import ResultStore

/// `cairn status MANIFEST`: the published regions, and those out of date with reasons.
package struct StatusCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn status",
    summary: "show which regions of a manifest are fresh, stale or failed, and why",
    discussion: """
      fresh: published, and made from the current inputs; stale: published, but a run would give \
      something else, or the last run failed; held: published, and stays, since the bundle for the \
      current inputs was rolled back, or an earlier run refused it by max-drift; failed: never \
      published, and the last run failed; new: never published; left: published, but no longer in \
      the manifest, until cairn gc removes it. Runs and writes nothing. Exit code 0: all regions \
      of the manifest are fresh or held; 1: some are not. With --max-age, only the age counts: 0: \
      the data of all regions of the manifest is at most that old; 1: some is older, of unknown age \
      or not published.
      """,
    positionals: [.manifest],
    options: [
      .option("regions", "ID,ID", help: "only these regions"),
      .option(
        "max-age", "AGE",
        help: "end with 1 only if published data is older, such as 36h or 7d, or not there"),
      .flag("json", help: "print JSON"),
      .flag(
        "paranoid", help: "read all files and results again instead of using recorded digests"),
      Orchestrator.Options.binaryOption,
    ],
    examples: ["cairn status pipelines/sample.yaml"])

  /// Prints the state of the regions.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let ids = try RunCommand.selection(arguments)
    let limit = try arguments.seconds("max-age")
    let plan = try Plan(
      Manifest.load(argument: arguments.positionals.first).locked(for: ids), selection: ids)
    let forecaster = Forecaster(plan, try Orchestrator.Options(arguments))
    let recorded = RegionStatus.recorded(forecaster)
    let index = IndexRecord(inFolder: plan.manifest.output)?.regions ?? []
    let entries = Dictionary(index.map { ($0.id, $0) }) { first, _ in first }
    var regions = plan.regions.indices.map {
      RegionStatus($0, forecaster, recorded, entries: entries)
    }
    // Selected regions belong to the manifest.
    let left =
      arguments.has("regions")
      ? []
      : forecaster.publisher.index.leftRegions(plan.manifest).map {
        RegionStatus(left: $0.id, forecaster.publisher)
      }
    let now = Date.now
    for index in regions.indices {
      if let limit { regions[index].addAge(above: limit, now: now) }
    }
    if arguments.has("json") {
      let json = JSONValue.object(["regions": .list((regions + left).map { $0.json(now: now) })])
      try Console.write(String(decoding: try encodeJSON(json), as: UTF8.self))
    } else {
      var table = TextTable([.left, .left, .right, .right, .right, .left, .left])
      table.add(["region", "status", "edges", "size", "warnings", "data"])
      for region in regions + left { table.add(region.row(now: now)) }
      try Console.write(table.text)
    }
    let isGood =
      limit.map { limit in regions.allSatisfy { $0.age(now: now).map { $0 <= limit } ?? false } }
      ?? regions.allSatisfy { $0.state == .fresh || $0.isAsAsked }
    return isGood ? .success : .negative
  }
}

/// The state of a region.
package struct RegionStatus: Equatable, Sendable {
  package enum State: String, Sendable {
    /// Published, and made from the present inputs.
    case fresh
    /// Published, but outdated.
    case stale
    /// Never published, and the last run failed.
    case failed
    /// Never published.
    case new
    /// Published, but no longer in the manifest.
    case left
  }

  var id: String
  package var state: State
  /// The reason why it is not fresh.
  var reason: String?
  /// The log of the failed stage, if any.
  var log: String?
  /// The published bundle.
  var bundle: BundleRecord?
  /// Its warnings; nil if they are not recorded.
  var warnings: BundleWarnings?
  /// Whether its current bundle is held back, or an earlier bundle is published since a rollback.
  var isHeld = false
  /// Whether only that keeps it from being fresh, so that a run would change nothing.
  var isAsAsked = false

  /// What the last runs recorded of regions, by their ids.
  package static func recorded(_ forecaster: Forecaster) -> [String: IndexRecord.Region] {
    Dictionary(forecaster.publisher.index.knownRegions().map { ($0.id, $0) }) { first, _ in first }
  }

  /// Describes a region that left the manifest.
  package init(left id: String, _ publisher: Publisher) {
    self.id = id
    state = .left
    reason = PublishedIndex.leftReason
    bundle = publisher.index.published(id)
    warnings = WarningRecords(ofOutput: publisher.index.output).publishedIfReadable(id)
  }

  /// Examines a region of a plan.
  ///
  /// - Parameters:
  ///   - recorded: See ``recorded(_:)``.
  ///   - entries: The index entries, by the ids of the regions; nil to ignore the index.
  init(
    _ index: Int, _ forecaster: Forecaster, _ recorded: [String: IndexRecord.Region],
    entries: [String: IndexRecord.Region]? = nil
  ) {
    let region = forecaster.plan.regions[index]
    id = region.id
    bundle = forecaster.publisher.index.published(region.id)
    warnings = WarningRecords(ofOutput: forecaster.plan.manifest.output)
      .publishedIfReadable(region.id)
    state = bundle == nil ? .new : .stale
    // Before the first run, obstacles are not failures.
    let hasFailed = bundle == nil && recorded[region.id]?.status == .failed
    let open = forecaster.prospects(region: index).filter { !$0.prospect.isUpToDate }
    guard let next = open.first else {
      if let bundle {
        let record = RegionRecord(inFolder: forecaster.publisher.index.folder(region.id))
        let isListed =
          entries.map { $0[region.id]?.differences(from: bundle, record).isEmpty ?? false } ?? true
        if isListed { state = .fresh } else { reason = PublishedIndex.unlistedReason }
      }
      return
    }
    isHeld = forecaster.publisher.earlier.isRolledBack(region.id)
    defer {
      if isHeld, !isAsAsked, let reason { self.reason = "\(reason); \(PublishedIndex.rolledBack)" }
    }
    let stage = forecaster.plan.actions[next.index].stage
    switch next.prospect {
    case .wouldRun(_, let key):
      let stages = open.map { forecaster.plan.actions[$0.index].stage }
      if let failure = failure(of: stages, key, forecaster, recorded[region.id]?.reason) {
        (reason, log) = failure
        if bundle == nil { state = .failed }
        return
      }
      reason = "\(stage.rawValue): \(Forecaster.reason(next.prospect) ?? "")"
    case .wouldRefuse(let objections):
      reason = objections.joined(separator: "; ")
      if hasFailed { state = .failed }
    case .cannot(let error):
      reason = error.description
      if hasFailed { state = .failed }
    case .isHeld(let held):
      reason = held.text
      (isHeld, isAsAsked) = (true, true)
    case .wouldPublish(let changes):
      reason =
        bundle == nil
        ? "not published yet" : changes.isEmpty ? "the bundle was changed" : changes.text
    case .wouldAsk(let url):
      reason = Forecaster.reason(next.prospect)
      // A failure with another source does not count.
      guard let url, let failure = recorded[region.id]?.reason, failure.contains(url) else {
        return
      }
      reason = failure
      if hasFailed { state = .failed }
    case .upToDate, .forced, .wouldFollow: reason = Forecaster.reason(next.prospect)
    }
  }

  /// Why a region failed, and the log; nil if it did not.
  ///
  /// - Parameters:
  ///   - stages: The stages that would run again, the first of them with this key.
  ///   - recorded: The reason that the last run recorded of the region.
  private func failure(
    of stages: [Stage], _ key: ActionKey, _ forecaster: Forecaster, _ recorded: String?
  ) -> (reason: String, log: String?)? {
    // An attempt with other inputs does not count.
    if let stage = stages.first,
      let failure = forecaster.store.lastFailure(region: id, stage: stage, key: key)
    {
      let program = stage.executable ?? stage.rawValue
      return (failure.result.ending(of: program, log: failure.log), failure.log)
    }
    // Where a disk was full, later regions failed without an attempt of their own.
    guard let recorded,
      let stage = stages.first(where: { recorded.hasPrefix("\($0.rawValue): ") }),
      forecaster.hasNoAttempt(id, stage)
    else { return nil }
    return (String(recorded.dropFirst(stage.rawValue.count + 2)), nil)
  }

  /// Seconds since the data left OpenStreetMap, if known.
  func age(now: Date) -> Double? {
    bundle?.dataTimestamp.flatMap(secondsOfTimestamp).map { max(0, now.timeIntervalSince1970 - $0) }
  }

  /// Says that its data is older than a limit in seconds, or of unknown age, if it is.
  mutating func addAge(above limit: Double, now: Date) {
    guard bundle != nil else { return }
    let age = age(now: now)
    if let age, age <= limit { return }
    let remark =
      age.map { "its data is \(ageText($0)) old, more than \(ageText(limit))" }
      ?? "the age of its data is unknown"
    reason = [reason, remark].compactMap { $0 }.joined(separator: "; ")
  }

  /// A row of the table. Each column but the last, which is a text, is one word without a space, also
  /// where it has a number and its unit.
  func row(now: Date) -> [String] {
    let age = age(now: now).map { " (\(ageText($0)))" } ?? ""
    let columns = [
      id, isAsAsked ? "held" : state.rawValue, bundle?.edges.map { grouped($0) } ?? "–",
      bundle.map { byteSize($0.bytes) } ?? "–", warnings.map { grouped($0.total) } ?? "–",
      (bundle?.dataTimestamp.map { String($0.prefix(10)) } ?? "–") + age,
    ]
    return columns.map { $0.replacing(" ", with: "\u{A0}") } + [
      printable((reason ?? "") + (log.map { ", log: \($0)" } ?? ""))
    ]
  }

  func json(now: Date) -> JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
    return .object([
      "id": .text(id), "status": .text(state.rawValue), "held": .boolean(isHeld),
      "reason": text(reason), "log": text(log),
      "edges": bundle?.edges.map { .integer($0) } ?? .null,
      "bytes": bundle.map { .integer($0.bytes) } ?? .null,
      "warnings": warnings.map { .integer($0.total) } ?? .null,
      "dataTimestamp": text(bundle?.dataTimestamp),
      "dataAgeSeconds": age(now: now).map { .number($0.rounded()) } ?? .null,
    ])
  }
}

/// An age in hours or days: `5 h`, `3 d`.
func ageText(_ seconds: Double) -> String {
  let hours = Int(min(seconds, 1e12) / 3600)
  return hours < 1 ? "under 1 h" : hours < 48 ? "\(hours) h" : "\(grouped(hours / 24)) d"
}
