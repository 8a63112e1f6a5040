// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnTagRules
import Foundation
import Testing

@testable import CostModel

@Suite("What becomes of each tag")
struct TagDecisionTests {
  enum Decision: String, CaseIterable { case closed, warned, noticed, quiet }

  /// A cell of the table in docs/safety.md.
  struct Row: CustomTestStringConvertible, Sendable {
    var object: String
    var tags: [String: String]
    var decision: Decision
    var testDescription: String {
      "\(object) \(tags.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))"
    }
  }

  static let rows: [Row] = {
    guard let text = try? String(contentsOfFile: packageRoot + "/docs/safety.md", encoding: .utf8),
      let start = text.range(of: "## Decisions\n")?.upperBound,
      let end = text.range(of: "\n## Tags\n")?.lowerBound
    else { return [] }
    return text[start..<end].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .flatMap { line -> [Row] in
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return Decision.allCases.enumerated().flatMap { index, decision in
          cells[index + 2].split(separator: "`").filter { $0.contains("=") }.map {
            Row(object: cells[1], tags: tags(String($0)), decision: decision)
          }
        }
      }
  }()

  /// Tags that are separated by spaces; a word without `=` belongs to the value before it.
  private static func tags(_ text: String) -> [String: String] {
    var tags: [String: String] = [:]
    var last = ""
    for word in text.split(separator: " ") {
      if let equals = word.firstIndex(of: "=") {
        last = String(word[..<equals])
        tags[last] = String(word[word.index(after: equals)...])
      } else {
        tags[last, default: ""] += " " + word
      }
    }
    return tags
  }

  @Test("the table has what it is to have")
  func size() {
    #expect(Self.rows.count > 250 && Set(Self.rows.map(\.object)) == ["way", "node", "area"])
    #expect(Set(Self.rows.map(\.decision)) == Set(Decision.allCases))
  }

  @Test("it is as docs/safety.md says", arguments: rows)
  func decision(row: Row) {
    let day = CalendarDate("2026-07-15")
    let tags = TagList(row.tags)
    var isClosed = false
    let hazards: [Hazard]
    switch row.object {
    case "node":
      isClosed = !BarrierPassage(tags, for: .foot, on: day).isPassable
      hazards = Hazard.all(tags, of: .node)
    case "area":
      hazards = Hazard.ofArea(tags, for: .foot, on: day)
      isClosed = hazards.contains(where: \.isClosing)
    default:
      let tags = TagList(row.tags.merging(["highway": "path"]) { own, _ in own })
      hazards = Hazard.all(tags, of: .way) + Hazard.ofAccess(tags, for: .foot, on: day)
      isClosed = !TagFactors(tags, .hiking, on: day).forward.isFinite
    }
    let severity = hazards.map(\.severity).max()
    let decision: Decision =
      isClosed ? .closed : severity == nil ? .quiet : severity == .notice ? .noticed : .warned
    #expect(decision == row.decision)
  }
}
