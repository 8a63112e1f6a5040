import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import Synchronization
import SystemIO

/// `cairn run MANIFEST`: all regions of a manifest, and only what changed.
package struct RunCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn run",
    summary: "build and publish the regions of a manifest, redoing only what changed",
    discussion: """
      Runs the stages of every region in parallel, checks the databases and puts each region's \
      bundle into OUTPUT/REGION in one step. What was made before and still fits is taken from \
      OUTPUT/.cairn. A region that fails keeps its last bundle, is marked stale in \
      OUTPUT/index.json and does not stop the others. A stage that fails in a way that may pass \
      is run again; one that hangs is stopped. What a run did is told in \
      OUTPUT/.cairn/runs/NUMBER/report.json. However a run ends, the same command goes on from \
      there. With --executor slurm each stage is a job of a cluster whose nodes share the \
      manifest's folders; resources: in the manifest become --cpus-per-task, --mem and --time, \
      SBATCH_PARTITION and the like choose the rest. Exit code 0: all regions are there; 1: some \
      failed; 73 or 74: the output cannot be written; 75: stopped, or another run is at work; 78: \
      wrong manifest, or no Slurm.
      """,
    positionals: [.init("MANIFEST", help: "the manifest, a YAML file")],
    options: [
      .option(
        "jobs", "N", letter: "j",
        help: "threads at work at a time (default: the processors), or jobs of Slurm (64)"),
      .option("executor", "KIND", help: "what runs the stages: local or slurm (default local)"),
      .option(
        "memory", "MIB", help: "memory for all stages together (default: most of what is free)"),
      .option("nice", "N", help: "leave the processors to others first, 0 to 19 (default 0)"),
      .option(
        "timeout", "SECONDS",
        help: "stop a stage after this time, unless the manifest says another (default 21600)"),
      .option(
        "keep-previous", "N", help: "earlier bundles to keep for cairn rollback (default 1)"),
      .option("regions", "ID,ID", help: "only these regions"),
      .option(
        "accept-drift", "ID,ID",
        help: "publish these regions, or all, however much they changed since the last time"),
      .flag("force", help: "redo everything, whatever was made before"),
      .flag("explain", help: "say of each step why it runs, or that it is up to date"),
      .flag("paranoid", help: "read all files and results again instead of trusting what is known"),
      .flag("dry-run", letter: "n", help: "say what would be done and why, and do nothing"),
      .option("progress", "STYLE", help: "auto, plain, json or none (default auto)"),
      .option("color", "WHEN", help: "auto, always or never (default auto; see NO_COLOR)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ],
    examples: [
      "cairn run pipelines/sample.yaml",
      "cairn run --regions valley-west --dry-run pipelines/sample.yaml",
      "cairn run -j 4 --memory 8000 --nice 10 pipelines/sample.yaml",
      "cairn run --executor slurm pipelines/sample.yaml",
    ])

  /// Runs the manifest.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let styles = Progress.Style.allCases.map(\.rawValue)
    let style = try arguments.choice("progress", of: styles).flatMap(Progress.Style.init)
    let plan = try Plan(
      Manifest.load(arguments.positionals.first ?? ""), selection: selection(arguments))
    var options = try Orchestrator.Options(arguments)
    options.regionsWithAcceptedDrift = try regionsWithAcceptedDrift(arguments, plan)
    if arguments.has("dry-run") {
      let lines = try Orchestrator(plan, options).forecast()
      try Console.write(lines.joined(separator: "\n") + "\n")
      return .success
    }
    let choices = Palette.Choice.allCases.map(\.rawValue)
    let color = try arguments.choice("color", of: choices).flatMap(Palette.Choice.init) ?? .auto
    if let niceness = try arguments.integer("nice", in: 0...19) { nice(Int32(niceness)) }
    let isExplained = arguments.has("explain")
    return try run(
      plan, options, arguments.has("quiet") ? .none : style ?? (isExplained ? .plain : .auto),
      color, isExplained: isExplained, isQuiet: arguments.has("quiet"))
  }

  private static func run(
    _ plan: Plan, _ options: Orchestrator.Options, _ style: Progress.Style,
    _ color: Palette.Choice, isExplained: Bool, isQuiet: Bool
  ) throws -> ExitCode {
    let interruption = Interruption()
    let events = EventRelay(isExplained: isExplained && !isQuiet && style != .json)
    let startTime = time(nil)
    let summary = try {
      let watch = SignalWatch(interruption)
      let orchestrator = try Orchestrator(
        plan, options, interruption: interruption, report: events.show)
      let history = orchestrator.history
      let printer = RunPrinter(
        style,
        RunDisplay(plan, processors: options.jobs) { history.seconds(region: $0, stage: $1) },
        total: plan.actions.count, Palette.chosen(color, for: STDERR_FILENO), interruption)
      events.connect(printer)
      let ticker = printer.ticker()
      defer {
        withExtendedLifetime((watch, ticker)) {}
        printer.end()
      }
      return try orchestrator.run()
    }()
    var record: String?
    do {
      record = try RunRecord(store: ActionStore(plan.manifest)).write(
        summary, manifest: plan.manifest.path, startTime: startTime)
    } catch { Console.note("cairn run: warning: no record of this run: \(error)") }
    if style == .json {
      var object = summary.json
      object["event"] = "summary"
      if let record { object["report"] = .text(record) }
      let bytes = try encodeJSON(JSONValue.object(object), pretty: false)
      Console.note(String(decoding: bytes.dropLast(), as: UTF8.self))
      return summary.exitCode
    }
    if !isQuiet {
      let text = summary.text(Palette.chosen(color, for: STDOUT_FILENO))
      // Whoever reads it or not, the exit code tells how the run ended.
      try Console.write(text, endsWithReader: false)
    }
    // Behind a table of any length, where they are seen.
    for line in summary.failureLines(Palette.chosen(color, for: STDERR_FILENO)) {
      Console.note(line)
    }
    if let record, summary.exitCode != .success { Console.note("report: \(record)") }
    return summary.exitCode
  }

  /// Carries events to the printer, which needs the orchestrator's history.
  private final class EventRelay: Sendable {
    private let printer = Mutex<RunPrinter?>(nil)
    private let isExplained: Bool

    /// - Parameter isExplained: Whether to say of each step why it runs or does not.
    init(isExplained: Bool) { self.isExplained = isExplained }

    func connect(_ printer: RunPrinter) { self.printer.withLock { $0 = printer } }

    @Sendable func show(_ event: RunEvent) {
      if isExplained, let line = event.explanation { Console.note(line) }
      printer.withLock { $0 }?.show(event)
    }
  }

  private static func regionsWithAcceptedDrift(_ arguments: Arguments, _ plan: Plan)
    throws(CairnError) -> Set<String>
  {
    guard let list = arguments.value("accept-drift") else { return [] }
    let known = plan.regions.map(\.id)
    if list == "all" { return Set(known) }
    let ids = list.split(separator: ",").map(String.init)
    for id in ids where !known.contains(id) {
      throw arguments.usageError(
        "--accept-drift: this run has no region “\(id)”",
        hint: nearestWord(to: id, among: known).map { "did you mean \($0)?" })
    }
    return Set(ids)
  }

  static func selection(_ arguments: Arguments) throws -> [String]? {
    guard let list = arguments.value("regions") else { return nil }
    let ids = list.split(separator: ",").map(String.init)
    guard !ids.isEmpty else {
      throw arguments.usageError("--regions needs ids, such as --regions valley-west")
    }
    return ids
  }
}

extension Orchestrator.Options {
  /// The option that tells where the stages are.
  static let binaryOption = CommandDefinition.Option.option(
    "bin", "DIR", help: "the folder of the stages (default: that of cairn)")

  /// Reads the options of a command line, as far as the command has them.
  init(_ arguments: Arguments) throws(CairnError) {
    let isLocal = try arguments.choice("executor", of: ["local", "slurm"]) != "slurm"
    self.init(
      binaries: arguments.value("bin") ?? executableFolder(),
      jobs: try arguments.integer("jobs", in: 1...1024)
        ?? (isLocal ? availableProcessors() : SlurmExecutor.defaultJobs))
    if !isLocal {
      slurm = SlurmExecutor.Settings(
        cairn: joinPath(executableFolder(), "cairn"),
        searchPath: getenv("PATH").map { String(cString: $0) } ?? "")
    }
    isForced = arguments.has("force")
    isParanoid = arguments.has("paranoid")
    memoryBytes = try arguments.integer("memory", in: 1...1 << 30).map { $0 << 20 }
    if let seconds = try arguments.integer("timeout", in: 1...31_622_400) {
      timeoutSeconds = Double(seconds)
    }
    keepPrevious = try arguments.integer("keep-previous", in: 0...1000) ?? 1
    sourceDateEpoch = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
  }
}

extension RunEvent {
  /// Why a step runs or does not.
  var explanation: String? {
    switch self {
    case .started(let region, let stage, let reason, _, _):
      "\(region) \(stage.rawValue): \(reason)"
    case .finished(let region, let stage, _, isCached: true):
      "\(region) \(stage.rawValue): up to date"
    default: nil
    }
  }
}
