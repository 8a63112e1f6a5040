// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import Charts
import CommandLineKit
import ProfileTrials
import SystemIO
import TuningSuites

/// `cairn sweep`: the effect of one or two keys of a profile on the routes of a suite.
struct SweepCommand: Command {
  private enum Format: String, CaseIterable { case text, csv, json, svg }

  static let definition = CommandDefinition(
    name: "cairn sweep",
    summary: "vary one or two keys of a profile over a suite",
    discussion: """
      Sets a key of a profile, or each combination of two, to one value after the other, and \
      compares the routes and times of a suite with those of the unchanged profile. Prints a table \
      or, with --format svg, draws a line per measure (one key) or a shaded table of the first \
      measure (two keys). Measures are \
      \(SweepMeasure.allCases.map(\.rawValue).joined(separator: ", ")); without --measure, all \
      that the suite can measure and that change; text output lists the rest.
      """,
    options: [
      .option("suite", "FILE", required: true, help: "a suite, a YAML file"),
      .option("profile", "PROFILE", required: true, help: "a profile or a file"),
      .option(
        "vary", "KEY=LOW..HIGH:STEP", repeats: true, required: true,
        help: "a key with its values, also as KEY=A,B,C; at most two keys"),
      .option("measure", "NAME", repeats: true, help: "a measure to report"),
      .option("format", "FORMAT", help: "text, csv, json or svg (default text)"),
      .option("output", "FILE", letter: "o", help: "file to write (default stdout)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn sweep --suite pipelines/tuning/sample.yaml --profile hiking "
        + "--vary climb-factor=4..12:1",
      "cairn sweep --suite alps.yaml --profile hiking --vary climb-factor=4..12:2 "
        + "--vary surfaces.asphalt=1,1.25,1.5 --measure main-roads --format svg --output roads.svg",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .text
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let axes = try axes(arguments)
    let measures = try measures(arguments)
    let suite = try TuningSuite(file: try arguments.required("suite"), .pipeline)
    let profile = try TriedProfile(try arguments.required("profile"), of: suite)
    let sweep = try ProfileSweep(
      suite, profile, axes: axes, measures: measures, threads: threads)
    let bytes: [UInt8] =
      switch format {
      case .text: Array(SweepSheet(sweep).text.utf8)
      case .csv: Array(SweepSheet(sweep).csv.utf8)
      case .json: try encodeJSON(sweep)
      case .svg: Array(signedSVG(SweepChart(sweep).svg).utf8)
      }
    guard let output = arguments.outputFile else {
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    }
    let header = SweepSheet(sweep).header
    try AtomicOutput.write(bytes, to: output) { head in
      switch format {
      // It has no signature.
      case .text: false
      case .csv: String(decoding: head, as: UTF8.self).hasPrefix(header)
      case .json: ProfileSweep.isSweep(head: head)
      case .svg: isSVGOfCairn(head)
      }
    }
    return .success
  }

  private static func axes(_ arguments: Arguments) throws(CairnError) -> [SweepAxis] {
    var axes: [SweepAxis] = []
    for text in arguments.all("vary") { axes.append(try SweepAxis(text, option: "--vary")) }
    guard (1...2).contains(axes.count) else {
      throw arguments.usageError("give --vary once or twice")
    }
    guard axes.count < 2 || axes[0].key.key != axes[1].key.key else {
      throw arguments.usageError("--vary names \(axes[0].key.key) twice")
    }
    return axes
  }

  private static func measures(_ arguments: Arguments) throws(CairnError) -> [SweepMeasure]? {
    let words = arguments.all("measure")
    guard !words.isEmpty else { return nil }
    let known = SweepMeasure.allCases.map(\.rawValue)
    var measures: [SweepMeasure] = []
    for word in words {
      guard let measure = SweepMeasure(rawValue: word) else {
        throw arguments.usageError(
          "--measure: “\(word.prefix(40))” is not a measure",
          hint: nearestWord(to: word, among: known).map { "did you mean \($0)?" }
            ?? "there are \(known.joined(separator: ", "))")
      }
      if !measures.contains(measure) { measures.append(measure) }
    }
    return measures
  }
}

extension SweepChart {
  /// The picture of a sweep.
  fileprivate init(_ sweep: ProfileSweep) {
    self.init(
      title: "\(printable(sweep.profile)) on \(printable(sweep.suite))",
      axes: sweep.axes.map { .init(name: $0.key, values: $0.values, marked: $0.base) },
      measures: sweep.measures.enumerated().map { index, measure in
        .init(title: measure.title, values: sweep.cells.map { $0.outcomes[index] })
      })
  }
}
