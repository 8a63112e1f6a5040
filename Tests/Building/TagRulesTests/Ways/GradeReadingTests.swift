// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("What a value of sac_scale says")
struct GradeReadingTests {
  /// `grade | spellings, separated by two spaces`; 0 is `strolling`.
  private static let spellings = """
    0 | strolling  Strolling  T0
    1 | hiking  Hiking  t1  T 1  T1-hiking  1  T1 (Wandern)  randonnée  hikng  T1-
    2 | T2+  T2-  mountain hiking  Mountain-Hiking  mountain_hikng  mountian_hiking  T2 - Bergwandern
    2 | bergwandern  mountainhiking  SAC T2  T1/T2  T1-2  hiking/mountain_hiking  hiking - mountain_hiking
    2 | randonnée en montagne  escursione in montagna  T1 to T2  sac_scale=T2  2.0
    3 | T3?  T2,T3  T2;foo;T3  demanding mountain hiking  anspruchsvolles Bergwandern  T2–T3  T2 bis T3
    3 | hiking|demanding_mountain_hiking  <T3  2.5  Т3  Ｔ３
    4 | T4-  T3/4  T4,II  alpine_hike  alpinhiking  Alpinwandern  alpine  t4 (markiert)  T3.5
    4 | demanding_mountain_hiking - alpine_hiking  demanding_mountain_hiking to alpine_hiking
    5 | T5+  T4/T5  T5-  demanding alpine hiking  demanding_alpine_hikng  randonnée alpine exigeante
    6 | T6  T5–T6  difficult_alpine_hiking;hiking  schwieriges Alpinwandern  Difficult Alpine Hiking
    """

  @Test("any spelling that a person reads as a grade is one; of several the hardest")
  func grades() {
    for line in Self.spellings.split(separator: "\n") {
      let grade = line.first?.wholeNumberValue.flatMap { SACScale(number: $0) }
      for spelling in line.dropFirst(4).split(separator: "  ").map(String.init) {
        #expect(GradeReading(spelling) == grade.map { .grade($0) }, "\(spelling)")
      }
    }
  }

  @Test(
    "what names no grade is none, and what cannot be read is unknown",
    arguments: [
      "T7", "EE", "E", "S3", "K2", "UIAA II", "steep", "biking", "mountain_biking", "demanding",
      "demanding_hiking", "difficult_mountain_hiking", ">T3", "T", "hiking not recommended", "12",
      "???x", "hard", "unknown", "?", "alpine_climbing",
    ])
  func unreadable(value: String) {
    #expect(GradeReading(value) == .unreadable)
    #expect(GradeReading(value).mayExceed(.t5) && !GradeReading(value).mayExceed(.t6))
  }

  @Test(
    "yes and no stay what they were", arguments: ["yes", "no", "none", "", "No", "-"])
  func none(value: String) {
    #expect(GradeReading(value) == .none && !GradeReading(value).mayExceed(.strolling))
  }

  @Test("a value of a megabyte is unreadable, at once")
  func long() {
    for part in ["T1;", "hiking", "T", "é", "1.", "((("] {
      #expect(
        GradeReading(String(repeating: part, count: 1_000_000 / part.utf8.count)) == .unreadable)
    }
    // As long as a tag may be.
    #expect(GradeReading(String(repeating: "T1;", count: 85)) == .grade(.t1))
    #expect(GradeReading(String(repeating: "mountain", count: 31)) == .unreadable)
  }
}
