// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import TestSupport
import Testing
import Validation

@Suite("Drift between databases")
struct DriftTests {
  private func report(
    _ old: String, _ new: String, limit: Double? = 0.2
  ) throws -> DriftReport {
    try DriftReport(baseline: DriftBaseline(old, limit: limit), database: new)
  }

  private func row(_ name: String, _ report: DriftReport) throws -> DriftReport.Row {
    try #require(report.rows.first { $0.name == name }, "\(report.rows.map(\.name))")
  }

  @Test("a database has no drift from itself in any figure")
  func same() throws {
    let intact = try Damaged()
    let report = try report(intact.path, intact.path, limit: 0)
    #expect(report.excesses == [])
    #expect(report.rows.allSatisfy { $0.old == $0.new && $0.change == 0 })
    for name in ["nodes", "edges", "kilometres", "km of path", "hiking: cost per km"] {
      #expect(try row(name, report).old > 0)
    }
    #expect(try row("hiking: routes found", report).old > 0)
    #expect(try row("hiking: their cost", report).old > 0)
  }

  @Test("drift exceeds a limit above it, but not at it")
  func limits() throws {
    let intact = try Damaged()
    let old = try Damaged("DELETE FROM routing_nodes WHERE id IN (11, 12)")
    let change = 2.0 / 9
    let row = try row("nodes", report(old.path, intact.path, limit: change))
    #expect(abs((row.change ?? 0) - change) < 1e-12)
    #expect(!row.exceeds)
    #expect(try self.row("nodes", report(old.path, intact.path, limit: change * 0.99)).exceeds)
    #expect(try report(old.path, intact.path, limit: nil).excesses == [])
  }

  @Test("the report shows a missing profile and a new type of way")
  func appearing() throws {
    let intact = try Damaged()
    let other = try Damaged(
      "UPDATE routing_edges SET highway_type = 'cycleway' WHERE highway_type = 'path'",
      "UPDATE routing_profiles SET name = 'other' WHERE id = 2")
    let report = try report(intact.path, other.path)
    #expect(try row("km of path", report).change == -1)
    #expect(try row("km of cycleway", report).change == nil)
    #expect(try row("km of cycleway", report).exceeds)
    #expect(try row("profile cycling", report).new == 0)
    #expect(report.table.contains("too much"))
    #expect(report.table.contains("new  too much"))
  }

  @Test("the report shows routes that became more expensive or disappeared")
  func routes() throws {
    let intact = try Damaged()
    let expensive = try Damaged(
      "UPDATE routing_costs SET cost = cost * 3, reverse_cost = reverse_cost * 3")
    #expect(try row("hiking: their cost", report(intact.path, expensive.path)).exceeds)
    #expect(try row("hiking: their km", report(intact.path, expensive.path)).change == 0)
    let closed = try Damaged("UPDATE routing_costs SET cost = 9e999, reverse_cost = 9e999")
    let gone = try report(intact.path, closed.path)
    #expect(try row("hiking: routes found", gone).new == 0)
    #expect(try row("hiking: routes found", gone).exceeds)
  }

  @Test("databases that have only the core tables are compared")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(in: folder, filledBy: plainRows)
    let report = try report(path, path)
    #expect(report.excesses == [])
    #expect(try row(": routes found", report).old > 0)
  }

  @Test("the columns of the table are aligned")
  func table() throws {
    let intact = try Damaged()
    let lines = try report(intact.path, intact.path).table.split(separator: "\n")
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines[0].hasSuffix("change"))
  }

  @Test("a baseline that cannot be read is an error, not drift")
  func unreadable() throws {
    let intact = try Damaged()
    let text = try intact.folder.write(String(repeating: "text ", count: 100), to: "text.db")
    expectError("not-a-database", .dataError) { try report(text, intact.path) }
    expectError("cannot-read", .noInput) {
      try report(intact.folder.file("absent.db"), intact.path)
    }
    let other = try Damaged("DROP TABLE routing_nodes")
    let error = expectError("database", .dataError) { try report(other.path, intact.path) }
    #expect(error?.message.hasPrefix("has no table routing_nodes") == true)
  }

  @Test("drift above the limit gives exit code 1, and the report shows the figures")
  func command() throws {
    let intact = try Damaged()
    let old = try Damaged("UPDATE routing_edges SET distance = distance * 2")
    func run(_ words: String...) -> ExitCode {
      CommandRunner.run(ValidateCommand.self, ["--input", intact.path, "--quiet"] + words)
    }
    #expect(run("--baseline", old.path) == .success)
    #expect(run("--baseline", old.path, "--max-drift", "0.2") == .negative)
    #expect(run("--baseline", old.path, "--max-drift", "9", "--json") == .success)
    var validator = try DatabaseValidator(intact.path)
    validator.baseline = DriftBaseline(old.path, limit: 0.2)
    let text = try validator.run().text()
    #expect(text.contains("error    drift  kilometres: "))
    #expect(text.contains("compared with \(old.path)"))
  }
}
