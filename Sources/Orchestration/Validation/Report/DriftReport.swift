// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// An earlier database to compare with, and the allowed difference.
package struct DriftBaseline: Equatable, Sendable {
  /// The earlier database.
  package var path: String
  /// The allowed relative change of a figure, such as 0.2; nil for any change.
  package var limit: Double?

  /// Makes a baseline of a database and a limit.
  package init(_ path: String, limit: Double? = nil) {
    self.path = path
    self.limit = limit
  }
}

/// The differences between a database and an earlier one.
package struct DriftReport: Codable, Equatable, Sendable {
  /// One figure of both databases.
  package struct Row: Codable, Equatable, Sendable {
    /// The name of the figure, such as `nodes` or `km of path`.
    package var name: String
    /// In the baseline.
    package var old: Double
    /// In the database.
    package var new: Double
    /// The relative change; nil if the old figure is 0 and the new one is not.
    package var change: Double?
    /// Whether the change exceeds the limit.
    package var exceeds: Bool

    /// `km of path: 812 before, 530 now, −34.7 %`.
    ///
    /// - Parameter limit: The allowed share; a change beyond it is not rounded to it.
    package func summary(limit: Double?) -> String {
      let change = changeText(limit: limit)
      return "\(name): \(Self.text(old)) before, \(Self.text(new)) now, \(change)"
    }

    func changeText(limit: Double?) -> String {
      guard let change else { return "new" }
      return signedPercent(change, comparedWith: limit.map { change < 0 ? -$0 : $0 })
    }

    static func text(_ number: Double) -> String {
      grouped(number, decimals: abs(number) >= 1000 || number == number.rounded() ? 0 : 2)
    }
  }

  /// The earlier database.
  package var baseline: String
  /// The allowed relative change; nil for any.
  package var limit: Double?
  /// The figures, in a fixed order.
  package var rows: [Row] = []

  /// Compares two databases. Throws 66 if the baseline does not exist, and 65 if it is damaged or
  /// not a routing database.
  ///
  /// This compares the ``DatabaseFigures`` of both, and sample routes between nodes of the
  /// baseline, see ``SampleRoutes``. A type of way is compared only if it has at least 1 % of the
  /// kilometres.
  package init(baseline: DriftBaseline, database path: String) throws(CairnError) {
    self.baseline = baseline.path
    limit = baseline.limit
    let old = try DatabaseFigures(baseline.path)
    let new = try DatabaseFigures(path)
    add("nodes", Double(old.nodes), Double(new.nodes))
    add("edges", Double(old.edges), Double(new.edges))
    add("kilometres", old.kilometres, new.kilometres)
    for name in Set(old.highways.keys).union(new.highways.keys).sorted() {
      let (before, now) = (old.highways[name] ?? 0, new.highways[name] ?? 0)
      guard max(before, now) >= 0.01 * max(old.kilometres, 1) else { continue }
      add("km of \(name)", before, now)
    }
    for (name, before) in old.profiles {
      guard let now = new.profiles.first(where: { $0.name == name })?.figures else {
        add("profile \(name)", 1, 0)
        continue
      }
      add("\(name): passable km", before.passableKilometres, now.passableKilometres)
      add("\(name): cost per km", before.costPerKilometre, now.costPerKilometre)
    }
    let pairs = try SampleRoutes.pairs(of: baseline.path)
    let names = old.profiles.map(\.name).filter { name in
      new.profiles.contains { $0.name == name }
    }
    try addRoutes(pairs, names, baseline.path, path)
  }

  private mutating func add(_ name: String, _ old: Double, _ new: Double, isJudged: Bool = true) {
    let change: Double? = old == new ? 0 : old == 0 ? nil : (new - old) / old
    let exceeds = limit.map { limit in change.map { !(abs($0) <= limit) } ?? true } ?? false
    rows.append(
      Row(
        name: name, old: old, new: new, change: change.flatMap { $0.isFinite ? $0 : nil },
        exceeds: isJudged && exceeds))
  }

  /// Compares the sample routes.
  ///
  /// The limit applies to their sums. Single routes may change more, but no more than one in ten.
  private mutating func addRoutes(
    _ pairs: [SampleRoutes.Pair], _ profiles: [String], _ oldPath: String, _ newPath: String
  ) throws(CairnError) {
    guard !pairs.isEmpty else { return }
    let (before, now) = (try SampleRoutes(oldPath), try SampleRoutes(newPath))
    for profile in profiles {
      let old = try before.routes(pairs, profile: profile, limit: SampleRoutes.count)
      guard !old.isEmpty else { continue }
      let new = try now.routes(old.map(\.pair), profile: profile, limit: old.count)
      var sums = (old: SampleRoutes.Route.zero, new: SampleRoutes.Route.zero)
      var changed = 0
      for route in old {
        guard let other = new.first(where: { $0.pair == route.pair })?.route else {
          changed += 1
          continue
        }
        sums.old += route.route
        sums.new += other
        let change = abs(other.cost - route.route.cost) / max(route.route.cost, 1e-9)
        if change > limit ?? 0.2 { changed += 1 }
      }
      add("\(profile): routes found", Double(old.count), Double(new.count))
      add("\(profile): their km", sums.old.metres / 1000, sums.new.metres / 1000)
      add("\(profile): their cost", sums.old.cost, sums.new.cost)
      let unchanged = Double(old.count - changed)
      add("\(profile): routes nearly unchanged", Double(old.count), unchanged, isJudged: false)
      rows[rows.count - 1].exceeds = limit != nil && changed * 10 > old.count
    }
  }

  /// The figures whose change exceeds the limit.
  package var excesses: [Row] { rows.filter(\.exceeds) }

  /// Old, new and change of every figure as a text table.
  package var table: String {
    var table = TextTable([.left, .right, .right, .right, .left], indent: 2)
    table.add(["", "before", "now", "change"])
    for row in rows {
      table.add([
        printable(row.name), Row.text(row.old), Row.text(row.new), row.changeText(limit: limit),
        row.exceeds ? "too much" : "",
      ])
    }
    return table.text
  }
}
