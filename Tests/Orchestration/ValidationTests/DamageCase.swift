// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Validation

/// A rule, and a way to damage a database that breaks it.
struct DamageCase: CustomTestStringConvertible, Sendable {
  enum Damage: Sendable {
    /// Statements on a database written by Cairn.
    case ours([String])
    /// Statements on a database that has only the core tables.
    case plain([String])
    /// A page that is overwritten.
    case page(Int)
    /// Statements on the baseline, which is otherwise identical.
    case baseline([String])
  }

  let rule: String
  let damage: Damage

  init(_ rule: String, _ statements: String...) {
    self.init(rule, .ours(statements))
  }

  init(_ rule: String, _ damage: Damage) {
    self.rule = rule
    self.damage = damage
  }

  var testDescription: String { "\(rule): \(damage)" }

  /// Damages a database and validates it.
  func report(isStrict: Bool = false) throws -> ValidationReport {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    var validator = try DatabaseValidator(database.path)
    validator.isStrict = isStrict
    validator.baseline = database.baseline
    return try validator.run()
  }

  /// Damages a database and validates it once with each number of threads.
  func reports(threads: [Int]) throws -> [ValidationReport] {
    let folder = try TemporaryFolder()
    let database = try database(in: folder)
    return try threads.map { count in
      var validator = try DatabaseValidator(database.path, threads: count)
      validator.baseline = database.baseline
      return try validator.run()
    }
  }

  private func database(in folder: TemporaryFolder) throws -> (
    path: String, baseline: DriftBaseline?
  ) {
    var path = folder.file("damaged.routing.db")
    var baseline: DriftBaseline?
    switch damage {
    case .plain(let statements):
      path = try plainDatabase(in: folder, filledBy: plainRows + statements)
    case .ours(let statements):
      path = try loopMap.routingDatabase(in: folder)
      try changeDatabase(path, statements)
    case .page(let page):
      var bytes = try bytesOfFile(try loopMap.routingDatabase(in: folder))
      for offset in bytes.indices where offset / 8192 == page { bytes[offset] = 0xA5 }
      path = try folder.write(bytes, to: "overwritten.db")
    case .baseline(let statements):
      path = try loopMap.routingDatabase(in: folder)
      let old = try folder.write(try bytesOfFile(path), to: "old.routing.db")
      try changeDatabase(old, statements)
      baseline = DriftBaseline(old, limit: 0.2)
    }
    return (path, baseline)
  }
}
