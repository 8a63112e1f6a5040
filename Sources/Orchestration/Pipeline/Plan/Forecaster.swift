import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Finds out what a run would do, without doing or writing anything.
struct Forecaster: Sendable {
  /// What would become of an action.
  enum Prospect: Sendable {
    /// Its result is there; nil for what is published.
    case upToDate(FinishedAction?)
    /// It would run, because of these changes; without any it never ran.
    case wouldRun([ActionKey.Change], key: ActionKey)
    /// It would be redone whatever was there before.
    case forced
    /// It would run if the stage before gives other bytes than last time.
    case wouldFollow(Stage)
    /// It would publish.
    case wouldPublish
    /// It would refuse to publish.
    case wouldRefuse([String])
    /// What it needs cannot be read.
    case cannot(CairnError)

    var isUpToDate: Bool {
      if case .upToDate = self { return true }
      return false
    }
  }

  /// Why an action would run, in words; nil if it is up to date.
  static func reason(_ prospect: Prospect) -> String? {
    switch prospect {
    case .upToDate: nil
    case .wouldRun([], _): "not built yet"
    case .wouldRun(let changes, _): changes.map(\.description).joined(separator: ", ")
    case .forced: "--force"
    case .wouldFollow(let stage): "after \(stage.rawValue)"
    case .wouldPublish: "the published bundle is not this one"
    case .wouldRefuse(let objections): "and fail: \(objections.joined(separator: "; "))"
    case .cannot(let error): "and fail: \(error)"
    }
  }

  let plan: Plan
  let store: ActionStore
  let resolver: ActionResolver
  let publisher: Publisher
  var isForced = false

  /// What would become of each action of a region, by its number in the plan.
  func prospects(region: Int) -> [(number: Int, prospect: Prospect)] {
    var known: [Int: Prospect] = [:]
    var list: [(number: Int, prospect: Prospect)] = []
    for number in plan.actions.indices where plan.actions[number].region == region {
      let prospect = prospect(plan.actions[number], known)
      known[number] = prospect
      list.append((number, prospect))
    }
    return list
  }

  private func prospect(_ action: Action, _ known: [Int: Prospect]) -> Prospect {
    let waiting = action.dependencies.last { !(known[$0]?.isUpToDate ?? false) }
    if let waiting { return .wouldFollow(plan.actions[waiting].stage) }
    func product(_ number: Int) throws(CairnError) -> FinishedAction {
      guard case .upToDate(let finished?) = known[number] else {
        throw CairnError("unfinished-input", .software, "action \(number) is not finished")
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
        last.map { resolved.key.changes(since: $0) } ?? [], key: resolved.key)
    } catch { return .cannot(asCairnError(error)) }
  }

  private func publishing(_ action: Action, _ product: (Int) throws(CairnError) -> FinishedAction)
    throws -> Prospect
  {
    let (bundle, validation) = try publisher.bundle(action, plan, product: product)
    let region = plan.regions[action.region]
    let objections = publisher.objections(region, validation, publisher.drift(region, bundle))
    if !objections.isEmpty { return .wouldRefuse(objections) }
    let isDone = publisher.isPublished(bundle) || publisher.isRejected(bundle.record)
    return isDone ? .upToDate(nil) : .wouldPublish
  }

  /// What a run would do, one line a step.
  func lines() -> [String] {
    plan.regions.enumerated().flatMap { number, region -> [String] in
      let steps = prospects(region: number).compactMap { number, prospect in
        Self.reason(prospect).map {
          "\(region.id): would \(plan.actions[number].stage.rawValue): \($0)"
        }
      }
      return steps.isEmpty ? ["\(region.id): up to date"] : steps
    }
  }
}

extension Forecaster {
  /// Looks at a plan's output folder without making anything in it.
  init(_ plan: Plan, _ options: Orchestrator.Options) {
    let store = ActionStore(plan.manifest, isParanoid: options.isParanoid)
    let digests = DigestCache(store.digestsPath, isTrusted: !options.isParanoid)
    let shapes = RegionShapes()
    self.init(
      plan: plan, store: store,
      resolver: ActionResolver(
        executor: LocalExecutor(binaries: options.binaries, interruption: Interruption()),
        digests: digests, sourceDateEpoch: options.sourceDateEpoch, shapes: shapes),
      publisher: Publisher(
        output: plan.manifest.output, store: store, digests: digests, shapes: shapes,
        regionsWithAcceptedDrift: options.regionsWithAcceptedDrift),
      isForced: options.isForced)
  }
}
