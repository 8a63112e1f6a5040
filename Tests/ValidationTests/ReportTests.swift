// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import StageKit
import TestSupport
import Testing
import Validation

@Suite("The report of a validation")
struct ReportTests {
  @Test("has the documented keys in JSON, and reads back")
  func json() throws {
    let report = try Damaged("UPDATE routing_nodes SET elevation = NULL WHERE id = 4").report()
    let json = String(decoding: try encodeJSON(report, pretty: false), as: UTF8.self)
    for key in [
      "checks", "components", "database", "edges", "elevationCoverage", "errors", "kilometres",
      "largestComponentShare", "nodes", "valid", "warnings",
    ] {
      #expect(json.contains(#""\#(key)":"#), "\(key)")
    }
    #expect(json.contains(#""errors":[],"#))
    #expect(json.contains(#""valid":true,"warnings":["elevation-coverage: 80 % have one"]"#))
    #expect(
      json.contains(#"{"count":1,"details":["80 % have one"],"rule":"elevation-coverage","#))
  }

  @Test("names in its table what must hold and what to do")
  func table() throws {
    let damaged = try Damaged("UPDATE routing_edges SET is_oneway = 1 WHERE id = 3")
    let table = try damaged.report().table
    #expect(table.hasPrefix("\(damaged.path): NOT VALID\n"))
    #expect(table.contains("error   oneway"))
    #expect(table.contains("must hold: is_oneway is 1 where"))
    #expect(table.contains("to do: build the database anew"))
    #expect(table.contains("pass    integrity\n"))
  }

  @Test("cannot steer the terminal with what a database says")
  func controlCharacters() throws {
    let table = try Damaged(
      "UPDATE routing_metadata SET value = char(27) || '[2J' WHERE key = 'node_count'"
    ).report().table
    #expect(!table.contains("\u{1B}"))
  }

  @Test("is printed whatever numbers the database has")
  func absurdNumbers() throws {
    for change in [
      "routing_edges SET distance = 9e999", "routing_edges SET distance = 1e300",
      "routing_edges SET distance = 0", "routing_edges SET cost = 9e999, reverse_cost = 9e999",
      "routing_nodes SET latitude = 1e300", "routing_nodes SET elevation = -9e999",
    ] {
      let report = try Damaged("UPDATE \(change)").report()
      #expect(!report.table.isEmpty)
      #expect(try !encodeJSON(report).isEmpty)
    }
  }
}

@Suite("cairn-validate")
struct ValidateCommandTests {
  private func run(_ words: String...) -> ExitCode {
    CommandRunner.run(ValidateCommand.self, words + ["--quiet"])
  }

  @Test("ends with 0 for a valid database, also with --json and a report")
  func valid() throws {
    let sound = try Damaged()
    let report = sound.folder.file("report.json")
    #expect(run("--input", sound.path) == .success)
    #expect(run("--input", sound.path, "--json", "--report", report) == .success)
    let json = String(decoding: try bytesOfFile(report), as: UTF8.self)
    #expect(json.contains(#""stage" : "cairn-validate""#))
    #expect(json.contains(#""valid" : true"#))
  }

  @Test("ends with 1 for one that breaks a rule")
  func invalid() throws {
    let damaged = try Damaged("UPDATE routing_edges SET is_oneway = 1 WHERE id = 3")
    #expect(run("--input", damaged.path) == .negative)
  }

  @Test("puts warnings into its report")
  func warnings() throws {
    let damaged = try Damaged("UPDATE routing_nodes SET elevation = NULL")
    let report = damaged.folder.file("report.json")
    #expect(run("--input", damaged.path, "--report", report) == .success)
    let json = String(decoding: try bytesOfFile(report), as: UTF8.self)
    #expect(json.contains(#""kind" : "elevation-coverage""#))
  }

  @Test("ends with 66 where nothing is, and with 65 where something else is")
  func noDatabase() throws {
    let folder = try TemporaryFolder()
    #expect(run("--input", folder.file("absent.db")) == .noInput)
    #expect(run("--input", folder.path) == .noInput)
    #expect(run("--input", try folder.write("", to: "empty.db")) == .dataError)
    let text = String(repeating: "text ", count: 100)
    #expect(run("--input", try folder.write(text, to: "text.db")) == .dataError)
  }

  @Test("a database that was cut off is damaged: never a trap", arguments: [60, 700, 4096, 9000])
  func cutOff(bytes: Int) throws {
    let sound = try Damaged()
    let whole = try bytesOfFile(sound.path)
    let path = try sound.folder.write(Array(whole.prefix(bytes)), to: "cut.db")
    #expect(run("--input", path) == .negative)
  }

  @Test("a database with any bytes changed gets an answer or an error")
  func changedBytes() throws {
    let sound = try Damaged()
    let whole = try bytesOfFile(sound.path)
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let path = try sound.folder.write(bytes, to: "changed.db")
      do throws(CairnError) {
        var validator = try DatabaseValidator(path)
        let report = try validator.run()
        #expect(!report.table.isEmpty, "seed \(seed)")
      } catch { #expect(error.exitCode == .dataError, "seed \(seed): \(error)") }
    }
  }
}
