// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import TestSupport
import Testing

@testable import Validation

@Suite("The schema of a database to be checked")
struct DatabaseFileTests {
  @Test("each connection refuses a schema that computes, also after one that does not")
  func refusesLater() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.db")
    try changeDatabase(path, ["CREATE TABLE t(a)", "CREATE INDEX i ON t(a)"])
    let file = try DatabaseFile(path)
    for _ in 0..<2 { _ = try file.connect() }
    try changeDatabase(path, ["DROP INDEX i", "CREATE INDEX i ON t(a) WHERE a > 1"])
    for _ in 0..<2 {
      expectError(.computedSchema, .dataError) { try file.connect() }
    }
    try changeDatabase(path, ["DROP INDEX i", "CREATE INDEX i ON t(a)"])
    _ = try file.connect()
  }
}
