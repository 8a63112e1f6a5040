// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Formatting
import SystemIO
import TravelModels

extension CostProfile {
  /// An entry of a profile file.
  private struct Entry {
    enum Value {
      case integer(Int)
      case number(Double)
      case text(String)
      /// A table, in the order of the printed file.
      case table([(key: String, factor: Double)])
      /// Tables in a mapping of their own.
      case tables([(key: String, rows: [(key: String, factor: Double)])])
    }

    var key: String
    var value: Value
    /// The comment after it in the file.
    var comment: String

    var isTable: Bool {
      switch value {
      case .table, .tables: true
      default: false
      }
    }
  }

  /// The entries of the profile, in the order of the printed file.
  ///
  /// - Parameter isComplete: Whether entries without effect are there, too. Without them, a profile
  ///   keeps its text when later versions have more keys.
  private func entries(isComplete: Bool) -> [Entry] {
    var entries = [
      Entry(key: "cairn-profile", value: .integer(Self.fileVersion), comment: ""),
      Entry(key: "name", value: .text(name), comment: ""),
    ]
    func add(_ key: String, _ value: Entry.Value, _ comment: String, if isSaid: Bool = true) {
      if isSaid || isComplete { entries.append(Entry(key: key, value: value, comment: comment)) }
    }
    func add(
      _ key: String, _ table: [String: Double], _ comment: String, order: [String] = [],
      isNeeded: Bool = false
    ) {
      let rows = Self.sorted(table, order)
      add(key, .table(rows), comment, if: isNeeded || !rows.isEmpty)
    }
    if !summary.isEmpty { add("description", .text(summary), "") }
    add("based-on", .text(Self.nothing), "this file is complete")
    add("vehicle", .text(vehicle.rawValue), "whose access rules apply: foot or bicycle")
    add(
      "cost-base", .text(costBase.rawValue), "what the factors multiply: the distance or the time",
      if: costBase != .equivalentDistance)
    add(
      "time-model", .text(timeModel.rawValue), "how durations are computed",
      if: timeModel != .equivalentDistance)
    add("time-factor", .number(timeFactor), "durations are multiplied by this", if: timeFactor != 1)
    add(
      "time-spread", .number(timeSpread),
      "how people's times differ: the standard deviation of their logarithms",
      if: timeSpread != TimeSpread.usual)
    // Left out if it has no effect and equals `based-on: none`.
    let neutral = CostProfile(name: "")
    add(
      "speed-kmh", .number(speedKilometresPerHour), "on the flat",
      if: timeModel.usesSpeed
        || speedKilometresPerHour != neutral.speedKilometresPerHour)
    add(
      "climb-factor", .number(climbFactor), "flat metres equivalent to a metre of climb",
      if: costBase == .equivalentDistance || climbFactor != neutral.climbFactor)
    add(
      "descent",
      .table([
        ("below-10", descent.below10), ("from-10", descent.from10), ("from-20", descent.from20),
        ("above-30", descent.above30),
      ]),
      "a metre of descent, by its grade in percent, as a share of one of climb",
      if: costBase == .equivalentDistance || descent != neutral.descent)
    add(
      "max-sac", .text(maximumSACScale?.rawValue ?? Self.nothing), "harder ways are impassable",
      if: maximumSACScale != nil)
    add(
      "max-mtb-scale", maximumMTBScale.map { .integer($0) } ?? .text(Self.nothing),
      "harder ways are impassable",
      if: maximumMTBScale != nil)
    add(
      "max-grade-percent", maximumGradePercent.map { .number($0) } ?? .text(Self.nothing),
      "steeper edges of \(Int(EdgeFormula.gradeLimitMinimumMetres)) m or more are impassable",
      if: maximumGradePercent != nil)
    add(
      "surfaces", surfaces.merging(["unknown": unknownSurface]) { $1 },
      "factors by surface; unknown if missing or not listed", isNeeded: true)
    add(
      "tracktypes", tracktypes, "factors by tracktype if the surface is unknown",
      order: ProfileKeys.tracktypes)
    add(
      "unknown-surfaces", unknownSurfaces,
      "factors by highway if neither surface nor tracktype is known")
    add(
      "sac-scale", sacScale, "factors by sac_scale; 1 if not listed, as below",
      order: ProfileKeys.sacScale, isNeeded: true)
    add("highways", highways, "factors by highway", isNeeded: true)
    add(
      "tunnels", tunnels, "factors below the ground, of roads and of other ways",
      order: ProfileKeys.tunnels)
    add(
      "trail-visibility", trailVisibility, "factors by trail_visibility",
      order: ProfileKeys.trailVisibility)
    add("smoothness", smoothness, "factors by smoothness", order: ProfileKeys.smoothness)
    add("mtb-scale", mtbScale, "factors by mtb:scale", order: ProfileKeys.mtbScale)
    add(
      "routes", routes, "factors of waymarked routes by network",
      order: ProfileKeys.routes)
    add("access", access, "factors by class of access", order: ProfileKeys.access)
    let slower = Slowdown.tables.map { table in
      (key: table.key, rows: Self.sorted(slowdown[keyPath: table.path], table.known ?? []))
    }.filter { isComplete || !$0.rows.isEmpty }
    add(
      "slowdown", .tables(slower), "durations are multiplied by the greatest that applies",
      if: !slower.isEmpty)
    return entries
  }

  /// The rows of a table in a known order, or by factor and then by key.
  private static func sorted(_ table: [String: Double], _ order: [String])
    -> [(key: String, factor: Double)]
  {
    table.map { (key: $0.key, factor: $0.value) }.sorted { left, right in
      let indices = [left, right].map { row in order.firstIndex(of: row.key) ?? order.count }
      return (indices[0], left.factor, left.key) < (indices[1], right.factor, right.key)
    }
  }

  /// The profile as JSON in a canonical form: equal profiles have equal text, however their files
  /// are written. It is itself a profile file.
  package func canonicalText() throws(CairnError) -> String {
    var object: [String: JSONValue] = [:]
    for entry in entries(isComplete: false) {
      object[entry.key] =
        switch entry.value {
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .table(let rows): Self.object(rows)
        case .tables(let tables):
          .object(
            Dictionary(
              tables.map { ($0.key, Self.object($0.rows)) }, uniquingKeysWith: { first, _ in first }
            ))
        }
    }
    return String(
      decoding: try encodeJSON(JSONValue.object(object), pretty: false).dropLast(), as: UTF8.self)
  }

  private static func object(_ rows: [(key: String, factor: Double)]) -> JSONValue {
    .object(
      Dictionary(
        rows.map { ($0.key, $0.factor.isFinite ? .number($0.factor) : .text("impassable")) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The SHA-256 of ``canonicalText()``.
  package func fingerprint() throws(CairnError) -> String {
    SHA256Digest.ofText(try canonicalText())
  }

  /// The profile as a file with all keys and comments: read again, it has the same fingerprint.
  package func yamlText() throws(CairnError) -> String {
    var lines: [String] = []
    for entry in entries(isComplete: true) {
      // A blank line follows a table.
      if lines.last?.hasPrefix(" ") == true, entry.comment.isEmpty || !entry.isTable {
        lines.append("")
      }
      switch entry.value {
      case .table(let rows):
        if !entry.comment.isEmpty { lines += ["", "# \(entry.comment)"] }
        lines.append(rows.isEmpty ? "\(entry.key): {}" : "\(entry.key):")
        lines += try Self.lines(rows, indent: "  ")
      case .tables(let tables):
        lines += ["", "# \(entry.comment)", "\(entry.key):"]
        for table in tables {
          lines.append("  \(table.key):" + (table.rows.isEmpty ? " {}" : ""))
          lines += try Self.lines(table.rows, indent: "    ")
        }
      case .integer(let number): lines.append(Self.line(entry, "\(number)"))
      case .number(let number): lines.append(Self.line(entry, Self.plain(number)))
      case .text(let text): lines.append(Self.line(entry, try Self.quoted(text)))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ rows: [(key: String, factor: Double)], indent: String)
    throws(CairnError) -> [String]
  {
    var lines: [String] = []
    for row in rows {
      let factor = row.factor.isFinite ? plain(row.factor) : "impassable"
      lines.append("\(indent)\(try quoted(row.key)): \(factor)")
    }
    return lines
  }

  private static func line(_ entry: Entry, _ value: String) -> String {
    let line = "\(entry.key): \(value)"
    guard !entry.comment.isEmpty else { return line }
    return (line + "  ").padded(to: 32) + "# \(entry.comment)"
  }

  private static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A text as YAML: plain if that is unambiguous, otherwise quoted as in JSON.
  private static func quoted(_ text: String) throws(CairnError) -> String {
    let isPlain =
      text.first?.isLetter == true && !["null", "true", "false"].contains(text)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "-_".utf8.contains(byte)
      }
    if isPlain { return text }
    return String(decoding: try encodeJSON(text, pretty: false).dropLast(), as: UTF8.self)
  }
}
