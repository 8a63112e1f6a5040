// SPDX-License-Identifier: Apache-2.0
import Diagnostics
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
    if first.stage.cutsRegions { return cutRegions(first, steps, threads: threads) }
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
    let arguments = step.resolved.arguments(output: product, threads: threads)
    let command = try command(step.stage, arguments, folder, threads: threads)
    try write(command, for: step, in: folder)
    let ending = try run(
      command, in: folder, standardOutput: step.stage.printsProduct ? product : nil)
    return try finish(step, ActionResult(ending), in: folder)
  }

  /// Cuts out the regions of all steps in one process, and gives each step its share of what
  /// that leaves, as if it had been alone.
  private func cutRegions(_ first: Step, _ steps: [Step], threads: Int) -> [Attempt] {
    let shared: String
    let command: [String]
    let ending: Subprocess.Ending
    do {
      // No region's id has a plus.
      shared = try store.newAttempt(region: first.region + "+", stage: first.stage)
      let arguments = ActionResolver.Resolved.arguments(
        steps.map(\.resolved), output: shared, threads: threads)
      command = try self.command(first.stage, arguments, shared, threads: threads)
      ending = try run(command, in: shared, standardOutput: nil)
    } catch {
      return steps.map { Attempt(step: $0, folder: "", result: .failure(error)) }
    }
    defer { removeTree(shared) }
    let report = CutReport(joinPath(shared, "report.json"))
    var share = ActionResult(ending)
    share.wallSeconds /= Double(steps.count)
    share.cpuSeconds /= Double(steps.count)
    return steps.map { step in
      attempt(step) { folder in
        try write(command, for: step, in: folder)
        let part = report.part(step.region, share: 1 / Double(steps.count))
        return try settle(step, share, part, from: shared, in: folder)
      }
    }
  }

  /// Gives a step what is its own of what the process of several left in `shared`.
  private func settle(
    _ step: Step, _ share: ActionResult, _ part: CutReport.Part?, from shared: String,
    in folder: String
  ) throws(CairnError) -> ActionResult {
    var result = share
    var log = lastLines(joinPath(shared, "stderr.log"), 1000)
    if let part {
      // The process may have failed for another region, and then says so in its log.
      if result.exit != 0 { log = [] }
      if let message = part.message { log = ["\(step.stage.executable ?? ""): error: \(message)"] }
      result.exit = part.exit
      result.signal = nil
      try store.write(part.report, "report.json", in: folder)
    }
    try writeCacheFile(
      Array(log.map { $0 + "\n" }.joined().utf8), to: joinPath(folder, "stderr.log"))
    let product = joinPath(shared, "\(step.region).trails")
    if result.exit == 0, pathExists(product) {
      try renamePath(product, to: joinPath(folder, step.stage.product))
    }
    return try finish(step, result, in: folder)
  }

  private func command(_ stage: Stage, _ arguments: [String], _ folder: String, threads: Int)
    throws(CairnError) -> [String]
  {
    // A command of the user's gets what it asks for and no more.
    if case .custom = stage { return arguments }
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
      for name in step.stage.products {
        let product = joinPath(folder, name)
        guard isFile(product) else {
          throw CairnError(
            "no-product", .software, "ended well but wrote no \(name)",
            at: Location(file: step.stage.executable ?? step.stage.rawValue))
        }
        result.outputs[name] = FileRecord(
          bytes: try InputFile(product).size, sha256: try SHA256Digest.ofFile(product))
      }
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
