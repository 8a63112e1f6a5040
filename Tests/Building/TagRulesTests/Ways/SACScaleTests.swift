// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
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
        #expect(GradeReading(text) == .grade(grade), "\(text)")
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
    #expect(GradeReading("yes;hiking") == .grade(.t1))
  }

  @Test(
    "from T4 on, a grade counts as T3 on a track that is firm or easy to ride")
  func judged() {
    func judged(_ tags: String...) -> SACScale? {
      SACScale(
        judging: TagList(
          Dictionary(
            uniqueKeysWithValues: tags.map { tag in
              let parts = tag.split(separator: "=")
              return (String(parts[0]), String(parts[1]))
            })))
    }
    for grade in ["T4", "T5", "T6"] {
      let tag = "sac_scale=\(grade)"
      for ridden in ["0", "1", "1+", "2", "2-"] {
        #expect(judged("highway=track", "mtb:scale=\(ridden)", tag) == .t3)
        #expect(judged("highway=path", "mtb:scale=\(ridden)", tag) == SACScale(grade: grade))
      }
      #expect(judged("highway=track", "tracktype=grade3", tag) == .t3)
      // One tag against another proves nothing.
      #expect(judged("highway=track", tag) == SACScale(grade: grade))
      #expect(judged("highway=track", "tracktype=grade5", tag) == SACScale(grade: grade))
      #expect(judged("highway=track", "mtb:scale=3", tag) == SACScale(grade: grade))
    }
    #expect(judged("highway=track", "mtb:scale=0", "sac_scale=T2") == .t2)
    #expect(judged("highway=track", "mtb:scale=0", "sac_scale=hiking;T5") == .t3)
    #expect(judged("highway=track", "mtb:scale=0", "sac_scale=yes") == nil)
    #expect(judged("highway=track", "mtb:scale=0") == nil)
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
