// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import CostModel
import ProfileTrials
import Requests
import SystemIO
import TuningSuites

/// `cairn compare`: the effect of candidate profiles on a whole suite.
struct CompareCommand: Command {
  private enum Format: String, CaseIterable { case text, json, geojson }

  static let definition = CommandDefinition(
    name: "cairn compare",
    summary: "compare profiles on the databases, pairs and expectations of a suite",
    discussion: """
      Finds every route of a suite with the base and with each candidate, computing all costs in \
      memory. Reports, for each dataset and in total, which routes change, how distance, ascent \
      and time differ, what the routes are made of, which expectations are kept, and how far times \
      and routes are from recorded walks. Profiles are names or files; a name that is not built in \
      must mean the same in every database of the suite. --set changes every candidate; without \
      --candidate, it changes a copy of the base. Exits with 1 if a candidate breaks a threshold \
      of the suite or an expectation that the base keeps; with 78, before anything is printed, if \
      the suite is invalid.
      """,
    options: [
      .option("suite", "FILE", required: true, help: "a suite, a YAML file"),
      .option("base", "PROFILE", required: true, help: "the profile to compare with"),
      .option(
        "candidate", "PROFILE", repeats: true, help: "the profile to compare with the base"),
      .option(
        "set", "KEY=VALUE", repeats: true,
        help: "change a key of the candidates, such as climb-factor=10 or surfaces.mud=3"),
      .option(
        "format", "FORMAT",
        help: "text, json, or geojson with both versions of the most changed routes (default text)"),
      .option("output", "FILE", letter: "o", help: "file to write (default stdout)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
    ],
    examples: [
      "cairn compare --suite pipelines/tuning/sample.yaml --base hiking --candidate mountain-hiking",
      "cairn compare --suite alps.yaml --base hiking --set climb-factor=10 --format json "
        + "--output climb.json",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .text
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let settings = try settings(arguments)
    let words = arguments.all("candidate")
    guard !words.isEmpty || !settings.isEmpty else {
      throw arguments.usageError(
        "--candidate or --set is required")
    }
    let suite = try TuningSuite(file: try arguments.required("suite"), .pipeline)
    let baseWord = try arguments.required("base")
    let base = try TriedProfile(baseWord, of: suite)
    var candidates: [TriedProfile] = []
    for word in words.isEmpty ? [baseWord] : words {
      let candidate = try TriedProfile(word, changedBy: settings, of: suite)
      for remark in settings.flatMap({ $0.remarks(on: candidate.profile) }) {
        Console.note("\(definition.name): \(remark)")
      }
      candidates.append(candidate)
    }
    var comparison = try ProfileComparison(
      suite, base: base, candidates: candidates, threads: threads)
    let places = suite.datasets.map {
      PlaceNames([$0.places ?? placesBeside($0.database)].compactMap { $0 })
    }
    comparison.nameEnds(of: suite) { places[$0]?.name($1) }
    try write(comparison, format, to: arguments.outputFile)
    note(comparison, suite)
    return comparison.candidates.allSatisfy(\.isAccepted) ? .success : .negative
  }

  private static func settings(_ arguments: Arguments) throws(CairnError) -> [ProfileSetting] {
    var settings: [ProfileSetting] = []
    for text in arguments.all("set") { settings.append(try ProfileSetting(text)) }
    return settings
  }

  private static func write(_ comparison: ProfileComparison, _ format: Format, to path: String?)
    throws(CairnError)
  {
    let bytes: [UInt8] =
      switch format {
      case .text: Array(ComparisonSheet(comparison).text.utf8)
      case .json: try encodeJSON(comparison, pretty: false)
      case .geojson: try encodeJSON(ComparisonFeatures(comparison), pretty: false)
      }
    guard let path else { return try Console.write(String(decoding: bytes, as: UTF8.self)) }
    try AtomicOutput.write(bytes, to: path) { head in
      switch format {
      // It has no signature.
      case .text: false
      case .json: ProfileComparison.isComparison(head: head)
      case .geojson: isGeoJSONOfCairn(head)
      }
    }
  }

  /// Names broken thresholds and expectations on stderr, and the number of pairs that could not be
  /// drawn.
  private static func note(_ comparison: ProfileComparison, _ suite: TuningSuite) {
    for dataset in comparison.datasets where dataset.pairsNotFound > 0 {
      Console.note(
        "\(definition.name): \(dataset.id): \(counted(dataset.pairsNotFound, "pair")) fewer than the "
          + "suite asks for could be drawn")
    }
    for candidate in comparison.candidates {
      let label = printable(candidate.profile.label)
      for expectation in candidate.expectations
      where expectation.broken.base.isEmpty && !expectation.broken.candidate.isEmpty {
        Console.note(
          "\(definition.name): \(label) breaks an expectation that the base keeps: "
            + "\(printable(expectation.name)) \(expectation.broken.candidate.joined(separator: "; "))"
            + " (\(suite.file):\(expectation.line))")
      }
      for threshold in candidate.thresholds where !threshold.isKept {
        Console.note(
          "\(definition.name): \(label) breaks a threshold: \(threshold.text)"
            + (threshold.line.map { " (\(suite.file):\($0))" } ?? ""))
      }
    }
  }
}
