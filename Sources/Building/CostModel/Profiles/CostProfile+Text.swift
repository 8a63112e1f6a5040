// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnTravelModels
import CommandLineKit
import SystemIO

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
    /// Whether it has an effect.
    var isSaid = true

    /// The comment after it in the file: the key's purpose, or a further note.
    var comment: String {
      switch key {
      case "cairn-profile", "name", "description": ""
      case "based-on": "this file is complete"
      case "vehicle": "whose access rules apply: foot or bicycle"
      case "cost-base": "what the factors multiply: the distance or the time"
      case "speed-kmh": "on the flat"
      case "descent": "a metre of descent, by its grade in percent, as a share of one of climb"
      case "max-grade-percent":
        "steeper edges of \(Int(EdgeFormula.gradeLimitMinimumMetres)) m or more are impassable"
      case "sac-scale": "factors by sac_scale; 1 if not listed, as below"
      default: ProfileForm.help(key)
      }
    }

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
    (heading + formula + limits + factors + [slower(isComplete: isComplete)])
      .filter { isComplete || $0.isSaid }
  }

  private var heading: [Entry] {
    let heading = [
      Entry(key: "cairn-profile", value: .integer(Self.fileVersion)),
      Entry(key: "name", value: .text(name)),
    ]
    let base = Entry(key: "based-on", value: .text(Self.nothing))
    return heading + (summary.isEmpty ? [] : [Entry(key: "description", value: .text(summary))])
      + [base]
  }

  private var formula: [Entry] {
    let isDistance = costBase == .equivalentDistance
    // Left out if it has no effect and equals `based-on: none`.
    let neutral = CostProfile(name: "")
    func number(_ scalar: ProfileScalar) -> Entry {
      let number = self[keyPath: scalar.path]
      let isUsed =
        switch scalar.key {
        case "speed-kmh": timeModel.usesSpeed
        case "climb-factor": isDistance
        default: false
        }
      return Entry(
        key: scalar.key, value: .number(number),
        isSaid: isUsed || number != neutral[keyPath: scalar.path])
    }
    return [
      Entry(key: "vehicle", value: .text(vehicle.rawValue)),
      Entry(key: "cost-base", value: .text(costBase.rawValue), isSaid: !isDistance),
      Entry(
        key: "time-model", value: .text(timeModel.rawValue),
        isSaid: timeModel != .equivalentDistance),
    ] + Self.scalars.map(number) + [
      Entry(
        key: "descent", value: .table(Self.descents.map { ($0.key, self[keyPath: $0.path]) }),
        isSaid: isDistance || descent != neutral.descent)
    ]
  }

  private var limits: [Entry] {
    func limit(_ key: String, _ value: Entry.Value?) -> Entry {
      Entry(key: key, value: value ?? .text(Self.nothing), isSaid: value != nil)
    }
    return [
      limit("max-sac", maximumSACScale.map { .text($0.rawValue) }),
      Entry(
        key: "contradicted-grades", value: .text(contradictedGrades.rawValue),
        isSaid: contradictedGrades != .asTagged),
      limit("max-mtb-scale", maximumMTBScale.map { .integer($0) }),
      limit("max-grade-percent", maximumGradePercent.map { .number($0) }),
    ]
  }

  private var factors: [Entry] {
    Self.tables.map { table in
      let rows = Self.sorted(self[keyPath: table.path], table.order)
      return Entry(
        key: table.key, value: .table(rows), isSaid: table.isAlwaysSaid || !rows.isEmpty)
    }
  }

  private func slower(isComplete: Bool) -> Entry {
    let tables = Slowdown.tables.map { table in
      (key: table.key, rows: Self.sorted(slowdown[keyPath: table.path], table.order))
    }.filter { isComplete || !$0.rows.isEmpty }
    return Entry(key: "slowdown", value: .tables(tables), isSaid: !tables.isEmpty)
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

  /// A number of a profile.
  package struct Number: Sendable {
    /// The key that ``ProfileSetting`` takes.
    package var key: String
    /// Infinite where something is impassable.
    package var value: Double
    /// The purpose of the key.
    package var help: String
    /// The allowed range; nil if that depends on more.
    package var range: ClosedRange<Double>?
    /// Whether it may be ``CostProfile/impassableWord``, too.
    package var canBeImpassable = false
  }

  /// The numbers of the profile, in the order of the printed file.
  package var numbers: [Number] {
    entries(isComplete: true).flatMap { entry -> [Number] in
      func number(_ keys: [String], _ value: Double, canBeImpassable: Bool = false) -> Number {
        Number(
          key: keys.joined(separator: "."), value: value, help: entry.comment,
          range: canBeImpassable ? Self.factorRange : ProfileForm.range(of: keys),
          canBeImpassable: canBeImpassable)
      }
      switch entry.value {
      case .number(let value): return [number([entry.key], value)]
      case .table(let rows):
        let canBeImpassable = Self.tables.contains { $0.key == entry.key }
        return rows.map {
          number([entry.key, $0.key], $0.factor, canBeImpassable: canBeImpassable)
        }
      case .tables(let tables):
        return tables.flatMap { table in
          table.rows.map { number([entry.key, table.key, $0.key], $0.factor) }
        }
      case .integer, .text: return []
      }
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
        rows.map { ($0.key, $0.factor.isFinite ? .number($0.factor) : .text(impassableWord)) },
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
      let factor = row.factor.isFinite ? plain(row.factor) : impassableWord
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
