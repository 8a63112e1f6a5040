// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Synchronization
import SystemIO

/// A run of a stage: its arguments, its progress and its report.
package final class StageRun {
  /// The options that all stages share.
  static let sharedOptions: [CommandDefinition.Option] = [
    .option("report", "FILE.json", help: "write counts, warnings, times and memory as JSON"),
    .option("threads", "N", help: "number of worker threads (default: one per processor)"),
    .option(
      "memory", "SIZE",
      help: "memory to stay within, such as 2 GiB, or a number of MiB; large tables that do not "
        + "fit lie in files beside the output (default: most of what is free)"),
    .option("progress", "STYLE", help: "auto, plain, json or none (default auto)"),
    .flag("no-flush", help: "do not wait until the outputs are on disk"),
    .flag("quiet", letter: "q", help: "print nothing but errors"),
    .flag("verbose", letter: "v", help: "print all examples of each kind of warning"),
  ]

  /// The command line.
  package let arguments: Arguments
  /// The number of worker threads to use, at least 1.
  package let threads: Int
  /// Reports progress.
  package let progress: Progress
  /// Counts and facts about the input.
  package var input: [String: JSONValue] = [:]
  /// Counts and facts about the output.
  package var output: [String: JSONValue] = [:]
  /// Warnings about the data.
  package var warnings = WarningTally()
  /// A one-line summary of the run, for stderr.
  package var summary = ""

  private let name: String
  private let reportPath: String?
  private let start = monotonicSeconds()

  /// Reads the shared options. Throws 64 if they are wrong and 73 if the report cannot be created.
  package init(name: String, _ arguments: Arguments) throws(CairnError) {
    self.name = name
    self.arguments = arguments
    reportPath = arguments.value("report")
    threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let folder = arguments.outputFile.map { splitPath($0).folder } ?? arguments.value("output-dir")
    MemoryBound.set(try arguments.memory("memory"), folder: folder)
    let styles = Progress.Style.allCases.map(\.rawValue)
    let style = try arguments.choice("progress", of: styles).flatMap(Progress.Style.init)
    progress = Progress(
      command: name, style: arguments.has("quiet") ? .none : style ?? .auto)
    if arguments.has("no-flush") { AtomicOutput.flushesOutputs.store(false, ordering: .relaxed) }
    // Find out now, and not after an hour of work, that the report cannot be written.
    if let reportPath { _ = try AtomicOutput(reportPath, replacing: StageReport.recognises) }
  }

  private static let kept = Mutex<[any Sendable]>([])

  /// Keeps a value until the process ends, which frees memory at once and not object by object. For
  /// what is large, made of many objects, and needed until shortly before.
  package static func keepUntilExit(_ value: some Sendable) { kept.withLock { $0.append(value) } }

  private func report() -> StageReport {
    var report = StageReport(stage: name)
    let use = ResourceUse.current()
    report.input = input
    report.output = output
    report.warnings = warnings.entries
    report.wallSeconds = monotonicSeconds() - start
    report.cpuSeconds = use.cpuSeconds
    report.peakBytes = use.peakBytes
    return report
  }

  /// Prints the summary and the warnings, and writes the report.
  func finish() throws(CairnError) {
    progress.end()
    let report = report()
    if let reportPath { try Self.write(report, to: reportPath) }
    guard !arguments.has("quiet") else { return }
    for entry in report.warnings { Console.note(warningLine(entry)) }
    if !summary.isEmpty {
      Console.note("\(name): \(summary) (\(elapsedTime(report.wallSeconds)))")
    }
  }

  /// The number of examples shown for each kind; the report has more.
  private static let shownExamples = 3

  private func warningLine(_ entry: WarningTally.Entry) -> String {
    let examples =
      arguments.has("verbose")
      ? ": " + entry.examples.prefix(Self.shownExamples).joined(separator: "; ")
        + (entry.count > Self.shownExamples ? "; …" : "")
      : entry.examples.first.map { ", such as: \($0)" } ?? ""
    return printable("\(name): warning: \(entry.kind): \(grouped(entry.count))\(examples)")
  }

  /// Writes the report of a failed run as far as it got; the caller prints the error itself.
  func fail(_ error: CairnError) {
    progress.end()
    guard let reportPath else { return }
    var report = report()
    report.error = .init(
      code: error.code.rawValue, message: error.description, exitCode: error.exitCode.rawValue)
    do throws(CairnError) { try Self.write(report, to: reportPath) } catch {
      Console.note("\(name): warning: \(error)")
    }
  }

  private static func write(_ report: StageReport, to path: String) throws(CairnError) {
    try AtomicOutput.write(try encodeJSON(report.json), to: path, replacing: StageReport.recognises)
  }
}
