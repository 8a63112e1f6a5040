// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("How welcome one is by direction and season")
struct DirectionAndSeasonTests {
  @Test("so many cases that nobody need guess")
  func countsCases() {
    let tables = [
      AccessTests.kindTable, AccessTests.valueTable, AccessTests.hierarchyTable,
      Self.directionTable, Self.seasonTable,
    ]
    #expect(tables.map { RuleTable($0).count }.reduce(0, +) >= 150)
  }

  // MARK: Directions

  private static let directionTable = """
    highway=residential oneway=yes            | open      | open/closed | walkers are not bound
    highway=residential oneway=true           | open      | open/closed | walkers are not bound
    highway=residential oneway=1              | open      | open/closed | walkers are not bound
    highway=residential oneway=-1             | open      | closed/open | walkers are not bound
    highway=residential oneway=reverse        | open      | closed/open | walkers are not bound
    highway=residential oneway=no             | open      | open      | both
    highway=residential oneway=reversible     | open      | open      | both in turn
    highway=residential junction=roundabout   | open      | open/closed | round one way
    highway=residential junction=circular     | open      | open/closed | round one way
    highway=residential junction=roundabout oneway=no | open | open   | oneway is more specific
    highway=residential oneway=yes oneway:bicycle=no | open | open    | lifted
    highway=residential oneway:bicycle=yes    | open      | open/closed | for cyclists alone
    highway=residential oneway=-1 oneway:bicycle=yes | open | open/closed | its own sign
    highway=residential oneway=yes cycleway=opposite | open | open    | lifted
    highway=residential oneway=yes cycleway=opposite_lane | open | open | lifted
    highway=residential oneway=yes cycleway:left=opposite_track | open | open | lifted
    highway=residential oneway=yes cycleway:left:oneway=-1 | open | open | a lane against the traffic
    highway=residential oneway=yes cycleway=lane | open   | open/closed | a lane with the traffic
    highway=residential oneway=yes bicycle:backward=yes | open | open | its own sign
    highway=residential bicycle:backward=no   | open      | open/closed | its own sign
    highway=residential oneway=yes bicycle=no | open      | closed    | closed is closed
    highway=path oneway:foot=yes              | open/closed | open    | for walkers alone
    highway=path oneway:foot=-1               | closed/open | open    | for walkers alone
    highway=path oneway=yes oneway:foot=no    | open      | open/closed | for walkers alone
    highway=path foot:backward=no             | open/closed | open    | its own sign
    highway=path foot:forward=private         | restricted/open | open | its own sign
    highway=path oneway:foot=yes foot:backward=yes | open | open      | the more specific of two signs
    highway=steps oneway=yes                  | open      | dismount/closed | steps carry nobody
    highway=steps conveying=yes oneway=yes    | open/closed | dismount/closed | an escalator
    highway=steps conveying=forward           | open/closed | dismount | an escalator
    highway=steps conveying=backward          | closed/open | dismount | an escalator
    highway=steps conveying=reversible        | open      | dismount  | at times this way, at times that
    highway=steps conveying=no oneway=yes     | open      | dismount/closed | no escalator
    route=ferry foot=yes oneway=yes           | open/closed | uncertain/closed | a ferry carries walkers, too
    highway=residential oneway:conditional=yes_@_(Mo) | open | open/closed | it is a Monday
    highway=residential oneway:conditional=yes_@_(Tu) | open | open   | it is a Monday
    highway=residential oneway=yes oneway:conditional=no_@_(Jul) | open | open | it is July
    highway=residential oneway=yes oneway:conditional=-1_@_(Jul) | open | closed/open | it is July
    highway=residential oneway=yes oneway:conditional=-1_@_(wet) | open | uncertain | who knows
    highway=residential oneway=yes oneway:bicycle:conditional=no_@_(Jul) | open | open | it is July
    highway=path oneway:foot:conditional=yes_@_(Jul) | open/closed | open | it is July
    """

  @Test("by direction", arguments: RuleTable(directionTable))
  func directions(row: RuleTable.Row) { row.checkAccess() }

  // MARK: Seasons, on Monday the 15th of July 2024

  private static let seasonTable = """
    highway=path foot:conditional=no_@_(Nov-Apr)       | open      | open      | July is not among them
    highway=path foot:conditional=no_@_(Jun-Aug)       | closed    | open      | July is
    highway=path access:conditional=no_@_(Jun-Aug)     | closed    | closed    | for all
    highway=path vehicle:conditional=no_@_(Jun-Aug)    | open      | closed    | for vehicles
    highway=path bicycle:conditional=no_@_(Jul_15)     | open      | closed    | that day
    highway=path foot=yes access:conditional=no_@_(Jul) | open     | closed    | foot over access
    highway=path access=no foot:conditional=yes_@_(Jun-Sep) | open | closed    | open for the season
    highway=path foot=no foot:conditional=yes_@_(Nov-Apr) | closed | open      | a winter path
    highway=path foot:conditional=private_@_(Jul)      | restricted | open     | of its value
    highway=path foot:conditional=no_@_(22:00-06:00)   | open      | open      | not at noon
    highway=path foot:conditional=no_@_(08:00-16:00)   | closed    | open      | at noon
    highway=path foot:conditional=no_@_wet             | uncertain | open      | it may be wet
    highway=path foot=no foot:conditional=yes_@_dry    | uncertain | open      | it may be dry
    highway=path foot:conditional=destination_@_wet    | destination | open    | passable by any reading
    highway=path foot:conditional=no_@_gibberish       | uncertain | open      | a closure, but not when
    highway=path foot:conditional=yes_@_gibberish      | open      | open      | open by any reading
    highway=path foot:forward:conditional=no_@_(Jul)   | closed/open | open    | by direction
    highway=path foot:conditional=no_@_(Jul) foot:backward=yes | closed/open | open | direction over condition
    highway=path foot:conditional=no_@_(Jul);yes_@_(Mo) | open     | open      | the last that holds wins
    highway=path foot:conditional=no_@_(Jul);yes_@_(Tu) | closed   | open      | the last that holds wins
    highway=path bicycle=no bicycle:conditional=yes_@_Mo-Su_21:00-9:00 | open | closed | as in Munich
    highway=trunk foot:conditional=yes_@_(Jul)         | open      | busy-road | said for the season
    highway=trunk foot:conditional=yes_@_(Dec)         | uncertain | busy-road | said for another one
    highway=path seasonal=summer                       | open      | open      | it is summer
    highway=path seasonal=winter                       | closed    | closed    | a path over the snow
    highway=path seasonal=spring;summer                | open      | open      | one of them holds
    highway=path seasonal=winter;spring                | closed    | closed    | none of them holds
    highway=path seasonal=yes                          | uncertain | uncertain | but not when
    highway=path seasonal=no                           | open      | open      | all year
    highway=path seasonal=May-Oct                      | open      | open      | months
    highway=path seasonal=wet_season                   | uncertain | uncertain | but not when
    highway=path seasonal=winter foot=yes              | closed    | closed    | there is no way now
    highway=path seasonal=yes access=no                | closed    | closed    | closed is closed
    highway=track ice_road=yes                         | closed    | closed    | ice has melted
    highway=track winter_road=yes                      | closed    | closed    | snow has melted
    highway=footway opening_hours=24/7                 | open      | dismount  | always
    highway=footway opening_hours=08:00-20:00          | open      | dismount  | at noon
    highway=footway opening_hours=18:00-22:00          | closed    | closed    | not at noon
    highway=footway opening_hours=Tu-Su_08:00-20:00    | closed    | closed    | not on a Monday
    highway=footway opening_hours=May-Oct              | open      | dismount  | months
    highway=footway opening_hours=week_20-40           | open      | dismount  | weeks
    highway=footway opening_hours=week_40-50           | closed    | closed    | weeks
    highway=footway opening_hours=Mo[3]_10:00-18:00    | open      | dismount  | it is the third Monday
    highway=footway opening_hours=easter-Oct           | open      | dismount  | after Easter
    highway=footway opening_hours=Apr_1-Oct_31:_Mo-Su_10:00-18:00 | open | dismount | months and hours
    highway=footway opening_hours=SH_10:00-18:00       | uncertain | uncertain | who knows
    highway=footway opening_hours=sunrise-sunset       | open      | dismount  | in daylight
    highway=footway opening_hours="by_appointment"     | uncertain | uncertain | who knows
    """

  @Test("by the season", arguments: RuleTable(seasonTable))
  func seasons(row: RuleTable.Row) { row.checkAccess() }

  @Test("in winter what holds in summer does not")
  func winter() {
    let winter = CalendarDate("2024-01-15")
    func foot(_ tags: WayTags) -> AccessClass {
      Access(tags, for: .foot, on: winter).forwardClass
    }
    #expect(foot(["highway": "path", "foot:conditional": "no @ (Nov-Apr)"]) == .closed)
    #expect(foot(["highway": "path", "seasonal": "winter"]) == .open)
    #expect(foot(["highway": "track", "ice_road": "yes"]) == .open)
    #expect(foot(["highway": "path", "seasonal": "summer"]) == .closed)
  }

  @Test("south of the equator July is winter")
  func southern() {
    var july = CalendarDate("2024-07-15")
    july?.isSouthern = true
    let winterPath = ["highway": "path", "seasonal": "winter"]
    let closedInWinter = ["highway": "path", "foot:conditional": "no @ winter"]
    let closedInJuly = ["highway": "path", "foot:conditional": "no @ (Jul)"]
    #expect(Access(winterPath, for: .foot, on: july).forward)
    #expect(!Access(closedInWinter, for: .foot, on: july).forward)
    #expect(!Access(closedInJuly, for: .foot, on: july).forward)
  }

  @Test("without a date what depends on one is uncertain, and the rest is not")
  func undated() {
    func foot(_ key: String, _ value: String) -> AccessClass {
      Access(["highway": "path", key: value], for: .foot, on: nil).forwardClass
    }
    #expect(foot("foot:conditional", "no @ (Nov-Apr)") == .uncertain)
    #expect(foot("seasonal", "winter") == .uncertain)
    #expect(foot("foot:conditional", "permissive @ (Nov-Apr)") == .permissive)
    #expect(foot("foot:conditional", "no @ (22:00-06:00)") == .open)
    #expect(foot("opening_hours", "Mo-Su 08:00-18:00") == .open)
    #expect(foot("foot:conditional", "no @ (Jan-Dec)") == .closed)
  }
}
