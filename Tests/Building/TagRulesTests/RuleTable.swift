// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

/// A table of tags and what is expected of them: `KEY=VALUE … | COLUMN | COLUMN | why`, one row a
/// line. An underscore in a value stands for a space where `_@_` or brackets show a condition.
struct RuleTable: Collection, Sendable {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let tags: WayTags
    let columns: [String]

    var testDescription: String { text }
  }

  let rows: [Row]

  init(_ text: String) {
    rows = text.split(separator: "\n").map { line in
      let cells = line.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      var tags: WayTags = [:]
      for word in cells[0].split(separator: " ") {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isCondition = parts[1].contains("_@_") || parts[0] == "opening_hours"
        tags[String(parts[0])] =
          isCondition ? String(parts[1].map { $0 == "_" ? " " : $0 }) : String(parts[1])
      }
      return Row(text: cells[0], tags: tags, columns: Array(cells.dropFirst()))
    }
  }

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }
  func index(after index: Int) -> Int { index + 1 }
  subscript(index: Int) -> Row { rows[index] }
}

extension RuleTable.Row {
  /// Expects what a row of `tags | walker | cyclist | why` says for Monday the 15th of July 2024.
  /// One class stands for both directions, or `FORWARD/BACKWARD`.
  func checkAccess() {
    for (vehicle, expected) in zip(Vehicle.allCases, columns) {
      let access = Access(tags, for: vehicle, on: CalendarDate("2024-07-15"))
      let (there, back) = (access.forwardClass.rawValue, access.backwardClass.rawValue)
      let outcome = there == back ? there : "\(there)/\(back)"
      #expect(outcome == expected, "\(vehicle): \(text) (\(columns.last ?? ""))")
      #expect(access.forward == access.forwardClass.isPassable(for: vehicle))
      #expect(access.backward == access.backwardClass.isPassable(for: vehicle))
    }
    #expect(columns.count == 3, "a row has tags, walker, cyclist and a reason")
  }
}
