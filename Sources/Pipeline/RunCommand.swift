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
      .option(
        "accept-drift", "ID,ID",
        help: "publish these regions, or all, however much they changed since the last time"),
      .flag("force", help: "redo everything, whatever was made before"),
      .flag("dry-run", letter: "n", help: "say what would be done and why, and do nothing"),
      .option("progress", "STYLE", help: "auto, plain, json or none (default auto)"),
      .flag("quiet", letter: "q", help: "print nothing but errors"),
      .option("bin", "DIR", help: "the folder of the stages (default: that of cairn)"),
    ],
    examples: [
      "cairn run pipelines/sample.yaml",
      "cairn run --regions valley-west --dry-run pipelines/sample.yaml",
    ])

  /// Runs the manifest.
  public static func run(_ arguments: Arguments) throws -> ExitCode {
    let styles = Progress.Style.allCases.map(\.rawValue)
    let style = try arguments.choice("progress", of: styles).flatMap(Progress.Style.init)
    let plan = try Plan(
      Manifest.load(arguments.positionals.first ?? ""), selection: selection(arguments))
    var options = try options(arguments)
    options.regionsWithAcceptedDrift = try regionsWithAcceptedDrift(arguments, plan)
    if arguments.has("dry-run") {
      let lines = try Orchestrator(plan, options).forecast()
      try Console.write(lines.joined(separator: "\n") + "\n")
      return .success
    }
    let isQuiet = arguments.has("quiet")
    let printer = RunPrinter(isQuiet ? .none : style ?? .auto, total: plan.actions.count)
    let interruption = Interruption()
    let summary = try {
      let watch = SignalWatch(interruption)
      defer {
        withExtendedLifetime(watch) {}
        printer.end()
      }
      return try Orchestrator(
        plan, options, interruption: interruption, report: printer.show
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

  private static func options(_ arguments: Arguments) throws -> Orchestrator.Options {
    var options = Orchestrator.Options(
      binaries: try arguments.value("bin") ?? ownFolder(),
      jobs: try arguments.integer("jobs", in: 1...1024) ?? availableProcessors())
    options.isForced = arguments.has("force")
    options.sourceDateEpoch = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
    return options
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

  private static func selection(_ arguments: Arguments) throws -> [String]? {
    guard let list = arguments.value("regions") else { return nil }
    let ids = list.split(separator: ",").map(String.init)
    guard !ids.isEmpty else {
      throw arguments.usageError("--regions needs ids, such as --regions valley-west")
    }
    return ids
  }

  /// The folder of the running executable.
  private static func ownFolder() throws(CairnError) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else {
      throw CairnError(
        .cannotStart, .software, "cannot tell where cairn itself lies", hint: "give --bin DIR")
    }
    let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    return splitPath(String(decoding: bytes, as: UTF8.self)).folder
  }
}
