// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import TestSupport
import Testing
import Validation

@Suite("Validation reports")
struct ReportTests {
  @Test("a report has the documented keys in JSON")
  func json() throws {
    let report = try Damaged(
      "UPDATE routing_nodes SET elevation = NULL WHERE id = 4", "DELETE FROM routing_elevation",
      forgetClimbs
    ).report()
    let json = String(decoding: try encodeJSON(report, pretty: false), as: UTF8.self)
    for key in [
      "bytes", "checks", "components", "database", "edges", "elevationCoverage", "errors",
      "kilometres",
      "largestComponentShare", "nodes", "valid", "warnings",
    ] {
      #expect(json.contains(#""\#(key)":"#), "\(key)")
    }
    #expect(json.contains(#""errors":[],"#))
    #expect(
      json.contains(
        #""valid":true,"warnings":["elevation-coverage: 90 % have one; node 4 has none"]"#))
    #expect(
      json.contains(
        #"{"count":1,"details":["90 % have one; node 4 has none"],"rule":"elevation-coverage","#))
  }

  @Test("broken rules come first, with what must hold, why, and what to do")
  func findings() throws {
    let damaged = try Damaged("UPDATE routing_edges SET is_oneway = 2")
    let lines = try damaged.report().text().split(separator: "\n").map(String.init)
    #expect(lines.first == "\(damaged.path): NOT VALID, 1 error")
    #expect(
      lines[1].hasPrefix("  error    oneway  edge 1: is_oneway is 2, but the reverse cost is "))
    #expect(lines[2].hasPrefix("                   edge 2: "))
    #expect(lines[4] == "                   … \(try damaged.report().edges) in all")
    #expect(lines[5].hasPrefix("                   must hold: is_oneway is 1 if"))
    #expect(lines[6].hasPrefix("                   why: "))
    #expect(lines[7].hasPrefix("                   to do: rebuild the database"))
  }

  @Test("the report of a valid database has four lines")
  func short() throws {
    let intact = try Damaged()
    let lines = try intact.report().text().split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[0] == "\(intact.path): valid")
    let count = ValidationRule.all.count - 1
    #expect(lines[3] == "  \(count) rules hold, 1 not checked")
  }

  @Test("a verbose report lists every rule, aligned")
  func verbose() throws {
    let text = try Damaged().report().text(isVerbose: true)
    for rule in ValidationRule.all { #expect(text.contains(" \(rule.id)"), "\(rule.id)") }
    let width = (ValidationRule.all.map(\.id.count).max() ?? 0) + 12
    let notes = text.split(separator: "\n").filter { $0.hasPrefix("  pass") && $0.count > width }
    #expect(!notes.isEmpty && notes.allSatisfy { Array($0)[width - 1] == " " })
  }

  @Test("text in a database cannot control the terminal")
  func controlCharacters() throws {
    let table = try Damaged(
      "UPDATE routing_metadata SET value = char(27) || '[2J' WHERE key = 'node_count'"
    ).report().text()
    #expect(!table.contains("\u{1B}"))
  }

  @Test("a report is printed whatever numbers the database contains")
  func absurdNumbers() throws {
    for change in [
      "routing_edges SET distance = 9e999", "routing_edges SET distance = 1e300",
      "routing_edges SET distance = 0", "routing_edges SET cost = 9e999, reverse_cost = 9e999",
      "routing_nodes SET latitude = 1e300", "routing_nodes SET elevation = -9e999",
    ] {
      let report = try Damaged("UPDATE \(change)").report()
      #expect(!report.text().isEmpty)
      #expect(try !encodeJSON(report).isEmpty)
    }
  }
}

@Suite("cairn-validate")
struct ValidateCommandTests {
  private func run(_ words: String...) -> ExitCode {
    CommandRunner.run(ValidateCommand.self, words + ["--quiet"])
  }

  @Test("a valid database gives exit code 0, also with --json and a report")
  func valid() throws {
    let intact = try Damaged()
    let report = intact.folder.file("report.json")
    #expect(run("--input", intact.path) == .success)
    #expect(run("--input", intact.path, "--json", "--report", report) == .success)
    let json = String(decoding: try bytesOfFile(report), as: UTF8.self)
    #expect(json.contains(#""stage" : "cairn-validate""#))
    #expect(json.contains(#""valid" : true"#))
  }

  @Test("a database that breaks a rule gives exit code 1")
  func invalid() throws {
    let damaged = try Damaged("UPDATE routing_edges SET is_oneway = 1 WHERE id = 3")
    #expect(run("--input", damaged.path) == .negative)
  }

  @Test("warnings are in the report")
  func warnings() throws {
    let damaged = try Damaged(
      "UPDATE routing_nodes SET elevation = NULL", "DELETE FROM routing_elevation", forgetClimbs)
    let report = damaged.folder.file("report.json")
    #expect(run("--input", damaged.path, "--report", report) == .success)
    let json = String(decoding: try bytesOfFile(report), as: UTF8.self)
    #expect(json.contains(#""kind" : "elevation-coverage""#))
  }

  @Test("a missing file gives exit code 66, another kind of file 65")
  func noDatabase() throws {
    let folder = try TemporaryFolder()
    #expect(run("--input", folder.file("absent.db")) == .noInput)
    #expect(run("--input", folder.path) == .noInput)
    #expect(run("--input", try folder.write("", to: "empty.db")) == .dataError)
    let text = String(repeating: "text ", count: 100)
    #expect(run("--input", try folder.write(text, to: "text.db")) == .dataError)
  }

  @Test(
    "a truncated database gives exit code 65 and never a trap",
    arguments: [8, 60, 700, 4096, 9000])
  func cutOff(bytes: Int) throws {
    let intact = try Damaged()
    let whole = try bytesOfFile(intact.path)
    let path = try intact.folder.write(Array(whole.prefix(bytes)), to: "cut.db")
    #expect(run("--input", path) == .dataError)
    let error = expectError("damaged-database", .dataError) { try DatabaseValidator(path) }
    #expect(error?.message.hasPrefix("is truncated: it has ") == true)
  }

  @Test("a database with an unfinished journal or WAL is refused", arguments: ["-wal", "-journal"])
  func leftovers(ending: String) throws {
    let intact = try Damaged()
    try intact.folder.write("", to: "map.routing.db\(ending)")
    #expect(run("--input", intact.path) == .success)
    try intact.folder.write("rest", to: "map.routing.db\(ending)")
    #expect(run("--input", intact.path) == .dataError)
    let error = expectError("unfinished-database", .dataError) {
      try DatabaseValidator(intact.path)
    }
    #expect(error?.message.contains("map.routing.db\(ending) beside it") == true)
  }

  @Test("a database in WAL mode or with another schema gives exit code 65")
  func unreadable() throws {
    let wal = try Damaged()
    var bytes = try bytesOfFile(wal.path)
    (bytes[18], bytes[19]) = (2, 2)
    #expect(run("--input", try wal.folder.write(bytes, to: "wal.db")) == .dataError)
    for statement in ["DROP TABLE routing_edges", "PRAGMA user_version = 2"] {
      let damaged = try Damaged(statement)
      #expect(run("--input", damaged.path) == .dataError, "\(statement)")
    }
  }

  @Test("--rules lists all rules as text and as JSON")
  func rules() throws {
    #expect(run("--rules") == .success)
    #expect(run("--rules", "--json") == .success)
    for rule in ValidationRule.all {
      #expect(ValidationRule.table.contains("\(rule.id) "))
      #expect(ValidationRule.table.contains("to do: \(rule.fix)"))
    }
    let json = String(decoding: try encodeJSON(ValidationRule.all), as: UTF8.self)
    #expect(json.contains(#""fix" : "#) && json.contains(#""reason" : "#))
  }

  @Test("with --strict warnings are errors")
  func strict() throws {
    let damaged = try Damaged(
      "UPDATE routing_nodes SET elevation = NULL", "DELETE FROM routing_elevation", forgetClimbs)
    #expect(run("--input", damaged.path) == .success)
    #expect(run("--input", damaged.path, "--strict") == .negative)
  }

  @Test("invalid command lines are refused")
  func usage() throws {
    let intact = try Damaged()
    #expect(run() == .usage)
    #expect(run("--input", intact.path, "--max-drift", "0.2") == .usage)
    for share in ["much", "-1", "nan", "inf"] {
      #expect(
        run("--input", intact.path, "--baseline", intact.path, "--max-drift", share) == .usage)
    }
  }

  @Test("the report has a count and up to three examples for each rule")
  func report() throws {
    let damaged = try Damaged("UPDATE routing_edges SET is_oneway = 2")
    let report = damaged.folder.file("report.json")
    #expect(run("--input", damaged.path, "--report", report) == .negative)
    let json = String(decoding: try bytesOfFile(report), as: UTF8.self)
    for rule in ValidationRule.all { #expect(json.contains("\"rule\" : \"\(rule.id)\"")) }
    #expect(json.contains("edge 3: is_oneway is 2") && !json.contains("edge 4: is_oneway is 2"))
  }

  @Test("a database with changed bytes gives a report or an error")
  func changedBytes() throws {
    let intact = try Damaged()
    let whole = try bytesOfFile(intact.path)
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let path = try intact.folder.write(bytes, to: "changed.db")
      do throws(CairnError) {
        var validator = try DatabaseValidator(path)
        let report = try validator.run()
        #expect(!report.text().isEmpty, "seed \(seed)")
      } catch { #expect(error.exitCode == .dataError, "seed \(seed): \(error)") }
    }
  }
}
