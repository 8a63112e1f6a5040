// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Publishing
import ResultStore
import Synchronization
import SystemIO

extension Orchestrator {
  /// The outcome of this run for each region in the index.
  package func outcomes() -> [String: PublishedIndex.Outcome] {
    let states = state.withLock { $0.regions }
    var outcomes: [String: PublishedIndex.Outcome] = [:]
    for (region, state) in zip(plan.regions, states) {
      if let held = state.held {
        outcomes[region.id] = .held(held.reason)
      } else if let failure = state.failure {
        let reason = "\(failure.stage.rawValue): \(failure.message)"
        let isRolledBack = publisher.earlier.isRolledBack(region.id)
        outcomes[region.id] = .failed(
          isRolledBack ? "\(reason); \(PublishedIndex.rolledBack)" : reason)
      } else if state.isDone {
        outcomes[region.id] = .fresh
      }
    }
    return outcomes
  }

  /// The summary.
  ///
  /// - Parameter start: The start of the run in seconds of the monotonic clock.
  package func summary(start: Double, seconds: Double) -> RunSummary {
    let (states, finished) = state.withLock { ($0.regions, $0.finished) }
    let isNothingDone = states.allSatisfy { $0.isDone && !$0.isBuilt && $0.held == nil }
    let regions = plan.regions.indices.map { index in
      let region = plan.regions[index]
      let state = states[index]
      let status: RegionSummary.Status =
        state.failure != nil
        ? .failed : !state.isDone ? .stopped : state.isBuilt ? .built : .cached
      let bundle = publisher.index.published(region.id)
      var summary = RegionSummary(
        id: region.id, status: status, edges: bundle?.edges, bytes: bundle?.bytes,
        drift: state.drift,
        isHeld: state.isDone ? state.held != nil : publisher.earlier.isRolledBack(region.id))
      summary.heldBack = state.held?.text
      // All figures are those of what is published now, also where something else was refused.
      summary.warnings = WarningRecords(ofOutput: plan.manifest.output)
        .publishedIfReadable(region.id)
      // Stages are of no interest if there was nothing to do.
      if !isNothingDone { summary.stages = stages(index, state, finished, start) }
      return summary
    }
    return RunSummary(
      regions: regions, failures: states.compactMap(\.failure), signal: interruption.signal,
      wallSeconds: seconds)
  }

  private func stages(
    _ region: Int, _ state: RegionState, _ finished: [FinishedAction?], _ start: Double
  ) -> [RegionSummary.StageSummary] {
    plan.actionsOfRegions[region].compactMap { index in
      let action = plan.actions[index]
      let result = finished[index]
      guard result != nil || action.stage == .publish && state.isDone else { return nil }
      return RegionSummary.StageSummary(
        stage: action.stage, seconds: state.seconds[index],
        startSeconds: state.starts[index].map { max(0, $0 - start) },
        key: result.map { splitPath($0.folder).name }, peakBytes: result?.result.peakBytes,
        warnings: (state.warnings[index] ?? result.map { StageReport.warnings(inFolder: $0.folder) }
          ?? []).reduce(0) { $0 &+ $1.count })
    }
  }

  /// The warnings of the results of a region.
  func warnings(of region: Int) -> BundleWarnings {
    let (state, finished) = state.withLock { ($0.regions[region], $0.finished) }
    let kinds = plan.actionsOfRegions[region].flatMap { index -> [BundleWarnings.Kind] in
      guard let result = finished[index] else { return [] }
      return (state.warnings[index] ?? StageReport.warnings(inFolder: result.folder)).map { entry in
        BundleWarnings.Kind(
          stage: plan.actions[index].stage.rawValue, kind: entry.kind, count: entry.count,
          examples: entry.examples)
      }
    }
    return BundleWarnings(kinds: kinds, drift: state.drift)
  }
}
