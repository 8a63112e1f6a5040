// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import Foundation
import TestSupport
import Testing

@testable import CairnDeltas

@Suite("Deltas of databases")
struct DatabaseDeltaTests {
  private let folder: TemporaryFolder
  private let old: String
  private let new: String

  init() throws {
    folder = try TemporaryFolder()
    old = try village.routingDatabase(in: folder, name: "old.routing.db")
    var changed = village
    changed.ways[0].tags["surface"] = "rock"
    changed.ways.remove(at: 2)
    changed.ways.append(.init("DEC", id: 50, tags: ["highway": "path", "name": "Camí"]))
    changed.elevations["C"] = 1105
    new = try changed.routingDatabase(in: folder, name: "new.routing.db")
  }

  private func apply(_ delta: DatabaseDelta, to path: String) throws -> [UInt8] {
    let output = folder.file("applied.db")
    try delta.apply(to: URL(fileURLWithPath: path), output: URL(fileURLWithPath: output))
    return try bytesOfFile(output)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("the result is the new database, byte for byte", arguments: [false, true])
  func roundTrip(byBytes: Bool) throws {
    let delta = try DatabaseDelta.make(from: old, to: new, method: byBytes ? .bytes : nil)
    #expect(delta.method == (byBytes ? .bytes : .rows))
    let read = try DatabaseDelta(delta.fileContent)
    #expect(read.old == delta.old && read.new == delta.new)
    #expect(try apply(read, to: old) == bytesOfFile(new))
  }

  @Test("a database in either direction, and from itself")
  func directions() throws {
    #expect(try apply(.make(from: new, to: old), to: new) == bytesOfFile(old))
    let same = try DatabaseDelta.make(from: old, to: old)
    #expect(same.bytes < 200)
    #expect(try apply(same, to: old) == bytesOfFile(old))
  }

  @Test("the same versions give the same bytes")
  func reproducible() throws {
    #expect(
      try DatabaseDelta.make(from: old, to: new).fileContent
        == DatabaseDelta.make(from: old, to: new).fileContent)
  }

  @Test("a database of a former schema has a delta by bytes")
  func formerSchema() throws {
    let former = folder.file("former.routing.db")
    try FileManager.default.copyItem(atPath: old, toPath: former)
    let connection = try SQLiteConnection(former, .shared(patienceMilliseconds: 0))
    try connection.execute("PRAGMA user_version = 5")
    connection.close()
    let delta = try DatabaseDelta.make(from: former, to: new)
    #expect(delta.method == .bytes)
    #expect(try apply(delta, to: former) == bytesOfFile(new))
  }

  @Test(
    "packed rows of other versions are refused as such",
    arguments: [(2, .tooOld(version: 2)), (4, .tooNew(version: 4))] as [(Int, DeltaError)])
  func otherVersions(version: Int, error: DeltaError) throws {
    let delta = try DatabaseDelta.make(from: old, to: new)
    #expect(throws: error) {
      try DatabaseDelta(
        .rows, delta.old, delta.new, unpackedSize: 1, Instructions.literal([0]),
        rowsVersion: version)
    }
  }

  @Test("hazards of edges come over")
  func hazards() throws {
    var changed = village
    changed.nodeTags["C"] = ["ford": "yes"]
    let ford = try changed.routingDatabase(in: folder, name: "ford.routing.db")
    let count =
      try SQLiteConnection(ford, .readOnly)
      .integer("SELECT count(*) FROM routing_hazards") ?? 0
    #expect(count > 0)
    #expect(try apply(.make(from: old, to: ford), to: old) == bytesOfFile(ford))
    #expect(try apply(.make(from: ford, to: old), to: ford) == bytesOfFile(old))
  }

  @Test("the old file may be replaced by the new one")
  func inPlace() throws {
    let delta = try DatabaseDelta.make(from: old, to: new)
    let url = URL(fileURLWithPath: old)
    try delta.apply(to: url, output: url)
    #expect(try bytesOfFile(old) == bytesOfFile(new))
  }

  @Test("another version is refused, and the error names both")
  func wrongBase() throws {
    let delta = try DatabaseDelta.make(from: old, to: new)
    let error = #expect(throws: DeltaError.self) { try apply(delta, to: new) }
    let text = try #require(error).description
    #expect(text.contains(delta.old.sha256.prefix(12)))
    #expect(text.contains(delta.new.sha256.prefix(12)))
    #expect(!names.contains { $0.hasPrefix("applied") || $0.hasPrefix(".") })
  }

  @Test("a database that Cairn would write otherwise is compared by its bytes")
  func foreignLayout() throws {
    let vacuumed = folder.file("vacuumed.routing.db")
    try FileManager.default.copyItem(atPath: new, toPath: vacuumed)
    try changeDatabase(vacuumed, ["VACUUM"])
    let delta = try DatabaseDelta.make(from: old, to: vacuumed)
    #expect(delta.method == .bytes)
    #expect(try apply(delta, to: old) == bytesOfFile(vacuumed))
    // As the old version it is as good as any.
    let back = try DatabaseDelta.make(from: vacuumed, to: new)
    #expect(back.method == .rows)
    #expect(try apply(back, to: vacuumed) == bytesOfFile(new))
  }

  @Test(
    "the least and the greatest integer in any column give a delta or an error",
    arguments: [Int64.min, .min + 1, .max, 0])
  func extremes(value: Int64) throws {
    let columns = try SQLiteConnection(new, .readOnly).prepare(
      """
      SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND c.type = 'INTEGER'
      """)
    var count = 0
    let forged = folder.file("forged.routing.db")
    while try columns.step() {
      let (table, column) = (columns.text(0) ?? "", columns.text(1) ?? "")
      try Data(bytesOfFile(new)).write(to: URL(fileURLWithPath: forged))
      try changeDatabase(forged, ["UPDATE OR IGNORE \(table) SET \(column) = \(value)"])
      for (from, to) in [(old, forged), (forged, new)] {
        do throws(DeltaError) {
          let delta = try DatabaseDelta.make(from: from, to: to)
          count += 1
          #expect(delta.bytes > 0)
        } catch { #expect(!error.description.isEmpty) }
      }
    }
    #expect(count > 20)
  }

  @Test("any other files, too")
  func otherFiles() throws {
    let first = try folder.write("one two three", to: "first")
    let second = try folder.write("", to: "second")
    for (from, to) in [(first, second), (second, first), (first, new)] {
      let delta = try DatabaseDelta.make(from: from, to: to)
      #expect(delta.method == .bytes)
      #expect(try apply(delta, to: from) == bytesOfFile(to))
    }
  }

  @Test("a delta that was cut off or changed anywhere is refused")
  func damage() throws {
    let content = try DatabaseDelta.make(from: old, to: new).fileContent
    for count in stride(from: 0, to: content.count, by: 13) {
      #expect(throws: DeltaError.self) { try DatabaseDelta(Array(content.prefix(count))) }
    }
    for index in stride(from: 0, to: content.count, by: 7) {
      var changed = content
      changed[index] ^= 0x10
      #expect(throws: DeltaError.self) { try DatabaseDelta(changed) }
    }
  }

  @Test("a forged delta leaves nothing behind, whatever its instructions say")
  func forgery() throws {
    var random = SeededGenerator(seed: 3)
    let before = names
    let delta = try DatabaseDelta.make(from: old, to: new)
    let rows = try RoutingColumns(path: new).packed()
    for round in 0..<400 {
      var changed = round % 2 == 0 ? Array(delta.content[delta.instructions]) : rows
      for _ in 0...(round % 5) {
        changed[.random(in: 0..<changed.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if round % 2 == 1 { changed = Instructions.literal(changed) }
      let forged = try DatabaseDelta(
        .rows, delta.old, delta.new, unpackedSize: rows.count, changed)
      do { _ = try apply(forged, to: old) } catch is DeltaError {
        #expect(names == before)
        continue
      }
      // The change made no difference.
      #expect(try bytesOfFile(folder.file("applied.db")) == bytesOfFile(new))
      try FileManager.default.removeItem(atPath: folder.file("applied.db"))
    }
  }

  @Test("errors are sentences for the user of an app")
  func texts() {
    let errors: [DeltaError] = [
      .unreadable("x"), .notADelta, .tooNew(version: 9), .tooOld(version: 1), .damaged("x"),
      .notReproduced,
      .notWritten("x"),
    ]
    for error in errors {
      #expect(error.errorDescription?.hasSuffix(".") == true)
      #expect(error.recoverySuggestion?.hasSuffix(".") == true)
      #expect(!error.description.isEmpty)
    }
  }
}
