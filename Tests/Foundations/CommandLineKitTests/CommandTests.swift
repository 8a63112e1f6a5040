// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// A stage that counts the bytes of its input, and fails if asked to.
private enum CountBytes: StageCommand {
  static let stageDefinition = CommandDefinition(
    name: "cairn-count-bytes", summary: "counts the bytes of a file",
    options: [
      .option("input", "FILE", required: true, help: "the file to read"),
      .flag("fail", help: "fail half-way"),
      .flag("trip", help: "fail with an error of another type"),
      .flag("doubt", help: "answer no"),
    ])

  static func run(_ stage: StageRun) throws -> ExitCode {
    let file = try InputFile(try stage.arguments.required("input"))
    stage.input["bytes"] = .integer(file.size)
    for offset in 0..<5 { stage.warnings.add("odd-byte", "byte \(offset)") }
    if stage.arguments.has("fail") {
      throw CairnError("half-way", .dataError, "is broken", at: Location(file: file.path, .byte(3)))
    }
    if stage.arguments.has("trip") { throw TestFailure("tripped") }
    return stage.arguments.has("doubt") ? .negative : .success
  }
}

@Suite("Commands")
struct CommandTests {
  let folder: TemporaryFolder
  let input: String
  let report: String

  init() throws {
    folder = try TemporaryFolder()
    input = try folder.write("hello", to: "input")
    report = folder.file("report.json")
  }

  private func run(_ words: String...) -> ExitCode {
    CommandRunner.run(CountBytes.self, words + ["--quiet", "--progress", "none"])
  }

  private func readReport() throws -> StageReport {
    try #require(StageReport(json: Array(try folder.read("report.json"))))
  }

  @Test("the definition of a stage is valid together with the shared options")
  func definitionIsValid() {
    #expect(CountBytes.definition.problems.isEmpty)
  }

  @Test("the report of a run has its input, its warnings and its resource use")
  func reports() throws {
    #expect(run("--input", input, "--report", report) == .success)
    let report = try readReport()
    #expect(report.stage == "cairn-count-bytes")
    #expect(report.version == cairnVersion)
    #expect(report.input == ["bytes": 5])
    #expect(report.output == [:])
    #expect(report.warnings.map(\.kind) == ["odd-byte"])
    #expect(report.warnings.map(\.count) == [5])
    #expect(report.warnings.map(\.examples) == [(0..<5).map { "byte \($0)" }])
    #expect(report.wallSeconds >= 0 && report.cpuSeconds > 0 && report.peakBytes > 0)
    #expect(report.error == nil)
  }

  @Test("a negative result is an exit code and not an error")
  func answersNo() throws {
    #expect(run("--input", input, "--report", report, "--doubt") == .negative)
    #expect(try readReport().error == nil)
  }

  @Test("the report of a failed run says how far it got and why it failed")
  func reportsFailures() throws {
    #expect(run("--input", input, "--report", report, "--fail") == .dataError)
    let report = try readReport()
    #expect(report.input == ["bytes": 5])
    #expect(report.warnings.count == 1)
    #expect(report.error?.code == "half-way")
    #expect(report.error?.message == "\(input): at byte 3: is broken")
    #expect(report.error?.exitCode == 65)
  }

  @Test("an error of another type is reported as a bug in Cairn")
  func reportsDefects() throws {
    #expect(run("--input", input, "--report", report, "--trip") == .software)
    #expect(try readReport().error?.exitCode == 70)
  }

  @Test("errors in the command line and in the input end with their exit codes")
  func endsWithExitCodes() {
    #expect(run() == .usage)
    #expect(run("--bogus") == .usage)
    #expect(run("--input", input, "word") == .usage)
    #expect(run("--input", input, "--threads", "0") == .usage)
    #expect(run("--input", folder.file("missing")) == .noInput)
  }

  @Test("a report that cannot be written is an error before the work begins")
  func checksReportFirst() throws {
    #expect(
      run("--input", folder.file("missing"), "--report", folder.file("no/report.json"))
        == .cannotCreate)
    #expect(run("--input", input, "--report", input) == .cannotCreate)
    #expect(try folder.read("input") == Array("hello".utf8))
    #expect(try folder.contents == ["input"])
  }

  @Test("a report does not replace JSON of another program")
  func keepsForeignJSON() throws {
    let foreign = Array("{\n  \"name\" : \"package\"\n}\n".utf8)
    try folder.write(foreign, to: "report.json")
    #expect(run("--input", input, "--report", report) == .cannotCreate)
    #expect(try folder.read("report.json") == foreign)
  }

  @Test("a report is known by its content, however it is indented")
  func knowsReports() throws {
    for text in ["{\"cpuSeconds\":0.1,\"input\":{}}", "{\r\n\t\"cpuSeconds\": 0.1,\n"] {
      try folder.write(text, to: "report.json")
      #expect(run("--input", input, "--report", report) == .success)
    }
  }

  @Test("a report replaces the report of the last run")
  func replacesReports() throws {
    #expect(run("--input", input, "--report", report, "--fail") == .dataError)
    #expect(run("--input", input, "--report", report) == .success)
    #expect(try readReport().error == nil)
    #expect(try folder.contents == ["input", "report.json"])
  }

  @Test("there are as many threads as processors unless a number is given")
  func readsThreads() throws {
    let definition = CountBytes.definition
    let given = try Arguments(["--input", "x", "--threads", "3"], for: definition)
    #expect(try StageRun(name: "x", given).threads == 3)
    let none = try Arguments(["--input", "x"], for: definition)
    #expect(try StageRun(name: "x", none).threads == availableProcessors())
  }
}
