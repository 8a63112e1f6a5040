// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit

/// `cairn-validate`: checks a `.routing.db`.
public struct ValidateCommand: StageCommand {
  /// Name, options and help.
  public static let stageDefinition = CommandDefinition(
    name: "cairn-validate",
    summary: "check that a .routing.db is whole and makes sense",
    discussion: """
      Prints what each rule found, and ends with 0 if no rule of severity error is broken, \
      otherwise with 1. Breaches of severity warning do not change that.
      """,
    options: [
      .option("input", "FILE.routing.db", required: true, help: "the database"),
      .flag("json", help: "print the findings as JSON"),
    ],
    examples: ["cairn-validate --input valley.routing.db"])

  /// Runs the stage.
  public static func run(_ stage: StageRun) throws -> ExitCode {
    var validator = try DatabaseValidator(try stage.arguments.required("input"))
    let report = try validator.run()
    if stage.arguments.has("json") {
      try Console.write(String(decoding: try encodeJSON(report), as: UTF8.self))
    } else {
      try Console.write(report.table)
    }
    stage.input["nodes"] = .integer(report.nodes)
    stage.input["edges"] = .integer(report.edges)
    stage.output["valid"] = .boolean(report.valid)
    stage.output["components"] = .integer(report.components)
    stage.output["elevationCoverage"] = .number(report.elevationCoverage)
    for check in report.checks where check.status == "warning" {
      stage.warnings.add(check.rule, count: max(1, check.count), examples: check.details)
    }
    return report.valid ? .success : .negative
  }
}
