// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import SystemIO

/// `cairn-validate`: checks a `.routing.db`, a `.waypoints.db`, a `.places.db` or an archive of tiles.
package struct ValidateCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-validate",
    summary: "check that a database or the map tiles of a bundle are intact and consistent",
    discussion: """
      Prints broken rules with examples; with --verbose, prints all rules. Exits with 0 if no rule \
      of severity error is broken, otherwise with 1, and with 65 if the file is damaged or not a \
      Cairn database. With --strict, warnings count as errors.

      With --baseline, compares the database with an earlier one: nodes, edges, kilometres by type \
      of way, costs by profile, and 20 routes between points of the earlier one. With --max-drift \
      0.2, a change of more than 20 % is an error.
      """,
    positionals: [
      .init(
        "FILE", required: false,
        help:
          "a .routing.db, .waypoints.db, .places.db, .mbtiles or .pmtiles; a bundle stands for its "
          + "routing database")
    ],
    options: [
      .option("input", "FILE", help: "the same, as in other stages"),
      .option("baseline", "OLD.routing.db", help: "an earlier database to compare with"),
      .option("max-drift", "SHARE", help: "allowed relative change from the baseline, such as 0.2"),
      .flag("without-elevation", help: "expect no elevations, so do not warn of missing ones"),
      .flag("strict", help: "treat warnings as errors"),
      .flag("rules", help: "list all rules, each with its reason and what to do, and exit"),
      .flag("json", help: "print the findings, or the rules, as JSON"),
    ],
    examples: [
      "cairn-validate valley.routing.db",
      "cairn-validate valley.trails.mbtiles",
      "cairn-validate new.routing.db --baseline old.routing.db --max-drift 0.2",
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    let arguments = stage.arguments
    let isJSON = arguments.has("json")
    if arguments.has("rules") {
      let rules = ValidationRule.all + CompanionRule.allCases.map(\.rule)
      try Console.write(
        isJSON
          ? String(decoding: try encodeJSON(rules), as: UTF8.self) : ValidationRule.table(rules)
      )
      return .success
    }
    let baseline = try baseline(arguments)
    let input = try fileOfBundle(input(arguments), ".routing.db")
    if let kind = CompanionKind(file: input) {
      if baseline != nil {
        throw arguments.usageError("--baseline compares routing databases, not \(kind.rawValue)")
      }
      return try validate(input, kind, stage)
    }
    var validator = try DatabaseValidator(input, threads: stage.threads)
    validator.isStrict = arguments.has("strict")
    validator.isWithoutElevation = arguments.has("without-elevation")
    validator.baseline = baseline
    let report = try validator.run()
    try Console.write(
      isJSON
        ? String(decoding: try encodeJSON(report), as: UTF8.self)
        : report.text(isVerbose: arguments.has("verbose")))
    fill(stage, report)
    return report.valid ? .success : report.isReadable ? .negative : .dataError
  }

  /// The file to check, given once, with or without `--input`.
  private static func input(_ arguments: Arguments) throws(CairnError) -> String {
    guard let file = arguments.positionals.first else {
      guard let file = arguments.value("input") else {
        throw arguments.usageError("FILE is required")
      }
      return file
    }
    if arguments.has("input") {
      throw arguments.usageError("give the file either with --input or without")
    }
    return file
  }

  /// Checks a database of waypoints or places, or an archive of tiles.
  private static func validate(_ path: String, _ kind: CompanionKind, _ stage: StageRun) throws
    -> ExitCode
  {
    let report =
      kind == .tiles
      ? try TileValidator(path).run()
      : try CompanionValidator(path, kind, threads: stage.threads).run()
    try Console.write(
      stage.arguments.has("json")
        ? String(decoding: try encodeJSON(report), as: UTF8.self)
        : report.text(isVerbose: stage.arguments.has("verbose")))
    stage.input[kind.rawValue] = .integer(report.rows)
    stage.output["valid"] = .boolean(report.valid)
    return report.valid ? .success : report.isReadable ? .negative : .dataError
  }

  private static func baseline(_ arguments: Arguments) throws(CairnError) -> DriftBaseline? {
    var limit: Double?
    if let text = arguments.value("max-drift") {
      guard let share = Double(text), share >= 0, share.isFinite else {
        throw arguments.usageError("--max-drift takes a share such as 0.2, not “\(text)”")
      }
      limit = share
    }
    guard let path = arguments.value("baseline") else {
      guard limit == nil else {
        throw arguments.usageError("--max-drift needs --baseline OLD.routing.db")
      }
      return nil
    }
    return DriftBaseline(path, limit: limit)
  }

  private static func fill(_ stage: StageRun, _ report: ValidationReport) {
    stage.input["nodes"] = .integer(report.nodes)
    stage.input["edges"] = .integer(report.edges)
    stage.output["valid"] = .boolean(report.valid)
    stage.output["components"] = .integer(report.components)
    stage.output["elevationCoverage"] = .number(report.elevationCoverage)
    stage.output["rules"] = .list(
      report.checks.map { check in
        .object([
          "rule": .text(check.rule), "status": .text(check.status),
          "count": .integer(check.count), "examples": .list(check.details.map { .text($0) }),
        ])
      })
    for check in report.checks where check.status == "warning" {
      stage.warnings.add(check.rule, count: max(1, check.count), examples: check.details)
    }
  }
}
