// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit
import Execution
import Manifests
import Planning

/// The display of a run: the current work, its progress, and the time left.
struct RunDisplay: Sendable {
  private struct Running: Sendable {
    var regions: [String]
    var stage: Stage
    var start: Double
    var progress: StageProgress?
  }

  private struct RegionStage: Hashable {
    var region: String
    var stage: String
  }

  /// The most lines for stages at work.
  private static let lineLimit = 16

  private let total: Int
  private let regions: Int
  private let processors: Int
  /// The expected seconds of a region's stage, by earlier runs.
  private let expected: @Sendable (_ region: String, _ stage: String) -> Double?
  private var left: Set<RegionStage>
  /// By the batch.
  private var running: [Int: Running] = [:]
  private(set) var done = 0
  /// Whether the run is stopping and waits for running stages.
  var isStopping = false
  private var published = 0
  private var failed: Set<String> = []

  init(
    _ plan: Plan, processors: Int,
    expected: @escaping @Sendable (_ region: String, _ stage: String) -> Double?
  ) {
    total = plan.actions.count
    regions = plan.regions.count
    self.processors = processors
    self.expected = expected
    left = Set(
      plan.actions.map { RegionStage(region: plan.regions[$0.region].id, stage: $0.stage.rawValue) }
    )
  }

  /// Takes an event at a time, in seconds of any clock.
  mutating func update(_ event: RunEvent, now: Double) {
    switch event {
    case .started(let region, let stage, _, _, let batch):
      running[batch, default: Running(regions: [], stage: stage, start: now)].regions.append(region)
    case .progress(let batch, let progress): running[batch]?.progress = progress
    case .finished(let region, let stage, _, _):
      done += 1
      if stage == .publish { published += 1 }
      end(region, stage)
    case .failed(let failure):
      end(failure.region, failure.stage)
      failed.insert(failure.region)
      left = left.filter { $0.region != failure.region }
    case .retrying(let region, let stage, _): stop(region, stage)
    case .note: break
    }
  }

  private mutating func end(_ region: String, _ stage: Stage) {
    left.remove(RegionStage(region: region, stage: stage.rawValue))
    stop(region, stage)
  }

  private mutating func stop(_ region: String, _ stage: Stage) {
    for (batch, work) in running where work.stage == stage && work.regions.contains(region) {
      running[batch]?.regions.removeAll { $0 == region }
      if running[batch]?.regions.isEmpty ?? true { running[batch] = nil }
    }
  }

  /// The lines of a terminal: one for each running stage and one for the whole run.
  func lines(now: Double, columns: Int) -> [String] {
    let work = running.sorted { $0.key < $1.key }.map(\.value)
    let names = work.map { name($0) }
    let width = names.map(\.count).max() ?? 0
    let stageWidth = work.map(\.stage.rawValue.count).max() ?? 0
    var lines = zip(work, names).prefix(Self.lineLimit).map { work, name in
      let state = [progress(work), "\(roughDuration(now - work.start))", remainder(work, now)]
      return name.padded(to: width) + "  " + work.stage.rawValue.padded(to: stageWidth) + "  "
        + state.compactMap { $0 }.joined(separator: ", ")
    }
    if work.count > Self.lineLimit { lines.append("… and \(work.count - Self.lineLimit) more") }
    lines.append(totals(now))
    return lines.map { String($0.prefix(max(20, columns - 1))) }
  }

  /// The state of the run on one line.
  func line(now: Double) -> String {
    let work = running.sorted { $0.key < $1.key }.prefix(8).map { _, work in
      [name(work), work.stage.rawValue, progress(work), roughDuration(now - work.start)]
        .compactMap { $0 }.joined(separator: " ")
    }
    return ([totals(now)] + work).joined(separator: "; ")
  }

  private func name(_ work: Running) -> String {
    let first = work.regions.first ?? ""
    return work.regions.count > 1 ? "\(first) + \(work.regions.count - 1) more" : first
  }

  private func progress(_ work: Running) -> String? {
    guard let progress = work.progress else { return nil }
    return progress.phase + (progress.percent.map { " \($0) %" } ?? "")
  }

  private func remainder(_ work: Running, _ now: Double) -> String? {
    let seconds = expectedSeconds(work) - (now - work.start)
    return seconds > 0 ? "about \(roughDuration(seconds)) left" : nil
  }

  private func expectedSeconds(_ work: Running) -> Double {
    work.regions.reduce(0) { $0 + (expected($1, work.stage.rawValue) ?? 0) }
  }

  private func totals(_ now: Double) -> String {
    var text = "[\(done)/\(total)] \(published) of \(regions) regions"
    if !failed.isEmpty { text += ", \(failed.count) FAILED" }
    if isStopping { return text + ", stopping (repeat the signal to kill running stages)" }
    if let seconds = secondsLeft(now), seconds > 0 {
      text += ", about \(roughDuration(seconds)) left"
    }
    return text
  }

  /// Seconds until everything is done, if every remaining stage has run before, and no running one
  /// takes much longer than then, like a job waiting in a queue.
  func secondsLeft(_ now: Double) -> Double? {
    let isLate = running.values.contains { now - $0.start > 2 * expectedSeconds($0) + 5 }
    if isLate { return nil }
    var sum = 0.0
    var longest = 0.0
    var regions: [String: Double] = [:]
    for action in left where action.stage != Stage.publish.rawValue {
      guard let seconds = expected(action.region, action.stage) else { return nil }
      regions[action.region, default: 0] += seconds
    }
    for work in running.values {
      let elapsed = (now - work.start) / Double(work.regions.count)
      for region in work.regions {
        let spent = min(elapsed, expected(region, work.stage.rawValue) ?? 0)
        regions[region, default: 0] -= spent
      }
    }
    for seconds in regions.values {
      sum += seconds
      longest = max(longest, seconds)
    }
    // The processors limit concurrency, and a region's stages run one after another.
    return max(longest, sum / Double(processors))
  }
}
