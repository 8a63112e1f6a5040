// SPDX-License-Identifier: Apache-2.0
import TagRules
import Testing

@Suite("The SAC hiking scale")
struct SACScaleTests {
  @Test("every grade is read by its name and its number, in any case", arguments: SACScale.allCases)
  func spellings(grade: SACScale) {
    let names = grade == .strolling ? [grade.rawValue] : [grade.rawValue, "t\(grade.number)"]
    for name in names {
      for text in [name, name.uppercased(), name.capitalized, " \(name)\t"] {
        #expect(SACScale(grade: text) == grade, "\(text)")
        #expect(SACScale(hardestOf: text) == grade, "\(text)")
        #expect(SACScale.isKnown(text), "\(text)")
      }
    }
    #expect(SACScale(number: grade.number) == grade)
  }

  @Test("of several grades the hardest counts, in any order, whatever else the value names")
  func hardest() {
    #expect(SACScale(hardestOf: "hiking;alpine_hiking") == .t4)
    #expect(SACScale(hardestOf: "T5; T2;") == .t5)
    #expect(SACScale(hardestOf: "yes;hiking") == .t1)
    #expect(SACScale(hardestOf: "T7") == nil && SACScale(hardestOf: "") == nil)
    #expect(SACScale(grade: "hiking;alpine_hiking") == nil && SACScale(grade: "T0") == nil)
    #expect(!SACScale.isKnown("yes;hiking"))
  }

  @Test("the grades ascend, and T1 to T6 are their short names")
  func order() {
    #expect(SACScale.allCases == SACScale.allCases.sorted())
    #expect(SACScale.allCases.dropFirst() == [.t1, .t2, .t3, .t4, .t5, .t6])
    #expect(SACScale(number: -1) == nil && SACScale(number: 7) == nil)
  }
}

private extension String {
  /// The text with a capital after each underscore.
  var capitalized: String {
    split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "_")
  }
}
