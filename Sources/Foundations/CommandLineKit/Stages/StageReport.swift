// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// The report of a stage, as written by `--report FILE.json`.
package struct StageReport: Equatable, Sendable {
  /// Why a stage failed.
  package struct Failure: Equatable, Sendable {
    /// The class of the error.
    package var code: String
    /// The error as printed on stderr.
    package var message: String
    /// The exit status.
    package var exitCode: Int32
  }

  /// The stage's executable, such as `cairn-decode-pbf`.
  package var stage: String
  /// The version of the tool.
  package var version: String = cairnVersion
  /// Counts and facts about the input, such as `nodes`.
  package var input: [String: JSONValue] = [:]
  /// Counts and facts about the output.
  package var output: [String: JSONValue] = [:]
  /// Warnings, one entry per kind.
  package var warnings: [WarningTally.Entry] = []
  /// Seconds of wall clock.
  package var wallSeconds: Double = 0
  /// Seconds of processor time.
  package var cpuSeconds: Double = 0
  /// Peak resident memory in bytes.
  package var peakBytes: Int = 0
  /// Why it failed, if it did.
  package var error: Failure?

  /// Makes an empty report.
  package init(stage: String) { self.stage = stage }

  /// The report as JSON.
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "stage": .text(stage), "version": .text(version), "input": .object(input),
      "output": .object(output), "wallSeconds": .number(wallSeconds),
      "cpuSeconds": .number(cpuSeconds), "peakBytes": .integer(peakBytes),
    ]
    object["warnings"] = Self.json(warnings)
    object["error"] = error.map { error in
      .object([
        "code": .text(error.code), "message": .text(error.message),
        "exitCode": .integer(Int(error.exitCode)),
      ])
    }
    return .object(object)
  }

  /// Reads a report; nil if it is none.
  package init?(json bytes: [UInt8]) {
    guard let object = JSONValue(json: bytes)?.object, let stage = object["stage"]?.text,
      let version = object["version"]?.text, let input = object["input"]?.object,
      let output = object["output"]?.object, let warnings = Self.warnings(object),
      let wallSeconds = object["wallSeconds"]?.number,
      let cpuSeconds = object["cpuSeconds"]?.number, let peakBytes = object["peakBytes"]?.integer,
      let error = object.optional("error", Failure.init)
    else { return nil }
    self.init(stage: stage)
    (self.version, self.input, self.output, self.warnings) = (version, input, output, warnings)
    (self.wallSeconds, self.cpuSeconds, self.peakBytes) = (wallSeconds, cpuSeconds, peakBytes)
    self.error = error
  }

  /// The warnings of a report alone; nil if it is none.
  package static func warnings(json bytes: [UInt8]) -> [WarningTally.Entry]? {
    JSONValue(json: bytes)?.object.flatMap(warnings)
  }

  private static func warnings(_ object: [String: JSONValue]) -> [WarningTally.Entry]? {
    object["warnings"].flatMap(entries)
  }

  /// Warnings as they are in reports.
  package static func json(_ warnings: [WarningTally.Entry]) -> JSONValue {
    .list(
      warnings.map { entry in
        .object([
          "kind": .text(entry.kind), "count": .integer(entry.count),
          "examples": .list(entry.examples.map { .text($0) }),
        ])
      })
  }

  /// Reads warnings that are in a report; nil if they are none.
  package static func entries(_ json: JSONValue) -> [WarningTally.Entry]? {
    json.list?.all { value in
      guard let entry = value.object, let kind = entry["kind"]?.text,
        let count = entry["count"]?.integer, let examples = entry["examples"]?.texts
      else { return nil }
      return WarningTally.Entry(kind: kind, count: count, examples: examples)
    }
  }

  /// The beginning of a report, without white space: keys are sorted alphabetically.
  private static let signature = Array("{\"cpuSeconds\":".utf8)

  /// Whether a file begins as a report does.
  static func recognises(head: [UInt8]) -> Bool {
    head.filter { !" \n\r\t".utf8.contains($0) }.starts(with: signature)
  }
}

extension StageReport.Failure {
  fileprivate init?(_ json: JSONValue) {
    guard let object = json.object, let code = object["code"]?.text,
      let message = object["message"]?.text,
      let exitCode = object["exitCode"]?.integer.flatMap({ Int32(exactly: $0) })
    else { return nil }
    self.init(code: code, message: message, exitCode: exitCode)
  }
}
