// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import FoundationEssentials
import Glibc
import Manifests
import MovingSources
import Pipeline
import Planning
import Synchronization
import SystemIO

/// `cairn run MANIFEST`: builds all regions of a manifest, limited to changes.
package struct RunCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn run",
    summary: "build and publish the regions of a manifest, rebuilding only what changed",
    discussion: """
      Runs the stages of the regions in parallel, checks the databases and atomically replaces \
      each region's bundle in OUTPUT/REGION. Reuses earlier results that are still valid from \
      OUTPUT/.cairn. A region that fails keeps its last bundle, is marked stale in \
      OUTPUT/index.json and does not stop the others. A stage that fails for a temporary reason is \
      run again; one that hangs is stopped. OUTPUT/.cairn/runs/NUMBER/report.json records the run. \
      After an interruption, the same command continues. With --executor slurm, each stage is a \
      job of a cluster whose nodes share the manifest's folders; resources: in the manifest become \
      --cpus-per-task, --mem and --time; SBATCH_PARTITION and similar variables set the rest. \
      Sources whose URL has no sha256 are checked for a new version first, and Overpass APIs are \
      queried; the lock file beside the manifest records the results, and --frozen uses exactly \
      those. Exit code 0: all regions are published or held back; 1: some failed; \
      73 or 74: the output cannot be written; 75: stopped, or another run is using the output \
      folder; 78: the manifest or lock file is invalid, or Slurm is not available.
      """,
    positionals: [.manifest],
    options: [
      .option(
        "jobs", "N", letter: "j",
        help: "threads at a time (default: one per processor), or Slurm jobs at a time (default "
          + "64)"),
      .option("executor", "KIND", help: "where to run the stages: local or slurm (default local)"),
      .option(
        "memory", "SIZE",
        help: "memory for all stages together, such as 8 GiB, or a number of MiB (default: most of "
          + "what is free)"),
      .option("nice", "N", help: "lower the priority of the stages, 0 to 19 (default 0)"),
      .option(
        "timeout", "SECONDS",
        help: "stop a stage after this time unless the manifest sets another (default 21600)"),
      .option(
        "keep-previous", "N", help: "earlier bundles to keep for cairn rollback (default 1)"),
      .option("regions", "ID,ID", help: "only these regions"),
      .option(
        "accept-drift", "ID,ID",
        help: "publish these regions, or all, even if max-drift is exceeded"),
      .flag("force", help: "rebuild everything"),
      .flag("explain", help: "explain why each action runs"),
      .flag(
        "paranoid", help: "read all files and results again instead of using recorded digests"),
      .option(
        "metrics", "FILE",
        help: "at the end write figures of the regions for Prometheus, such as "
          + "/var/lib/prometheus/node-exporter/cairn.prom"),
      .flag("dry-run", letter: "n", help: "print what would be done and why, and do nothing"),
      .option("progress", "STYLE", help: "auto, plain, json or none (default auto)"),
      .option("color", "WHEN", help: "auto, always or never (default auto; see NO_COLOR)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ] + SourceOptions.definitions,
    examples: [
      "cairn run pipelines/sample.yaml",
      "cairn run --regions valley-west --dry-run pipelines/sample.yaml",
      "cairn run -j 4 --memory 8GiB --nice 10 pipelines/sample.yaml",
      "cairn run --executor slurm pipelines/sample.yaml",
    ])

  /// Runs the manifest.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let styles = Progress.Style.allCases.map(\.rawValue)
    let style = try arguments.choice("progress", of: styles).flatMap(Progress.Style.init)
    let manifest = try Manifest.load(argument: arguments.positionals.first)
    let ids = try selection(arguments)
    let plan = try Plan(manifest, selection: ids)
    var options = try Orchestrator.Options(arguments)
    options.regionsWithAcceptedDrift = try regionsWithAcceptedDrift(arguments, plan)
    let sources = try SourceOptions(arguments)
    if arguments.has("dry-run") {
      let locked = try Plan(
        manifest.locked(for: ids), selection: ids, fetching: sources.fetching)
      try locked.check(options.programs)
      let lines =
        Forecaster(locked, options).lines()
        + (sources.mode == .asking ? locked.questions : [])
      try Console.write(lines.joined(separator: "\n") + "\n")
      return .success
    }
    let choices = Palette.Choice.allCases.map(\.rawValue)
    let color = try arguments.choice("color", of: choices).flatMap(Palette.Choice.init) ?? .auto
    if let niceness = try arguments.integer("nice", in: 0...19) { nice(Int32(niceness)) }
    let (isQuiet, isExplained) = (arguments.has("quiet"), arguments.has("explain"))
    let look = Look(
      style: isQuiet ? .none : style ?? (isExplained ? .plain : .auto), color: color,
      isExplained: isExplained, isQuiet: isQuiet)
    let metrics = try arguments.value("metrics").map { try RunMetrics($0) }
    let (summary, record) = try build(plan, sources, options, look)
    let written = Result { () throws(CairnError) in
      try metrics?.write(
        summary, of: manifest, OutputFolder(manifest), end: Date.now.timeIntervalSince1970)
    }
    try tell(summary, record, look)
    guard case .failure(let error) = written else { return summary.exitCode }
    RunLog(isPlain: true).note("error: the metrics are not written: \(error)")
    return summary.exitCode == .success ? error.exitCode : summary.exitCode
  }

  /// How a run is shown.
  private struct Look {
    var style: Progress.Style
    var color: Palette.Choice
    /// Whether to print the reason why each action runs or does not.
    var isExplained: Bool
    var isQuiet: Bool
  }

  /// Runs the build. Returns its summary, and the path of its record.
  private static func build(
    _ asked: Plan, _ sources: SourceOptions, _ options: Orchestrator.Options, _ look: Look
  ) throws -> (RunSummary, Result<String, CairnError>) {
    let interruption = Interruption()
    let events = EventRelay(
      isExplained: look.isExplained && !look.isQuiet && look.style != .json)
    let startTime = time(nil)
    var options = options
    options.startTime = startTime
    let watch = SignalWatch(interruption)
    let (plan, held) = try resolved(asked, sources, options, interruption, look.style)
    let orchestrator = try Orchestrator(
      plan, options, interruption: interruption, report: events.show)
    let history = orchestrator.history
    let printer = RunPrinter(
      look.style,
      RunDisplay(plan, processors: options.parallelism) {
        history.seconds(region: $0, stage: $1)
      },
      total: plan.actions.count, Palette.chosen(look.color, for: STDERR_FILENO), interruption)
    events.connect(printer)
    let ticker = printer.ticker()
    defer {
      withExtendedLifetime((watch, ticker)) {}
      printer.end()
    }
    let folder = OutputFolder(plan.manifest)
    let lock = try held ?? folder.lock()
    return try withExtendedLifetime(lock) {
      let summary = try orchestrator.run(holding: lock)
      // While the lock is held: a run that begins meanwhile would take the same number.
      let record = Result { () throws(CairnError) in
        try RunRecord(store: folder.store).write(
          summary, manifest: plan.manifest.path, startTime: startTime)
      }
      return (summary, record)
    }
  }

  /// Prints the summary of a run.
  private static func tell(
    _ summary: RunSummary, _ record: Result<String, CairnError>, _ look: Look
  ) throws {
    let path = try? record.get()
    if look.style == .json {
      var object = summary.json
      object["event"] = "summary"
      if let path { object["report"] = .text(path) }
      let bytes = try encodeJSON(JSONValue.object(object), pretty: false)
      Console.note(String(decoding: bytes.dropLast(), as: UTF8.self))
      return
    }
    if !look.isQuiet {
      let text = summary.text(
        Palette.chosen(look.color, for: STDOUT_FILENO), columns: Console.columns)
      // The exit code reports the result even if nobody reads this.
      try Console.write(text, endsWithReader: false)
    }
    // After the table, to be visible whatever its length.
    let log = RunLog(isPlain: true)
    if case .failure(let error) = record, !look.isQuiet,
      !(summary.isDiskFull && error.isOfFullDisk)
    {
      log.note("warning: cannot write a record of this run: \(error)")
    }
    let lines = summary.failureLines(
      Palette.chosen(look.color, for: STDERR_FILENO), record: path, isQuiet: look.isQuiet)
    for line in lines { log.note(line) }
    if let path, summary.exitCode != .success { log.note("report: \(path)") }
  }

  /// The plan with resolved moving sources, and the lock of the output folder if it was needed for
  /// that.
  private static func resolved(
    _ plan: Plan, _ sources: SourceOptions, _ options: Orchestrator.Options,
    _ interruption: Interruption, _ style: Progress.Style
  ) throws -> (Plan, FileLock?) {
    let manifest = plan.manifest
    let ids = plan.regions.map(\.id)
    let isMoving =
      plan.regions.contains { manifest.sources[$0.source]?.isMoving ?? false }
      || manifest.elevationFolders(of: plan.regions).contains { $0.pattern != nil || $0.hasRasters }
    guard isMoving else {
      return (try Plan(manifest, selection: ids, fetching: sources.fetching), nil)
    }
    // Other problems are reported before anything is downloaded.
    try plan.check(options.programs)
    let lock = try OutputFolder(manifest).lock()
    let isShown = style != .none && style != .json
    let progress = Progress(command: "cairn run", style: isShown ? style : .none)
    let watch = DownloadWatch(progress)
    defer { progress.end() }
    let resolver = sources.resolver(
      manifest, plan.regions, options.programs, interruption, progress: watch.show
    ) { source, message in
      if isShown { Console.note(printable("cairn run: \(source): \(message)")) }
    }
    return (try Plan(resolver.resolve(), selection: ids, fetching: sources.fetching), lock)
  }

  /// Shows how far downloads are, all together.
  private final class DownloadWatch: Sendable {
    private let progress: Progress
    private let bytes = Mutex<[String: Int]>([:])

    init(_ progress: Progress) { self.progress = progress }

    @Sendable func show(_ request: FetchRequest, _ done: Int) {
      let more = bytes.withLock { bytes in
        if bytes.isEmpty { progress.begin("downloading", total: 0) }
        // Another attempt begins at 0 again.
        return max(0, done - (bytes.updateValue(done, forKey: request.url) ?? 0))
      }
      progress.advance(by: more)
    }
  }

  /// Carries events to the printer, which needs the orchestrator's history.
  private final class EventRelay: Sendable {
    private let printer = Mutex<RunPrinter?>(nil)
    private let isExplained: Bool

    /// - Parameter isExplained: Whether to print the reason why each action runs or does not.
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
  /// The option for the folder of the stages.
  static let binaryOption = CommandDefinition.Option.option(
    "bin", "DIR", help: "the folder of the stages (default: the folder of cairn)")

  /// Reads the options of a command line, as far as the command has them.
  init(_ arguments: Arguments) throws(CairnError) {
    let executor = ExecutorChoice(
      try arguments.choice("executor", of: ExecutorChoice.names),
      cairn: joinPath(executableFolder(), "cairn"),
      searchPath: getenv("PATH").map { String(cString: $0) } ?? "")
    self.init(
      programs: StagePrograms(folder: arguments.value("bin") ?? executableFolder()),
      executor: executor,
      parallelism: try arguments.integer("jobs", in: 1...1024) ?? executor.defaultParallelism)
    attempts.isForced = arguments.has("force")
    isParanoid = arguments.has("paranoid")
    memoryBytes = try arguments.memory("memory")
    attempts.boundsMemory = memoryBytes != nil
    if let seconds = try arguments.integer("timeout", in: 1...31_622_400) {
      attempts.timeoutSeconds = Double(seconds)
    }
    keepPrevious = try arguments.integer("keep-previous", in: 0...1000) ?? 1
    sourceDateEpoch = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
    // Otherwise each stage of each region would report it.
    if let sourceDateEpoch { _ = try CommandLineKit.sourceDateEpoch(sourceDateEpoch) }
  }
}

extension RunEvent {
  /// Why an action runs or does not.
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
