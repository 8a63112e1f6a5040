// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnDiagnostics
import Testing

@Suite("Tallies of warnings")
struct WarningTallyTests {
  @Test("many warnings of a kind are one entry with their count and the first examples")
  func keepsFirstExamples() {
    var tally = WarningTally()
    for way in 1...100_000 { tally.add("missing-node", "way \(way)") }
    #expect(tally.entries.count == 1)
    #expect(tally.entries.first?.count == 100_000)
    #expect(tally.entries.first?.examples == (1...WarningTally.exampleLimit).map { "way \($0)" })
    #expect(tally.total == 100_000)
  }

  @Test("the worst examples are kept and stand first; of equally bad ones the first")
  func keepsWorstExamples() {
    var tally = WarningTally()
    for way in 1...1000 { tally.add("too-steep", severity: Double(way % 100), "way \(way)") }
    let examples = tally.entries.first?.examples ?? []
    #expect(examples.prefix(3) == ["way 99", "way 199", "way 299"])
    #expect(examples.count == WarningTally.exampleLimit && examples[10] == "way 98")
  }

  @Test("an example that is not kept is never evaluated")
  func makesNoNeedlessExamples() {
    var tally = WarningTally()
    var made = 0
    func example() -> String {
      made += 1
      return "x"
    }
    for _ in 0..<100 { tally.add("kind", example()) }
    #expect(made == WarningTally.exampleLimit)
  }

  @Test("entries are sorted by kind")
  func sortsByKind() {
    var tally = WarningTally()
    for kind in ["b", "c", "a"] { tally.add(kind, "x") }
    #expect(tally.entries.map(\.kind) == ["a", "b", "c"])
    #expect(WarningTally().entries.isEmpty)
    #expect(WarningTally().total == 0)
  }

  @Test("merging the tallies of pieces in the order of the data gives the tally of the whole")
  func mergesLikeOne() {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      var whole = WarningTally()
      var pieces = [WarningTally()]
      for object in 0..<Int.random(in: 0...60, using: &random) {
        let kind = ["a", "b", "c"].randomElement(using: &random) ?? ""
        let severity = Double(Int.random(in: 0...3, using: &random))
        whole.add(kind, severity: severity, "object \(object)")
        if Bool.random(using: &random) { pieces.append(WarningTally()) }
        pieces[pieces.count - 1].add(kind, severity: severity, "object \(object)")
      }
      var merged = WarningTally()
      for piece in pieces { merged.merge(piece) }
      #expect(merged == whole, "seed \(seed)")
    }
  }

  @Test("counts saturate at the largest integer")
  func saturates() {
    var tally = WarningTally()
    tally.add("a", count: .max, examples: [])
    tally.add("a", count: .max, examples: (1...30).map { "\($0)" })
    tally.add("b", "x")
    #expect(tally.entries.first?.count == .max)
    #expect(tally.entries.first?.examples.last == "\(WarningTally.exampleLimit)")
    #expect(tally.total == .max)
  }
}
