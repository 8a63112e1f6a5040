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
  /// The size of what it reads.
  let inputBytes: Int
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
  let plan: Plan
  let store: ActionStore
  let resolver: ActionResolver
  /// Runs them elsewhere, if they are not to run here.
  let slurm: SlurmExecutor?
  /// When a stage is stopped that the manifest gives no time of its own.
  let timeoutSeconds: Double
  /// Whether jobs of an earlier run count that are at work or done.
  let isAdopting: Bool
  let report: @Sendable (RunEvent) -> Void

  private var executor: LocalExecutor { resolver.executor }

  /// Tries some steps once: of one stage and, if there are several, of one source.
  ///
  /// - Parameters:
  ///   - limits: What a stage may use.
  ///   - ended: Called with each attempt as soon as it has ended.
  func run(
    _ steps: [Step], limits: (Stage) -> SlurmTools.Limits, ended: (Attempt) -> Void
  ) {
    guard let first = steps.first else { return }
    if first.stage.cutsRegions { return cutRegions(first, steps, limits, ended) }
    for step in steps {
      var folder = ""
      let result = Result {
        if let (attempt, result) = try endedJob([step], named: step.region) {
          folder = attempt.folder
          return try finish(step, result, in: folder)
        }
        folder = try newAttempt(step.region, step.stage)
        return try run(step, in: folder, limits)
      }
      ended(Attempt(step: step, folder: folder, result: result))
    }
  }

  func newAttempt(_ region: String, _ stage: Stage) throws -> String {
    try store.newAttempt(region: region, stage: stage) { slurm?.abandon($0) }
  }

  /// Runs the stage of one step.
  private func run(
    _ step: Step, in folder: String, _ limits: (Stage) -> SlurmTools.Limits
  ) throws -> ActionResult {
    let product = joinPath(folder, step.stage.product)
    let threads = limits(step.stage).threads
    let arguments = step.resolved.arguments(output: product, threads: threads)
    let command = try command(step.stage, arguments, folder, threads: threads)
    try write(command, for: step, in: folder)
    let order = order(step.stage, command)
    return try finish(step, run(order, [step], in: folder, limits), in: folder)
  }

  /// Cuts out the regions of all steps in one process, and gives each step its share of what
  /// that leaves, as if it had been alone.
  private func cutRegions(
    _ first: Step, _ steps: [Step], _ limits: (Stage) -> SlurmTools.Limits,
    _ ended: (Attempt) -> Void
  ) {
    let shared: String
    let command: [String]
    var share: ActionResult
    do {
      // No region's id has a plus.
      let name = first.region + "+"
      let earlier = try endedJob(steps, named: name)
      shared = try earlier?.attempt.folder ?? newAttempt(name, first.stage)
      let threads = limits(first.stage).threads
      let arguments = ActionResolver.Resolved.arguments(
        steps.map(\.resolved), output: shared, threads: threads)
      command = try self.command(first.stage, arguments, shared, threads: threads)
      share =
        try earlier?.result
        ?? run(order(first.stage, command), steps, in: shared, limits)
    } catch {
      for step in steps { ended(Attempt(step: step, folder: "", result: .failure(error))) }
      return
    }
    defer { removeTree(shared) }
    let report = CutReport(joinPath(shared, "report.json"))
    share.wallSeconds /= Double(steps.count)
    share.cpuSeconds /= Double(steps.count)
    for step in steps {
      var folder = ""
      let result = Result {
        folder = try newAttempt(step.region, step.stage)
        try write(command, for: step, in: folder)
        let part = report.part(step.region, share: 1 / Double(steps.count))
        return try settle(step, share, part, from: shared, in: folder)
      }
      ended(Attempt(step: step, folder: folder, result: result))
    }
  }

  /// Gives a step what is its own of what the process of several left in `shared`.
  private func settle(
    _ step: Step, _ share: ActionResult, _ part: CutReport.Part?, from shared: String,
    in folder: String
  ) throws(CairnError) -> ActionResult {
    var result = share
    var log = lastLines(joinPath(shared, "stderr.log"), 1000)
    if let part, result.reason == nil {
      // The process may have failed for another region, and then says so in its log.
      if result.exit != 0 { log = [] }
      if let message = part.message { log = ["\(step.stage.executable ?? ""): error: \(message)"] }
      result.exit = part.exit
      result.signal = nil
      result.reason = nil
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

  func command(_ stage: Stage, _ arguments: [String], _ folder: String, threads: Int)
    throws(CairnError) -> [String]
  {
    // A command of the user's gets what it asks for and no more.
    if case .custom = stage { return arguments }
    guard let executable = stage.executable else {
      throw CairnError("unexpected", .software, "\(stage.rawValue) is no program")
    }
    return [executor.path(of: executable)] + arguments + [
      "--report", joinPath(folder, "report.json"), "--progress", "json", "--threads",
      "\(threads)",
    ]
  }

  func order(_ stage: Stage, _ command: [String]) -> StageOrder {
    StageOrder(
      command: command, printedProduct: stage.printsProduct ? stage.product : nil,
      products: stage.cutsRegions ? [] : stage.products,
      timeoutSeconds: plan.manifest.resources(ofStage: stage.rawValue).timeSeconds
        ?? timeoutSeconds,
      graceSeconds: executor.graceSeconds)
  }

  /// Runs an order in the folder of an attempt, here or as a job.
  private func run(
    _ order: StageOrder, _ steps: [Step], in folder: String,
    _ limits: (Stage) -> SlurmTools.Limits
  ) throws -> ActionResult {
    guard let first = steps.first else {
      throw CairnError("unexpected", .software, "an order without a step")
    }
    guard let slurm else {
      return try order.run(in: folder, executor) { report(.progress(job: first.number, $0)) }
    }
    let own = limits(first.stage)
    var job = JobOrder(stage: order)
    let next = steps.flatMap { step in
      chain(
        behind: step.number,
        product: step.stage.cutsRegions ? "\(step.region).trails" : step.stage.product, &job,
        limits: limits)
    }
    let attempt = try SlurmAttempt(
      folder: folder, region: first.region, stage: first.stage, keys: keys(steps),
      memoryMiB: own.memoryMiB)
    let link = JobChain(
      place: .init(region: first.region, stage: first.stage), attempt: attempt, order: job,
      limits: own, next: next)
    return try slurm.run(link) { report(.progress(job: first.number, $0)) }
  }

  /// The job that does just this already, and how it ended: submitted ahead of its time in this
  /// run, or by an earlier one. Nil if there is none, or none that came to anything.
  private func endedJob(_ steps: [Step], named name: String) throws -> (
    attempt: SlurmAttempt, result: ActionResult
  )? {
    guard let slurm, let first = steps.first else { return nil }
    var found = slurm.takeAhead(.init(region: name, stage: first.stage))
    let isOwn = found?.does(steps) == true
    if !isOwn { found = try adopted(steps, named: name, slurm) }
    guard let attempt = found else { return nil }
    let result = try slurm.wait(for: attempt) { report(.progress(job: first.number, $0)) }
    // An earlier run may have been killed while it was ending the job.
    let isLost = attempt.neverBegan || !isOwn && attempt.result == nil
    if isLost, executor.interruption.signal == nil { return nil }
    if attempt.record.open != nil, result.exit == 0,
      store.command(inFolder: attempt.folder)?.key != first.resolved.key.digest
    {
      return nil
    }
    return (attempt, result)
  }

  /// The attempt of an earlier run whose job does just this, if there is one.
  private func adopted(_ steps: [Step], named name: String, _ slurm: SlurmExecutor) throws
    -> SlurmAttempt?
  {
    guard let first = steps.first, isAdopting else { return nil }
    let folders = try store.attempts(region: name, stage: first.stage)
    let isCut = first.stage.cutsRegions
    let products = steps.flatMap { isCut ? ["\($0.region).trails"] : $0.stage.products }
    let attempt = try slurm.adoptable(folders, steps, products: products)
    if let attempt, let job = attempt.record.job {
      let verb = attempt.result == nil ? "goes on" : "was finished"
      report(
        .note(region: first.region, message: "\(first.stage.rawValue) \(verb) as Slurm job \(job)"))
    }
    return attempt
  }

  private func keys(_ steps: [Step]) -> [String: String] {
    Dictionary(steps.map { ($0.region, $0.resolved.key.digest) }) { first, _ in first }
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
    // A job has noted down already what it made.
    if result.exit == 0, result.outputs.isEmpty {
      let names = step.stage.products
      guard let outputs = try ActionResult.outputs(names, in: folder) else {
        let missing = names.first { !isFile(joinPath(folder, $0)) } ?? step.stage.product
        throw CairnError(
          .noProduct, .software, "ended well but wrote no \(missing)",
          at: Location(file: step.stage.executable ?? step.stage.rawValue))
      }
      result.outputs = outputs
    }
    try store.write(result, "result.json", in: folder)
    return result
  }
}

extension CairnError.Code {
  /// A stage ended well and did not write what it should have written.
  static let noProduct: Self = "no-product"
}
