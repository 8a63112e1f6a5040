// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnTagRules
import Foundation
import Testing

@Suite("Tags that cannot all be right")
struct TagContradictionTests {
  /// `tags | the tags that are doubted, `-` for none | why`
  static let table = """
    highway=path sac_scale=hiking                        | - | a path
    highway=path sac_scale=alpine_hiking mtb:scale=3     | - | hard to cycle, too
    highway=path sac_scale=alpine_hiking mtb:scale=1     | sac_scale=alpine_hiking mtb:scale=1 | nobody cycles with hands
    highway=path sac_scale=T5 mtb:scale=2-               | sac_scale=T5 mtb:scale=2- | a sign after the digit
    highway=path sac_scale=alpine_hiking mtb:scale=2     | - | there are such paths
    highway=path sac_scale=demanding_mountain_hiking mtb:scale=0 | - | T3 needs no hands
    highway=track sac_scale=demanding_alpine_hiking      | sac_scale=demanding_alpine_hiking highway=track | nobody drives there
    highway=track sac_scale=mountain_hiking tracktype=grade4 | - | a rough track
    highway=residential sac_scale=alpine_hiking          | sac_scale=alpine_hiking highway=residential | nor there
    highway=path sac_scale=steep                         | sac_scale=steep | no word of the scale
    highway=path sac_scale=no                            | - | says that it has none
    highway=path sac_scale=hiking;alpine_hiking          | sac_scale=hiking;alpine_hiking | far apart
    highway=path sac_scale=T2;T3                         | - | between two
    highway=via_ferrata sac_scale=hiking                 | sac_scale=hiking highway=via_ferrata | no stroll
    highway=via_ferrata via_ferrata_scale=3 sac_scale=T5 | - | as it is
    highway=path via_ferrata_scale=2                     | via_ferrata_scale=2 highway=path | which is it
    highway=path via_ferrata_scale=0                     | - | says that it is none
    highway=path sac_scale=T4 bicycle=designated         | sac_scale=T4 bicycle=designated | not for bicycles
    highway=path sac_scale=T3 surface=asphalt            | sac_scale=T3 surface=asphalt | a road
    highway=path sac_scale=T2 surface=asphalt            | - | steep, but easy
    highway=track sac_scale=T3 tracktype=grade1          | sac_scale=T3 tracktype=grade1 | a road
    highway=path sac_scale=T1 trail_visibility=no        | trail_visibility=no sac_scale=T1 | T1 is a clear path
    highway=path sac_scale=T4 trail_visibility=no        | - | usual
    highway=service trail_visibility=horrible            | trail_visibility=horrible highway=service | a road is seen
    highway=track tracktype=grade2 trail_visibility=no   | trail_visibility=no tracktype=grade2 | gravel is seen
    highway=track trail_visibility=no                    | - | an overgrown one
    highway=path sac_scale=strolling ladder=yes          | ladder=yes sac_scale=strolling | a ladder is no stroll
    highway=path sac_scale=T3 ladder=yes                 | - | usual
    highway=path sac_scale=T1 rungs=4                    | rungs=4 sac_scale=T1 | nor are rungs
    highway=path ford=yes bridge=yes                     | ford=yes bridge=yes | over or through
    highway=path tunnel=yes bridge=yes                   | tunnel=yes bridge=yes | under or over
    """

  @Test("each is found, and usual tags are not", arguments: RuleTable(table))
  func doubts(row: RuleTable.Row) {
    let found = TagContradiction.all(TagList(row.tags)).flatMap(\.tags)
    #expect((found.isEmpty ? "-" : found.joined(separator: " ")) == row.columns[0], "\(row)")
  }

  @Test("the parsers keep the keys of every rule, and each rule is tried")
  func keys() {
    let tried = Set(
      RuleTable(Self.table)
        .flatMap { TagContradiction.all(TagList($0.tags)).map(\.text) })
    for rule in TagContradiction.table {
      #expect(tried.contains(rule.text), "\(rule.text)")
      for key in rule.keys { #expect(TagSelection.wayKeys.contains(key), "\(key)") }
    }
  }

  @Test("docs/safety.md has a row for each rule, in the same order")
  func document() throws {
    let text = try String(contentsOfFile: packageRoot + "/docs/safety.md", encoding: .utf8)
    let start = try #require(text.range(of: "### Suspicious tags\n")).upperBound
    let end = try #require(text.range(of: "## Tags\n")).lowerBound
    let rows = text[start..<end].split(separator: "\n").filter { $0.hasPrefix("| `") }
    let expected = TagContradiction.table.map { rule in
      "| \(rule.keys.map { "`\($0)`" }.joined(separator: ", ")) | \(rule.text) |"
    }
    #expect(rows.map(String.init) == expected, "\(expected.joined(separator: "\n"))")
  }
}
