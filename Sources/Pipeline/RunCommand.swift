// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import StageKit
import SystemIO

/// `cairn run MANIFEST`: all regions of a manifest, and only what changed.
public struct RunCommand: Command {
  /// Name, options and help.
  public static let definition = CommandDefinition(
    name: "cairn run",
    summary: "build and publish the regions of a manifest, redoing only what changed",
    discussion: """
      Runs the stages of every region in parallel, checks the databases and puts each region's \
      bundle into OUTPUT/REGION in one step. What was made before and still fits is taken from \
      OUTPUT/.cairn. A region that fails keeps its last bundle and does not stop the others. \
      Exit code 0: all regions are there; 1: some failed; 75: stopped, or another run is at work.
      """,
    positionals: [.init("MANIFEST", help: "the manifest, a YAML file")],
    options: [
      .option("jobs", "N", letter: "j", help: "stages at a time (default: the processors)"),
      .option("regions", "ID,ID", help: "only these regions"),
      .flag("force", help: "redo everything, whatever was made before"),
      .flag("explain", help: "say of each step why it runs, or that it is up to date"),
      .flag("paranoid", help: "read all files and results again instead of trusting what is known"),
      .flag("dry-run", letter: "n", help: "say what would be done and why, and do nothing"),
      .option("progress", "STYLE", help: "auto, plain, json or none (default auto)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      Orchestrator.Options.binaryOption,
    ],
    examples: [
      "cairn run pipelines/sample.yaml",
      "cairn run --regions valley-west --dry-run pipelines/sample.yaml",
    ])

  /// Runs the manifest.
  public static func run(_ arguments: Arguments) throws -> ExitCode {
    let styles = Progress.Style.allCases.map(\.rawValue)
    let style = try arguments.choice("progress", of: styles).flatMap(Progress.Style.init)
    let options = try Orchestrator.Options(arguments)
    let plan = try Plan(
      Manifest.load(arguments.positionals.first ?? ""), selection: selection(arguments))
    if arguments.has("dry-run") {
      let lines = try Orchestrator(plan, options).forecast()
      try Console.write(lines.joined(separator: "\n") + "\n")
      return .success
    }
    let isQuiet = arguments.has("quiet")
    let usual: Progress.Style = arguments.has("explain") ? .plain : .auto
    let printer = RunPrinter(isQuiet ? .none : style ?? usual, total: plan.actions.count)
    let isExplained = arguments.has("explain") && !isQuiet && style != .json
    let show: @Sendable (RunEvent) -> Void = { event in
      if isExplained, let line = event.explanation { Console.note(line) }
      printer.show(event)
    }
    let interruption = Interruption()
    let summary = try {
      let watch = SignalWatch(interruption)
      defer {
        withExtendedLifetime(watch) {}
        printer.end()
      }
      return try Orchestrator(
        plan, options, interruption: interruption, report: show
      ).run()
    }()
    for line in summary.failureLines { Console.note(line) }
    if style == .json, !isQuiet {
      let bytes = try encodeJSON(summary.json, pretty: false)
      Console.note(String(decoding: bytes.dropLast(), as: UTF8.self))
    } else if !isQuiet {
      try Console.write(summary.text)
    }
    return summary.exitCode
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
    self.init(
      binaries: arguments.value("bin") ?? executableFolder(),
      jobs: try arguments.integer("jobs", in: 1...1024) ?? availableProcessors())
    isForced = arguments.has("force")
    isParanoid = arguments.has("paranoid")
    sourceDateEpoch = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
  }
}

extension RunEvent {
  /// Why a step runs or does not.
  var explanation: String? {
    switch self {
    case .started(let region, let stage, let reason, _): "\(region) \(stage.rawValue): \(reason)"
    case .finished(let region, let stage, _, isCached: true):
      "\(region) \(stage.rawValue): up to date"
    default: nil
    }
  }
}
