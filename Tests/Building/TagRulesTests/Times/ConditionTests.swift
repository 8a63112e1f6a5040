// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import Testing

@testable import CairnTagRules

@Suite("Conditions")
struct ConditionTests {
  /// Condition | date | whether it holds.
  private static let table = """
    Nov-Apr              | 2024-11-01 | yes
    Nov-Apr              | 2024-10-31 | no
    Nov-Apr              | 2024-12-31 | yes
    Nov-Apr              | 2024-01-01 | yes
    Nov-Apr              | 2024-04-30 | yes
    Nov-Apr              | 2024-05-01 | no
    May-Oct              | 2024-05-01 | yes
    May-Oct              | 2024-10-31 | yes
    May-Oct              | 2024-04-30 | no
    Dec 01-Mar 31        | 2023-11-30 | no
    Dec 01-Mar 31        | 2023-12-01 | yes
    Dec 01-Mar 31        | 2024-03-31 | yes
    Dec 01-Mar 31        | 2024-04-01 | no
    Nov 15-Apr 30        | 2024-11-14 | no
    Nov 15-Apr 30        | 2024-11-15 | yes
    Nov 15 - Apr 30      | 2024-04-30 | yes
    (Nov 15-Apr 30)      | 2024-05-01 | no
    Nov 15–Apr 30        | 2024-02-29 | yes
    Nov 15-30            | 2024-11-30 | yes
    Nov 15-30            | 2024-12-01 | no
    Nov 15-Feb           | 2024-02-29 | yes
    Nov 15-Feb           | 2024-03-01 | no
    Nov-Feb 28           | 2024-02-28 | yes
    Nov-Feb 28           | 2024-02-29 | unknown
    Nov-Feb 29           | 2024-02-29 | yes
    Nov-Feb 29           | 2023-02-28 | yes
    Mar-Oct              | 2024-02-29 | no
    Feb 29               | 2024-02-29 | yes
    Feb 29               | 2024-03-01 | no
    Mar 15               | 2024-03-15 | yes
    Mar 15               | 2024-03-16 | no
    Dec 25,26            | 2024-12-26 | yes
    Dec 25,26            | 2024-12-27 | no
    Dec 24-26,31         | 2024-12-31 | yes
    Jan,Mar,Nov-Dec      | 2024-03-09 | yes
    Jan,Mar,Nov-Dec      | 2024-02-09 | no
    january-march        | 2024-02-09 | yes
    Jan-Dec              | -          | yes
    Jan-Nov              | -          | unknown
    2024                 | 2024-06-01 | yes
    2024                 | 2023-06-01 | no
    2023-2025            | 2024-06-01 | yes
    2023+                | 2026-06-01 | yes
    2024 May 01+         | 2026-01-01 | yes
    2024 May 01+         | 2024-04-30 | no
    2023 Dec 01-2024 Mar 31 | 2024-03-31 | yes
    2023 Dec 01-2024 Mar 31 | 2024-12-01 | no
    2023 Nov-Mar         | 2024-03-31 | yes
    2023 Nov-Mar         | 2023-03-31 | no
    Mo                   | 2024-07-15 | yes
    Tu-Su                | 2024-07-15 | no
    Sa-Mo                | 2024-07-15 | yes
    Fr,Su                | 2024-07-14 | yes
    Mo-Fr                | 2000-01-01 | no
    Sa                   | 2000-01-01 | yes
    Th                   | 2024-02-29 | yes
    Mo-Su                | -          | yes
    Mo-Fr                | -          | unknown
    Su,PH                | 2024-07-14 | yes
    Su,PH                | 2024-07-15 | no
    PH                   | 2024-12-25 | no
    SH                   | 2024-07-15 | unknown
    08:00-18:00          | -          | yes
    22:00-06:00          | -          | no
    22:00-6:00           | -          | no
    18:00-12:30          | -          | yes
    20:00-26:00          | -          | no
    20:00-37:00          | -          | yes
    00:00-24:00          | -          | yes
    12:00-13:00          | -          | yes
    11:00-12:00          | -          | no
    10:00+               | -          | yes
    14:00+               | -          | no
    24/7                 | -          | yes
    sunrise-sunset       | -          | yes
    sunset-sunrise       | -          | no
    (sunrise+01:00)-(sunset-01:00) | - | yes
    ((sunset+01:00)-(sunrise-01:00)) | - | no
    sunset-24:00         | -          | no
    Mo-Fr 08:00-18:00    | 2024-07-15 | yes
    Mo-Fr 18:00-20:00    | 2024-07-15 | no
    Mo-Fr 08:00-18:00    | -          | unknown
    Mo-Fr 18:00-20:00    | -          | no
    Jul Mo 08:00-18:00   | 2024-07-15 | yes
    Jul Tu 08:00-18:00   | 2024-07-15 | no
    Mar-Oct: 10:00-18:00 | 2024-07-15 | yes
    Jul 15 10:00-18:00   | 2024-07-15 | yes
    08:00-10:00,11:00-13:00 | -       | yes
    Mo 08:00-10:00, Tu 10:00-14:00 | 2024-07-15 | no
    Mo 08:00-10:00, Tu 10:00-14:00 | 2024-07-16 | yes
    Mo-Fr 08:00-18:00; Mo off | 2024-07-15 | no
    Mo-Fr 08:00-18:00; Tu off | 2024-07-15 | yes
    Mo-Fr 08:00-18:00; PH off | 2024-07-15 | yes
    Mo-Fr 08:00-18:00; 12:00-13:00 off | 2024-07-15 | no
    Mo-Fr 08:00-18:00; 13:00-14:00 off | 2024-07-15 | yes
    Mo-Su 08:00-18:00; Mo 14:00-18:00 | 2024-07-15 | unknown
    Tu-Su 08:00-18:00; Mo 14:00-18:00 | 2024-07-15 | no
    off                  | -          | no
    open                 | -          | yes
    "by appointment"     | -          | unknown
    Mo-Fr "ring the bell" | 2024-07-14 | no
    winter               | 2024-01-15 | yes
    winter               | 2024-07-15 | no
    winter               | 2024-03-15 | unknown
    summer               | 2024-07-15 | yes
    summer               | 2024-01-15 | no
    summer               | 2024-09-15 | unknown
    summer               | -          | unknown
    autumn               | 2024-10-15 | yes
    wet                  | 2024-07-15 | unknown
    snow                 | 2024-07-15 | unknown
    Nov-Apr AND snow     | 2024-07-15 | no
    Nov-Apr AND snow     | 2024-01-15 | unknown
    Mo-Fr and 08:00-18:00 | 2024-07-15 | yes
    (Mo-Fr AND weight>7.5) | 2024-07-15 | no
    weight>7.5           | -          | no
    length<=12           | -          | yes
    delivery             | -          | no
    destination          | -          | unknown
    """

  /// Of weeks, n-th weekdays, Easter, holidays, and dates with a colon.
  private static let calendarTable = """
    Mo[1]                | 2024-07-01 | yes
    Mo[1]                | 2024-07-15 | no
    Mo[3]                | 2024-07-15 | yes
    Mo[1,3]              | 2024-07-15 | yes
    Mo[2-4]              | 2024-07-15 | yes
    Mo[2-4]              | 2024-07-29 | no
    Mo[-1]               | 2024-07-29 | yes
    Mo[-1]               | 2024-07-22 | no
    Mo[-2]               | 2024-07-22 | yes
    Mo[1,-1]             | 2024-07-29 | yes
    Su[1] +1 day         | 2024-07-08 | yes
    Su[1] +1 day         | 2024-07-07 | no
    Mo[1] -2 days        | 2024-06-29 | yes
    We[3] 10:00-18:00    | 2024-07-17 | yes
    Fr,We[3]             | 2024-07-17 | yes
    Fr,We[3]             | 2024-07-10 | no
    Apr-Oct We[3]        | 2024-07-17 | yes
    Apr-Oct We[3]        | 2024-12-18 | no
    Mo[1]                | -          | unknown
    SH off               | 2024-07-15 | no
    SH Mo-Fr             | 2024-07-15 | unknown
    SH Mo-Fr             | 2024-07-14 | no
    SH,Mo-Fr             | 2024-07-15 | yes
    SH,Mo-Fr             | 2024-07-14 | unknown
    PH Mo-Fr             | 2024-07-15 | no
    PH,SH Mo-Fr          | 2024-07-15 | unknown
    Mo-Fr 14:00-18:00, SH 10:00-18:00 | 2024-07-14 | unknown
    Mo-Su 10:00-18:00; SH 09:00-20:00 | 2024-07-15 | yes
    Mo-Su 10:00-18:00; SH off | 2024-07-15 | unknown
    SH off; Mo-Su 10:00-18:00 | 2024-07-15 | yes
    Apr-Oct: Mo-Su 10:00-18:00 | 2024-07-15 | yes
    Apr-Oct: Mo-Su 10:00-18:00 | 2024-12-15 | no
    Apr 01-Oct 31: Mo-Su 10:00-18:00 | 2024-10-31 | yes
    Apr 1-Oct 31: 10:00-18:00 | 2024-10-31 | yes
    Apr 1-Oct 31: 10:00-18:00 | 2024-11-01 | no
    Oct 8: 10:00-18:00   | 2024-10-08 | yes
    Oct 8 10:00-18:00    | 2024-10-08 | yes
    Dec 25,26: off       | 2024-12-26 | no
    2024 May 01-2025 Mar 31: Mo-Fr | 2024-07-15 | yes
    2024: Mo-Fr 10:00-18:00 | 2024-07-15 | yes
    2023: Mo-Fr 10:00-18:00 | 2024-07-15 | no
    May-Sep: Mo-Fr 10:00-18:00; Oct-Apr: Sa,Su 10:00-16:00 | 2024-07-15 | yes
    May-Sep: Mo-Fr 10:00-18:00; Oct-Apr: Sa,Su 10:00-16:00 | 2024-12-15 | yes
    May-Sep: Mo-Fr 10:00-18:00; Oct-Apr: Sa,Su 10:00-16:00 | 2024-07-14 | no
    week 20-40           | 2024-05-12 | no
    week 20-40           | 2024-05-13 | yes
    week 20-40           | 2024-10-06 | yes
    week 20-40           | 2024-10-07 | no
    week 40-20           | 2024-07-15 | no
    week 41-20           | 2024-10-07 | yes
    week 20              | 2024-05-19 | yes
    week 10,20,30-35     | 2024-08-01 | yes
    week 1-53/2          | 2024-07-15 | yes
    week 2-52/2          | 2024-07-15 | no
    week 53              | 2021-01-03 | yes
    week 1               | 2024-12-30 | yes
    week 1               | 2023-01-01 | no
    week 52              | 2023-01-01 | yes
    week 1-53            | -          | yes
    week 20-40           | -          | unknown
    week 20-40 Mo-Fr 08:00-18:00 | 2024-07-15 | yes
    week 20-40 Sa 08:00-18:00 | 2024-07-15 | no
    week 20-40: 08:00-18:00 | 2024-07-15 | yes
    2024 week 20-40      | 2024-07-15 | yes
    2023 week 20-40      | 2024-07-15 | no
    week 20-40 Mo 08:00-18:00, week 41-50 Tu 08:00-18:00 | 2024-10-08 | yes
    easter               | 2024-03-31 | yes
    easter               | 2024-04-01 | no
    easter               | 2025-04-20 | yes
    easter               | 2000-04-23 | yes
    easter               | 1818-03-22 | yes
    easter               | 2038-04-25 | yes
    easter               | -          | unknown
    easter +1 day        | 2024-04-01 | yes
    easter -2 days       | 2024-03-29 | yes
    easter -2 days-easter +1 day | 2024-03-30 | yes
    easter -2 days-easter +1 day | 2024-04-02 | no
    easter-Oct           | 2024-03-30 | no
    easter-Oct           | 2024-03-31 | yes
    easter-Oct 15        | 2024-10-16 | no
    Nov 1-easter         | 2024-03-31 | yes
    Nov 1-easter         | 2024-12-24 | yes
    Nov 1-easter         | 2024-04-01 | no
    easter+              | 2024-07-15 | yes
    2024 easter          | 2025-04-20 | no
    easter off           | 2024-03-31 | no
    Mo-Su 10:00-18:00; easter +1 day off | 2024-04-01 | no
    Dec 31 +1 day        | 2024-01-01 | yes
    """

  /// The rows of a table, with a tag before each that stands for its tags.
  private static func rows(_ table: String) -> RuleTable {
    RuleTable("x=1|" + table.replacing("\n", with: "\nx=1|"))
  }

  @Test("hold or not", arguments: rows(table))
  func holds(row: RuleTable.Row) { check(row) }

  @Test(
    "weeks, n-th weekdays, Easter, school holidays and dates with a colon are read",
    arguments: rows(calendarTable))
  func calendar(row: RuleTable.Row) { check(row) }

  private func check(_ row: RuleTable.Row) {
    let columns = row.columns
    let date = CalendarDate(columns[1])
    #expect(date != nil || columns[1] == "-")
    let reading = Condition(columns[0]).reading(at: .noon(of: date))
    #expect("\(reading.truth)" == columns[2], "\(columns)")
    #expect(reading.isReadable, "\(columns)")
  }

  @Test(
    "what follows two bars holds where nothing before it does",
    arguments: [
      ("Mo-Fr 08:00-18:00 || 10:00-14:00", "2024-07-15", Truth.yes),
      ("Mo-Fr 08:00-18:00 || 10:00-14:00", "2024-07-14", Truth.yes),
      ("Mo-Fr 08:00-18:00 || 14:00-18:00", "2024-07-14", Truth.no),
      ("Mo-Fr 08:00-18:00 || \"by appointment\"", "2024-07-15", Truth.yes),
      ("Mo-Fr 08:00-18:00 || \"by appointment\"", "2024-07-14", Truth.unknown),
      ("Mo 14:00-18:00 || Mo 10:00-14:00", "2024-07-15", Truth.unknown),
      ("Mo off || 10:00-14:00", "2024-07-15", Truth.yes),
      ("Tu || We || Mo", "2024-07-15", Truth.yes),
      ("Mo || off", "2024-07-15", Truth.yes),
      ("Tu || off", "2024-07-15", Truth.no),
      ("Mo-Fr 08:00-18:00 || open; Jul off", "2024-07-15", Truth.no),
      ("SH || Mo", "2024-07-15", Truth.yes),
      ("SH || Mo", "2024-07-14", Truth.unknown),
    ])
  func fallback(text: String, date: String, truth: Truth) {
    let reading = Condition(text).reading(at: .noon(of: CalendarDate(date)))
    #expect(reading == ConditionReading(truth: truth))
  }

  @Test(
    "what follows a modifier and a comma is added",
    arguments: [
      ("Su off, Mo-Sa 09:00-01:00", "2024-07-15", Truth.yes),
      ("Su off, Mo-Sa 09:00-01:00", "2024-07-14", Truth.no),
      ("Mo-Su 09:00-11:00 open, Mo 11:00-13:00", "2024-07-15", Truth.yes),
      ("Mo-Su 09:00-11:00 open, Mo 11:00-13:00", "2024-07-14", Truth.no),
      // Out of its hours it changes nothing.
      ("Mo-Su 09:00-18:00 open, Mo 18:00-22:00", "2024-07-15", Truth.yes),
      ("Mo-Su 09:00-18:00 open, Mo off", "2024-07-15", Truth.no),
      ("Mo-Su 09:00-18:00 open, Mo \"ask\"", "2024-07-15", Truth.unknown),
      ("Mo-Su off, Jul open, Mo off; Aug off", "2024-07-15", Truth.no),
      ("Mo-Su off, Jul open, Mo off; Aug off", "2024-07-16", Truth.yes),
    ])
  func additions(text: String, date: String, truth: Truth) {
    let reading = Condition(text).reading(at: .noon(of: CalendarDate(date)))
    #expect(reading == ConditionReading(truth: truth))
  }

  @Test(
    "that make no sense are unknown and said to be",
    arguments: [
      "", "()", "(", ")", "Nov-", "-Apr", "Nov 32", "Nov 0-3", "Foo", "Mo-", "Mo[1", "08:00-",
      "08:00", "25-26", "99:00-12:00", "08:60-12:00", "weight>", "weight 7", "Mo-Fr 08:00-x",
      "AND", "Jul AND", "AND Jul", "2024-03-01", "Okt-Dez", "123456789012345678901234567890",
      "Nov;;Foo", "no", "yes", "(sunrise+x)-18:00", "(sunrise", "?", "é", "👩‍👩‍👧‍👦-Apr",
      "week", "week 0", "week 54", "week 1-", "week 1/2", "week 1-53/0", "week Mo", "Mo[0]",
      "Mo[6]",
      "Mo[]", "Mo[1", "Mo[3-1]", "Mo[1] +9999 days", "easter -999 days", "|| Mo", "Mo ||",
      "Mo | Tu", "Mo ||| Tu", "Mo || Foo",
    ])
  func broken(text: String) {
    let reading = Condition(text).reading(at: .noon(of: CalendarDate("2024-07-15")))
    #expect(reading == .unreadable)
  }

  @Test("what makes no sense does not matter where the rest settles it")
  func settled() {
    let reading = Condition("Nov AND gibberish").reading(at: .noon(of: CalendarDate("2024-07-15")))
    #expect(reading == ConditionReading(truth: .no, isReadable: false))
  }

  @Test("of several clauses the last that holds wins")
  func lastWins() {
    func values(_ text: String) -> [String] { read(text).values }
    #expect(values("a @ (Jul); b @ (Jul)") == ["b"])
    #expect(values("a @ (Jul); b @ (Jun)") == ["a"])
    #expect(values("a @ (Jun); b @ (Jun)") == [])
    #expect(values("a @ (Jul); b @ snow; c @ (Jun)") == ["b", "a"])
    #expect(values("a @ (Jul; Aug); b @ Jun;") == ["a"])
    #expect(values("a@Jul") == ["a"])
    #expect(values(" a   @   Jul  ") == ["a"])
  }

  private func read(_ text: String) -> (values: [String], mayNotApply: Bool) {
    ConditionalTag(text).values { $0.reading(at: .noon(of: CalendarDate("2024-07-15"))).truth }
  }

  @Test("a tag applies for certain only if one of its clauses does")
  func mayNotApply() {
    #expect(read("no @ (Jul)").mayNotApply == false)
    #expect(read("no @ snow").mayNotApply)
    #expect(read("no @ (Jun)").mayNotApply)
    #expect(ConditionalTag("no").isReadable == false)
    #expect(ConditionalTag("@ (Jul)").isReadable == false)
    #expect(ConditionalTag("no @").isReadable == false)
  }

  /// A rule, read once, says what the tags say, and nothing that it does not call possible.
  private func checkRule(_ tags: WayTags, on date: CalendarDate?, _ seed: Int) {
    for vehicle in Vehicle.allCases {
      let access = Access(tags, for: vehicle, on: date)
      let passage = BarrierPassage(TagList(tags), for: vehicle, on: date).access
      let anyAccess = Access(tags, for: vehicle, on: nil)
      guard let rule = AccessRule(tags, isBarrier: false),
        let barrier = AccessRule(tags, isBarrier: true)
      else {
        #expect(access == anyAccess, "seed \(seed): nothing depends on time")
        continue
      }
      #expect(rule.access(for: vehicle, at: .noon(of: date)) == access, "seed \(seed)")
      #expect(barrier.access(for: vehicle, at: .noon(of: date)).forwardClass == passage)
      let possible = rule.possibleAccess(for: vehicle)
      for minute in [nil, 1, 719, 1080] {
        let moment = Moment(date: date, minute: minute)
        let now = rule.access(for: vehicle, at: moment)
        #expect(possible.forward.contains(now.forwardClass), "seed \(seed): \(tags)")
        #expect(possible.backward.contains(now.backwardClass), "seed \(seed): \(tags)")
      }
    }
  }

  @Test("whatever is done to a tag, it is read in an instant and never traps")
  func mutations() {
    let seeds = (Array(Self.rows(Self.table)) + Self.rows(Self.calendarTable)).map {
      $0.columns[0]
    }
    let pieces = [
      "@", "(", ")", ";", ",", "-", ":", "[", "]", "\"", "+", "<", ">", " AND ", "Nov", "Mo",
      "24/7", "99999999999999999999", "\0", "\u{301}", "🏔", "off", "sunrise", "2024", "29", " ",
      "Feb", "week ", "easter", "||", "SH ", "[-1]", "[2]", "+1 day", "/2",
    ]
    let dates = ["2024-02-29", "0001-01-01", "9999-12-31"].map { CalendarDate($0) } + [nil]
    for seed in 0..<4000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var characters = Array(seeds.randomElement(using: &random) ?? "")
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0...characters.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where index < characters.count: characters.remove(at: index)
        case 1: characters.insert(contentsOf: seeds.randomElement(using: &random) ?? "", at: index)
        default:
          characters.insert(contentsOf: pieces.randomElement(using: &random) ?? "", at: index)
        }
      }
      let text = "no @ " + String(characters)
      let date = dates[seed % dates.count]
      let tags = [
        "highway": "path", "foot:conditional": text, "opening_hours": String(characters),
        "oneway:conditional": text, "seasonal": String(characters), "barrier": "gate",
      ]
      for vehicle in Vehicle.allCases {
        let access = Access(tags, for: vehicle, on: date)
        let passage = BarrierPassage(TagList(tags), for: vehicle, on: date)
        #expect(!passage.isPassable || passage.access.isPassable(for: vehicle), "seed \(seed)")
        // What is open without a date is open on every day: the graph is cut without one.
        let undated = Access(tags, for: vehicle, on: nil)
        let undatedPassage = BarrierPassage(TagList(tags), for: vehicle, on: nil)
        #expect(!undated.forward || access.forward, "seed \(seed): \(text)")
        #expect(!undated.backward || access.backward, "seed \(seed): \(text)")
        #expect(!undatedPassage.isPassable || passage.isPassable, "seed \(seed): \(text)")
      }
      _ = Access.unreadableConditions(TagList(tags))
      checkRule(tags, on: date, seed)
    }
    let long = String(repeating: "(Nov-Apr; ", count: 20_000)
    #expect(ConditionalTag("no @ " + long).isReadable == false)
  }
}

@Suite("Dates")
struct CalendarDateTests {
  @Test(
    "that the calendar has are read",
    arguments: ["2024-02-29", "2000-02-29", "2023-12-31", "0001-01-01", "9999-12-31"])
  func valid(text: String) { #expect(CalendarDate(text)?.description == text) }

  @Test(
    "that it does not have are not",
    arguments: [
      "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "2024-01-00",
      "0000-01-01", "2024-1-1", "24-01-01", "2024/01/01", "2024-01-01T00:00:00Z", "", "-", "--",
      "２０２４-01-01",
      "+024-01-01", "2024-01-01 ",
    ])
  func invalid(text: String) { #expect(CalendarDate(text) == nil) }

  @Test("the day of a time is read, and nothing from a text that is not a time")
  func timestamps() {
    #expect(CalendarDate(timestamp: "2024-05-06T07:08:09Z") == CalendarDate("2024-05-06"))
    #expect(CalendarDate(timestamp: "2024-05-06") == CalendarDate("2024-05-06"))
    #expect(CalendarDate(timestamp: "2024-05-0607") == nil)
    #expect(CalendarDate(timestamp: "yesterday") == nil)
    #expect(CalendarDate(timestamp: "") == nil)
  }

  @Test("the weekday goes on by one each day, from a known Saturday")
  func weekdays() {
    var weekday = 5  // 2000-01-01
    for year in 2000...2103 {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = CalendarDate(year: year, month: month, day: day) else { continue }
          #expect(date.weekday == weekday, "\(date)")
          weekday = (weekday + 1) % 7
        }
      }
    }
  }
}
