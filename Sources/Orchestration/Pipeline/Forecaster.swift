// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Manifests
import Planning
import Publishing
import ResultStore
import SystemIO

/// Determines what a run would do, without writing anything.
package struct Forecaster: Sendable {
  /// The outlook for an action.
  package enum Prospect: Sendable {
    /// Its result exists; nil for a published one.
    case upToDate(FinishedAction?)
    /// It would run because of these changes; empty if it never ran.
    case wouldRun([ActionKey.Change], key: ActionKey)
    /// It would query the current content of a URL or an Overpass API.
    case wouldAsk(url: String?)
    /// It would run regardless of existing results.
    case forced
    /// It would run if the result of the previous stage differs from the last one.
    case wouldFollow(Stage)
    /// It would publish, since the published bundle has these differences, as far as they have names.
    case wouldPublish([ActionKey.Change])
    /// It would not publish, since the bundle is held back.
    case isHeld(HeldBundle)
    /// It would refuse to publish.
    case wouldRefuse([String])
    /// Its inputs cannot be read.
    case cannot(CairnError)

    package var isUpToDate: Bool {
      if case .upToDate = self { return true }
      return false
    }

    package var isHeldBack: Bool {
      if case .isHeld = self { return true }
      return false
    }

    /// Whether a run would change nothing.
    package var isSettled: Bool { isUpToDate || isHeldBack }
  }

  /// Why an action would fail; nil if that is not known.
  package static func problem(_ prospect: Prospect) -> String? {
    switch prospect {
    case .wouldRefuse(let objections): objections.joined(separator: "; ")
    case .cannot(let error): error.description
    default: nil
    }
  }

  /// The reason why an action would run, in words; nil if it is up to date.
  package static func reason(_ prospect: Prospect) -> String? {
    switch prospect {
    case .upToDate: nil
    case .wouldRun([], _): "not built yet"
    case .wouldRun(let changes, _): changes.text
    case .wouldAsk: "its data has not been requested yet"
    case .forced: "--force"
    case .wouldFollow(let stage): "after \(stage.rawValue)"
    case .isHeld(let held): held.text
    case .wouldPublish([]): "another bundle is published"
    case .wouldPublish(let changes): changes.text
    case .wouldRefuse, .cannot: "and fail: \(problem(prospect) ?? "")"
    }
  }

  package let plan: Plan
  package let publisher: Publisher
  private let folder: OutputFolder
  private let resolver: ActionResolver
  private let gate: QualityGate
  private let isForced: Bool

  package var store: ActionStore { folder.store }

  /// Looks at a plan's output folder without making anything in it.
  package init(_ plan: Plan, _ options: Orchestrator.Options) {
    self.plan = plan
    folder = OutputFolder(plan.manifest, isParanoid: options.isParanoid)
    publisher = folder.publisher()
    resolver = folder.resolver(options.programs, sourceDateEpoch: options.sourceDateEpoch)
    gate = folder.gate(regionsWithAcceptedDrift: options.regionsWithAcceptedDrift)
    isForced = options.attempts.isForced
  }

  /// The outlook for each action of a region, with its index in the plan.
  package func prospects(region: Int) -> [(index: Int, prospect: Prospect)] {
    var known: [Int: Prospect] = [:]
    var list: [(index: Int, prospect: Prospect)] = []
    for index in plan.actionsOfRegions[region] {
      let prospect = prospect(plan.actions[index], known)
      known[index] = prospect
      list.append((index, prospect))
    }
    return list
  }

  private func prospect(_ action: Action, _ known: [Int: Prospect]) -> Prospect {
    let waiting = action.dependencies.last { !(known[$0]?.isUpToDate ?? false) }
    if let waiting { return .wouldFollow(plan.actions[waiting].stage) }
    func product(_ index: Int) throws(CairnError) -> FinishedAction {
      guard case .upToDate(let finished?) = known[index] else {
        throw CairnError("unfinished-input", .software, "action \(index) is not finished")
      }
      return finished
    }
    do {
      guard action.stage.isProcess else { return try publishing(action, product) }
      let resolved = try resolver.resolve(action, product: product)
      if isForced { return .forced }
      if let finished = store.finished(resolved.key, product: action.stage.product) {
        return .upToDate(finished)
      }
      let last = store.lastComponents(
        region: plan.regions[action.region].id, stage: action.stage)
      return .wouldRun(
        last.map { resolved.key.changes(since: $0, of: action, in: plan) } ?? [],
        key: resolved.key)
    } catch {
      let error = asCairnError(error)
      return error.code == .notAskedYet ? .wouldAsk(url: error.location?.file) : .cannot(error)
    }
  }

  private func publishing(_ action: Action, _ product: (Int) throws(CairnError) -> FinishedAction)
    throws -> Prospect
  {
    let parts = try BundleParts(action, plan, product: product)
    let bundle = try folder.assembler.bundle(parts)
    let drift = try gate.drift(plan.regions[action.region], bundle)
    switch try publisher.verdict(on: bundle, parts, drift, by: gate, isForced: isForced) {
    case .refuse(let objections, _):
      let cause = gate.missingTiles(parts, explaining: objections)
      return .wouldRefuse((cause.map { [$0] } ?? []) + objections)
    case .isPublished: return .upToDate(nil)
    case .hold(let held): return .isHeld(held)
    case .publish: return .wouldPublish(changes(to: bundle))
    }
  }

  /// What a bundle has that the published one has not, in words of the manifest.
  private func changes(to bundle: Bundle) -> [ActionKey.Change] {
    let (id, new) = (bundle.record.id, bundle.record)
    guard let old = publisher.index.published(id) else { return [] }
    let uuid = RegionRecord(inFolder: publisher.index.folder(id))?.id
    let texts = [
      ("name", old.name, new.name), ("uuid", uuid, bundle.region.id),
      ("base-map", old.baseMap?.name, new.baseMap?.name),
      ("attribution", old.attribution, new.attribution),
    ].filter { $0.1 != $0.2 }.map {
      ActionKey.Change(name: $0.0, old: $0.1, new: $0.2, isInWords: true)
    }
    let files = Set(old.files.keys).union(new.files.keys).sorted().filter {
      old.files[$0] == nil || new.files[$0] == nil
    }
    return texts
      + files.map {
        ActionKey.Change(name: $0, old: old.files[$0]?.sha256, new: new.files[$0]?.sha256)
      }
  }

  /// Whether no attempt at a region's stage is left that failed or was ended; false if that cannot be
  /// found out.
  package func hasNoAttempt(_ region: String, _ stage: Stage) -> Bool {
    guard isRealFolder(store.attempts) else { return !nameExists(store.attempts) }
    guard let names = try? folderContents(store.attempts) else { return false }
    return !names.contains { $0.hasPrefix("\(region).\(stage.rawValue).") }
  }

  /// The plan of a run, one line for each action.
  package func lines() -> [String] {
    plan.regions.enumerated().flatMap { index, region -> [String] in
      let lines = prospects(region: index).compactMap { index, prospect in
        Self.reason(prospect).map {
          "\(region.id): would \(prospect.isSettled ? "not " : "")"
            + "\(plan.actions[index].stage.rawValue): \($0)"
        }
      }
      return lines.isEmpty ? ["\(region.id): up to date"] : lines
    }
  }
}
