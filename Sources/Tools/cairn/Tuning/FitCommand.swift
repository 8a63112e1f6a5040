// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import CostModel
import ProfileFitting
import ProfileTrials
import SystemIO
import TuningSuites

/// `cairn fit`: fits numbers of a profile to the times and the routes of real walks.
struct FitCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn fit",
    summary: "fit a profile to timed and recorded walks",
    discussion: """
      Fits keys of a profile to real walks, and measures how much better the result predicts walks \
      that it was not fitted to. Keys that times depend on are fitted to the reference times and \
      timed reference tracks of a suite, and to your own tracks and tables of times (columns \
      distance-km, ascent-m, descent-m, minutes, and if you like name and source). Walks along a database are timed \
      edge by edge, walks with only totals as one even climb and descent, and tracks without a \
      database by their own elevations; rests do not count. time-spread is fitted so that four of \
      five walks lie in the range of a time. Other keys, such as surfaces.gravel, are fitted to \
      the suite's reference tracks, so that routes follow them as far as possible. Each dataset of \
      the suite is predicted from the others; a single one is divided into five parts. A fit \
      counts as an improvement if it predicts these walks better than chance would in 39 of 40 \
      cases, on at least 8 independent walks and 3 for each key. Otherwise the old values stay \
      unless --force is given, and the exit code is 1. Keys that nothing depends on are listed and \
      left unchanged.
      """,
    positionals: [
      .init(
        "WALKS", repeats: true, required: false,
        help: "recorded walks with times and elevations, .gpx, and tables of times, .csv")
    ],
    options: [
      .option("suite", "FILE", help: "a suite with reference times or tracks"),
      .option("profile", "PROFILE", required: true, help: "the profile to start from, or a file"),
      .option(
        "parameters", "KEY,…", required: true,
        help: "keys to fit, such as time-factor,time-spread,surfaces.gravel"),
      .option("seed", "N", help: "seed for dividing walks (default 1)"),
      .option("threads", "N", letter: "j", help: "worker threads (default: one per processor)"),
      .option("name", "NAME", help: "the name of the new profile (default NAME-fitted)"),
      .option("output", "FILE.yaml", letter: "o", help: "write the new profile here"),
      .flag("force", help: "write the profile even if it may be no improvement"),
      .flag("json", help: "print the report as JSON"),
    ],
    examples: [
      "cairn fit --suite alps.yaml --profile trail-hiking --parameters time-factor,time-spread "
        + "--output my-hiking.yaml",
      "cairn fit --suite alps.yaml --profile hiking --parameters surfaces.asphalt,highways.track "
        + "--output my-hiking.yaml",
      "cairn fit walks/*.gpx --profile family --parameters time-factor",
      "cairn fit times.csv --profile trail-hiking --parameters time-spread",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let keys = try keys(arguments)
    let seed = try arguments.integer("seed", in: 0...Int.max) ?? 1
    let threads = try arguments.integer("threads", in: 1...256) ?? availableProcessors()
    let suite = try arguments.value("suite").map { path throws(CairnError) in
      try TuningSuite(file: path, .pipeline)
    }
    guard suite != nil || !arguments.positionals.isEmpty else {
      throw arguments.usageError("--suite, tracks or tables of times are required")
    }
    let word = try arguments.required("profile")
    let profile =
      try suite.map { suite throws(CairnError) in try TriedProfile(word, of: suite).profile }
      ?? CostProfile.named(word)
    var walks = TimedWalks()
    if let suite { try walks.add(suite, by: profile) }
    for path in arguments.positionals {
      if path.hasSuffix(".csv") {
        try walks.add(timesOf: path)
      } else {
        try walks.add(tracksOf: path)
      }
    }
    var fit = FitRun(walks, suite, profile, keys, seed: UInt64(seed))
    fit.isForced = arguments.has("force")
    fit.threads = threads
    let progress = Progress(command: definition.name, style: .auto)
    progress.begin("trying profiles on the tracks", total: 0)
    var (fitted, report) = try fit.run { progress.advance(by: $0) }
    progress.end()
    fitted.name = try name(arguments, of: profile)
    try Console.write(
      arguments.has("json")
        ? String(decoding: try encodeJSON(report), as: UTF8.self) : FitSheet(report).text)
    try write(fitted, report, arguments, suite: suite?.name)
    return report.isImprovement ? .success : .negative
  }

  /// Writes the new profile, if there is a reason to.
  private static func write(
    _ fitted: CostProfile, _ report: FitReport, _ arguments: Arguments, suite: String?
  ) throws(CairnError) {
    guard let output = arguments.value("output") else { return }
    let rest = report.keys.contains { $0.matters && !$0.isKept }
    guard report.hasImprovement || arguments.has("force") else {
      return Console.note("\(definition.name): not written; --force writes it anyway")
    }
    let file = FittedProfileFile(
      fitted, basedOn: base(try arguments.required("profile"), output), report, suite: suite)
    try AtomicOutput.write(
      Array(try file.text().utf8), to: output, replacing: FittedProfileFile.isOne)
    if rest {
      Console.note(
        "\(definition.name): keys without an improvement keep their old values; --force writes "
          + "them, too")
    }
  }

  private static func keys(_ arguments: Arguments) throws(CairnError) -> [ProfileNumber] {
    var keys: [ProfileNumber] = []
    for word in try arguments.required("parameters").split(separator: ",") {
      let key = try ProfileNumber(
        String(word.filter { $0 != " " }), option: "--parameters")
      guard !keys.contains(where: { $0.key == key.key }) else {
        throw arguments.usageError("--parameters names \(key.key) twice")
      }
      keys.append(key)
    }
    guard (1...12).contains(keys.count) else {
      throw arguments.usageError("--parameters takes 1 to 12 keys, separated by commas")
    }
    return keys
  }

  /// The name of the new profile, in the form of profile names.
  private static func name(_ arguments: Arguments, of profile: CostProfile) throws(CairnError)
    -> String
  {
    let name = arguments.value("name") ?? String(profile.name.prefix(57)) + "-fitted"
    let isWord =
      (1...64).contains(name.utf8.count)
      && name.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) }
    guard isWord, !CostProfile.builtIn.contains(where: { $0.name == name }) else {
      throw arguments.usageError(
        "--name takes up to 64 lower-case letters, digits and hyphens that no built-in profile "
          + "has")
    }
    return name
  }

  /// The base of the new file; nil if it must be complete, since it would not find its base.
  private static func base(_ word: String, _ output: String) -> String? {
    if CostProfile.builtIn.contains(where: { $0.name == word }) { return word }
    let (folder, name) = splitPath(word)
    guard CostProfile.isPath(word), folder == splitPath(output).folder, CostProfile.isPath(name),
      name.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
    else { return nil }
    return name
  }
}
