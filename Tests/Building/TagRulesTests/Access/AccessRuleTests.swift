// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CairnTagRules

@Suite("Access rules")
struct AccessRuleTests {
  private func rule(_ tags: WayTags, isBarrier: Bool = false) throws -> AccessRule {
    try #require(AccessRule(tags, isBarrier: isBarrier))
  }

  private func moment(_ date: String, _ minute: Int = Moment.noonMinute) -> Moment {
    Moment(date: CalendarDate(date), minute: minute)
  }

  @Test("tags that always mean the same are no rule")
  func none() {
    let constant: [WayTags] = [
      [:], ["highway": "path"], ["access:conditional": "no @ (weight>7.5)"],
      ["foot:conditional": "no @ delivery"], ["opening_hours": "24/7"], ["seasonal": "no"],
      ["maxspeed:conditional": "30 @ (Nov-Apr)"], ["ice_road": "no"],
    ]
    for tags in constant { #expect(AccessRule(tags, isBarrier: false) == nil, "\(tags)") }
  }

  @Test("a gate that closes at 18:00 is open at 17:59 and closed at 18:00")
  func gate() throws {
    let gate = try rule(["barrier": "gate", "opening_hours": "08:00-18:00"], isBarrier: true)
    #expect(gate.access(for: .foot, at: moment("2026-07-01", 1079)).forward)
    #expect(!gate.access(for: .foot, at: moment("2026-07-01", 1080)).forward)
    #expect(gate.access(for: .foot, at: .any).forwardClass == .uncertain)
    #expect(gate.changes(for: .foot) == [0, 480, 1080])
    #expect(gate.possibleAccess(for: .foot).forward == [.open, .uncertain, .closed])
  }

  @Test("the specific key wins over the general one's condition")
  func specificKey() throws {
    let tags = ["highway": "track", "foot": "yes", "access:conditional": "no @ (Nov-Apr)"]
    let track = try rule(tags)
    for date in ["2026-01-15", "2026-07-15"] {
      #expect(track.access(for: .foot, at: moment(date)).forwardClass == .open)
    }
    #expect(track.possibleAccess(for: .foot).forward == [.open])
    #expect(track.access(for: .bicycle, at: moment("2026-01-15")).forwardClass == .closed)
    #expect(
      track.possibleAccess(for: .bicycle).forward.isSuperset(of: [.open, .uncertain, .closed]))
  }

  @Test("what cannot be read is uncertain on every day, and said")
  func unreadable() throws {
    let way = try rule(["highway": "path", "access:conditional": "no @ (when it pleases)"])
    #expect(!way.isReadable(for: .foot))
    #expect(way.possibleAccess(for: .foot).forward == [.uncertain])
    #expect(way.texts(for: .foot) == ["access:conditional=no @ (when it pleases)"])
    #expect(!way.isCertain(for: .foot, at: moment("2026-07-15")))
  }

  @Test("only the tags of a vehicle are its rule")
  func vehicles() throws {
    let way = try rule([
      "highway": "path", "bicycle:conditional": "no @ (Nov-Apr)", "seasonal": "summer",
      "surface": "gravel",
    ])
    #expect(way.texts(for: .foot) == ["seasonal=summer"])
    #expect(way.texts(for: .bicycle) == ["bicycle:conditional=no @ (Nov-Apr)", "seasonal=summer"])
    #expect(way.isCertain(for: .foot, at: moment("2026-07-15")))
    #expect(!way.isCertain(for: .foot, at: moment("2026-09-15")))
  }

  @Test("a direction of its own has a rule of its own")
  func directions() throws {
    let way = try rule(["highway": "path", "foot:forward:conditional": "no @ (Nov-Apr)"])
    let winter = way.access(for: .foot, at: moment("2026-01-15"))
    #expect(!winter.forward && winter.backward)
    #expect(way.possibleAccess(for: .foot).backward == [.open])
  }

  @Test("with more conditions than can be combined, everything is possible")
  func manyConditions() throws {
    let clauses = (1...9).map { "no @ (Jan \($0))" }.joined(separator: "; ")
    let way = try rule(["highway": "path", "foot:conditional": clauses])
    #expect(way.possibleAccess(for: .foot).forward == Set(AccessClass.allCases))
  }
}
