// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import TestSupport
import Testing
import Validation

@Suite("The drift of a database")
struct DriftTests {
  private func report(
    _ old: String, _ new: String, limit: Double? = 0.2
  ) throws -> DriftReport {
    try DriftReport(baseline: DriftBaseline(old, limit: limit), database: new)
  }

  private func row(_ name: String, _ report: DriftReport) throws -> DriftReport.Row {
    try #require(report.rows.first { $0.name == name }, "\(report.rows.map(\.name))")
  }

  @Test("against itself is nothing, in every number")
  func same() throws {
    let sound = try Damaged()
    let report = try report(sound.path, sound.path, limit: 0)
    #expect(report.excesses == [])
    #expect(report.rows.allSatisfy { $0.old == $0.new && $0.change == 0 })
    for name in ["nodes", "edges", "kilometres", "km of path", "hiking: cost a km"] {
      #expect(try row(name, report).old > 0)
    }
    #expect(try row("hiking: routes found", report).old > 0)
    #expect(try row("hiking: their cost", report).old > 0)
  }

  @Test("exceeds a limit beyond it, and not at it")
  func limits() throws {
    let sound = try Damaged()
    let old = try Damaged("DELETE FROM routing_nodes WHERE id IN (11, 12)")
    let change = 2.0 / 9
    let row = try row("nodes", report(old.path, sound.path, limit: change))
    #expect(abs((row.change ?? 0) - change) < 1e-12)
    #expect(!row.exceeds)
    #expect(try self.row("nodes", report(old.path, sound.path, limit: change * 0.99)).exceeds)
    #expect(try report(old.path, sound.path, limit: nil).excesses == [])
  }

  @Test("shows a profile that is gone and a type of way that is new")
  func appearing() throws {
    let sound = try Damaged()
    let other = try Damaged(
      "UPDATE routing_edges SET highway_type = 'cycleway' WHERE highway_type = 'path'",
      "UPDATE routing_profiles SET name = 'other' WHERE id = 2")
    let report = try report(sound.path, other.path)
    #expect(try row("km of path", report).change == -1)
    #expect(try row("km of cycleway", report).change == nil)
    #expect(try row("km of cycleway", report).exceeds)
    #expect(try row("profile cycling", report).new == 0)
    #expect(report.table.contains("too much"))
    #expect(report.table.contains("new  too much"))
  }

  @Test("shows routes that are longer, dearer or gone")
  func routes() throws {
    let sound = try Damaged()
    let dear = try Damaged(
      "UPDATE routing_costs SET cost = cost * 3, reverse_cost = reverse_cost * 3")
    #expect(try row("hiking: their cost", report(sound.path, dear.path)).exceeds)
    #expect(try row("hiking: their km", report(sound.path, dear.path)).change == 0)
    let closed = try Damaged("UPDATE routing_costs SET cost = 9e999, reverse_cost = 9e999")
    let gone = try report(sound.path, closed.path)
    #expect(try row("hiking: routes found", gone).new == 0)
    #expect(try row("hiking: routes found", gone).exceeds)
  }

  @Test("compares databases that have the contract's tables alone")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(in: folder, filledBy: plainRows)
    let report = try report(path, path)
    #expect(report.excesses == [])
    #expect(try row(": routes found", report).old > 0)
  }

  @Test("its table is aligned")
  func table() throws {
    let sound = try Damaged()
    let lines = try report(sound.path, sound.path).table.split(separator: "\n")
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines[0].hasSuffix("change"))
  }

  @Test("a baseline that cannot be read is an error, and not a drift")
  func unreadable() throws {
    let sound = try Damaged()
    let text = try sound.folder.write(String(repeating: "text ", count: 100), to: "text.db")
    expectError("not-a-database", .dataError) { try report(text, sound.path) }
    expectError("cannot-read", .noInput) {
      try report(sound.folder.file("absent.db"), sound.path)
    }
    let other = try Damaged("DROP TABLE routing_nodes")
    let error = expectError("database", .dataError) { try report(other.path, sound.path) }
    #expect(error?.message.hasPrefix("has no table routing_nodes") == true)
  }

  @Test("ends the command with 1, and shows the numbers")
  func command() throws {
    let sound = try Damaged()
    let old = try Damaged("UPDATE routing_edges SET distance = distance * 2")
    func run(_ words: String...) -> ExitCode {
      CommandRunner.run(ValidateCommand.self, ["--input", sound.path, "--quiet"] + words)
    }
    #expect(run("--baseline", old.path) == .success)
    #expect(run("--baseline", old.path, "--max-drift", "0.2") == .negative)
    #expect(run("--baseline", old.path, "--max-drift", "9", "--json") == .success)
    var validator = try DatabaseValidator(sound.path)
    validator.baseline = DriftBaseline(old.path, limit: 0.2)
    let text = try validator.run().text()
    #expect(text.contains("error    drift  kilometres: "))
    #expect(text.contains("compared with \(old.path)"))
  }
}
