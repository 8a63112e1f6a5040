// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import StageKit
import SystemIO

/// An action whose inputs are known.
struct Step: Sendable {
  /// The number of the action in the plan.
  let number: Int
  /// The id of its region.
  let region: String
  let stage: Stage
  let resolved: ActionResolver.Resolved
}

/// One try at a step.
struct Attempt: Sendable {
  let step: Step
  /// What it left: command, log, report, `result.json` and, if it went well, the product.
  let folder: String
  /// How it ended, or why that is not known.
  let result: Result<ActionResult, any Error>
}

/// Runs stages as processes and writes down how that went, for each step in a folder of its own.
struct AttemptRunner: Sendable {
  let store: ActionStore
  let executor: LocalExecutor

  /// Tries some steps once: of one stage and, if there are several, of one source.
  func run(_ steps: [Step], threads: Int) -> [Attempt] {
    guard let first = steps.first else { return [] }
    if first.stage.cutsRegions { return cutRegions(steps, threads: threads) }
    return steps.map { step in
      attempt(step) { folder in try run(step, in: folder, threads: threads) }
    }
  }

  private func attempt(_ step: Step, _ body: (String) throws -> ActionResult) -> Attempt {
    var folder = ""
    let result = Result {
      folder = try store.newAttempt(region: step.region, stage: step.stage)
      return try body(folder)
    }
    return Attempt(step: step, folder: folder, result: result)
  }

  /// Runs the stage of one step.
  private func run(_ step: Step, in folder: String, threads: Int) throws -> ActionResult {
    let product = joinPath(folder, step.stage.product)
    let command = try command(
      step.stage, step.resolved.arguments(output: product), folder, threads: threads)
    try write(command, for: step, in: folder)
    let ending = try run(
      command, in: folder, standardOutput: step.stage.printsProduct ? product : nil)
    return try finish(step, ActionResult(ending), in: folder)
  }

  /// Cuts out the regions of all steps in one process, and gives each step its share of what
  /// that leaves, as if it had been alone.
  private func cutRegions(_ steps: [Step], threads: Int) -> [Attempt] {
    let shared: String
    let command: [String]
    let ending: Subprocess.Ending
    do {
      let first = steps[0]
      // No region's id has a plus.
      shared = try store.newAttempt(region: first.region + "+", stage: first.stage)
      let arguments = ActionResolver.Resolved.arguments(steps.map(\.resolved), output: shared)
      command = try self.command(first.stage, arguments, shared, threads: threads)
      ending = try run(command, in: shared, standardOutput: nil)
    } catch {
      return steps.map { Attempt(step: $0, folder: "", result: .failure(error)) }
    }
    defer { removeTree(shared) }
    let report = CutReport(joinPath(shared, "report.json"))
    let whole = ActionResult(ending)
    return steps.map { step in
      attempt(step) { folder in
        try write(command, for: step, in: folder)
        let part = report.part(step.region, share: 1 / Double(steps.count))
        var result = whole
        result.wallSeconds /= Double(steps.count)
        result.cpuSeconds /= Double(steps.count)
        if let part {
          result.exit = part.exit
          result.signal = nil
          try store.write(part.report, "report.json", in: folder)
        }
        let log =
          part?.message.map { "\(step.stage.executable ?? ""): error: \($0)" }
          ?? lastLines(joinPath(shared, "stderr.log"), 1000).joined(separator: "\n")
        try writeCacheFile(
          Array((log.isEmpty ? "" : log + "\n").utf8), to: joinPath(folder, "stderr.log"))
        let product = joinPath(shared, "\(step.region).trails")
        if result.exit == 0, pathExists(product) {
          try renamePath(product, to: joinPath(folder, step.stage.product))
        }
        return try finish(step, result, in: folder)
      }
    }
  }

  private func command(_ stage: Stage, _ arguments: [String], _ folder: String, threads: Int)
    throws(CairnError) -> [String]
  {
    guard let executable = stage.executable else {
      throw CairnError("unexpected", .software, "\(stage.rawValue) is no program")
    }
    return [executor.path(of: executable)] + arguments + [
      "--report", joinPath(folder, "report.json"), "--progress", "none", "--quiet",
      "--threads", "\(threads)",
    ]
  }

  private func run(_ command: [String], in folder: String, standardOutput: String?)
    throws(CairnError) -> Subprocess.Ending
  {
    try executor.run(
      command, standardOutput: standardOutput ?? joinPath(folder, "stdout.log"),
      log: joinPath(folder, "stderr.log"))
  }

  private func write(_ command: [String], for step: Step, in folder: String) throws(CairnError) {
    let record = ActionCommand(
      region: step.region, stage: step.stage.rawValue, key: step.resolved.key.digest,
      components: step.resolved.key.components, command: command)
    try store.write(record, "command.json", in: folder)
  }

  /// Notes down what was made and, last of all, how it ended.
  private func finish(_ step: Step, _ ended: ActionResult, in folder: String) throws(CairnError)
    -> ActionResult
  {
    var result = ended
    if result.exit == 0 {
      let product = joinPath(folder, step.stage.product)
      guard pathExists(product) else {
        throw CairnError(
          "no-product", .software, "ended well but wrote no \(step.stage.product)",
          at: Location(file: step.stage.executable ?? step.stage.rawValue))
      }
      result.outputs[step.stage.product] = FileRecord(
        bytes: try InputFile(product).size, sha256: try SHA256Digest.ofFile(product))
    }
    try store.write(result, "result.json", in: folder)
    return result
  }
}

extension ActionResult {
  init(_ ending: Subprocess.Ending) {
    self.init(
      exit: ending.exitStatus, signal: ending.signal, wallSeconds: ending.wallSeconds,
      cpuSeconds: ending.use.cpuSeconds, peakBytes: ending.use.peakBytes)
  }
}

/// The report of a stage that cut out several regions.
private struct CutReport {
  /// What it says of one region.
  struct Part {
    /// The exit status that the region alone would have given.
    var exit: Int32
    /// Its error, if it failed.
    var message: String?
    /// The report that the region alone would have given.
    var report: JSONValue
  }

  private var whole: [String: JSONValue] = [:]
  private var regions: [String: JSONValue] = [:]

  /// Reads a report; of one that is not there nothing is known.
  init(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      case .object(let whole)? = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
      case .object(let output)? = whole["output"], case .object(let regions)? = output["regions"]
    else { return }
    self.whole = whole
    self.regions = regions
  }

  /// What is said of a region, or nil if nothing is; `share` is its part of the time.
  func part(_ region: String, share: Double) -> Part? {
    guard case .object(var entry)? = regions[region] else { return nil }
    var report = whole
    report["warnings"] = entry.removeValue(forKey: "warnings") ?? .list([])
    report["error"] = entry.removeValue(forKey: "error")
    report["output"] = .object(entry)
    for key in ["wallSeconds", "cpuSeconds"] {
      if case .number(let seconds)? = whole[key] { report[key] = .number(seconds * share) }
    }
    var part = Part(exit: 0, message: nil, report: .object(report))
    if case .object(let error)? = report["error"] {
      part.exit = ExitCode.software.rawValue
      if case .integer(let exit)? = error["exitCode"], exit != 0 {
        part.exit = Int32(clamping: exit)
      }
      if case .text(let message)? = error["message"] { part.message = message }
    }
    return part
  }
}
