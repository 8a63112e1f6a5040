// SPDX-License-Identifier: Apache-2.0
import Testing
import TravelRules

/// Each table has: tags | walker | cyclist | why. One class stands for both directions, or
/// `FORWARD/BACKWARD`.
@Suite("How welcome one is on a way")
struct AccessTests {
  private static let summer = CalendarDate("2024-07-15")

  private func check(_ row: RuleTable.Row, on date: CalendarDate? = summer) {
    for (vehicle, expected) in zip(Vehicle.allCases, row.columns) {
      let access = Access(row.tags, for: vehicle, on: date)
      let (there, back) = (access.forwardClass.rawValue, access.backwardClass.rawValue)
      let outcome = there == back ? there : "\(there)/\(back)"
      #expect(outcome == expected, "\(vehicle): \(row.text) (\(row.columns.last ?? ""))")
      #expect(access.forward == access.forwardClass.isPassable)
      #expect(access.backward == access.backwardClass.isPassable)
    }
    #expect(row.columns.count == 3, "a row has tags, walker, cyclist and a reason")
  }

  @Test("so many cases that nobody need guess")
  func countsCases() {
    let tables = [
      Self.kindTable, Self.valueTable, Self.hierarchyTable, Self.directionTable, Self.seasonTable,
    ]
    #expect(tables.map { RuleTable($0).count }.reduce(0, +) >= 150)
  }

  // MARK: Kinds of ways

  private static let kindTable = """
    highway=path                              | open      | open      | a way of everyday
    highway=track                             | open      | open      | a way of everyday
    highway=residential                       | open      | open      | a way of everyday
    highway=living_street                     | open      | open      | a way of everyday
    highway=service                           | open      | open      | a way of everyday
    highway=tertiary                          | open      | open      | a way of everyday
    highway=secondary                         | open      | open      | a way of everyday
    highway=road                              | open      | open      | of unknown kind, but a road
    highway=cycleway                          | open      | open      | walkers are on most of them
    highway=footway                           | open      | dismount  | for walkers; a bicycle is pushed
    highway=pedestrian                        | open      | dismount  | for walkers
    highway=bridleway                         | open      | dismount  | for riders and walkers
    highway=steps                             | open      | dismount  | a bicycle is carried
    highway=corridor                          | open      | dismount  | indoors
    highway=platform                          | open      | dismount  | a bicycle is pushed
    highway=elevator                          | open      | dismount  | a bicycle is pushed
    highway=footway bicycle=yes               | open      | open      | a sign lets cyclists in
    highway=footway bicycle=designated        | open      | designated | a shared way
    highway=footway vehicle=yes               | open      | open      | vehicles are cyclists too
    highway=footway access=yes                | open      | dismount  | that says nothing of cyclists
    highway=footway access=private            | restricted | closed   | nobody to push a bicycle there
    highway=footway foot=no                   | closed    | closed    | nobody to push a bicycle there
    highway=pedestrian bicycle=no             | open      | closed    | not even pushed
    highway=steps bicycle=yes                 | open      | open      | a channel for the wheels
    highway=via_ferrata                       | open      | closed    | equipment is for the profile
    highway=ladder                            | open      | closed    | equipment is for the profile
    highway=motorway                          | closed    | closed    | never
    highway=motorway foot=yes bicycle=yes     | closed    | closed    | never
    highway=motorway_link foot=designated     | closed    | closed    | never
    highway=construction                      | closed    | closed    | not built yet
    highway=construction foot=yes             | closed    | closed    | not built yet
    highway=proposed                          | closed    | closed    | not built yet
    highway=planned                           | closed    | closed    | not built yet
    highway=abandoned                         | closed    | closed    | built no more
    highway=disused                           | closed    | closed    | built no more
    highway=razed                             | closed    | closed    | built no more
    highway=raceway                           | closed    | closed    | of no kind that one goes on
    highway=raceway foot=yes                  | open      | closed    | but a sign says so
    highway=bus_guideway                      | closed    | closed    | of no kind that one goes on
    highway=no                                | closed    | closed    | of no kind that one goes on
    man_made=pier                             | open      | open      | no highway, nothing against it
    highway=trunk                             | uncertain | busy-road | only where foot or a sidewalk says so
    highway=trunk_link                        | uncertain | busy-road | only where foot or a sidewalk says so
    highway=trunk access=yes                  | uncertain | busy-road | that is about cars
    highway=trunk access=no                   | closed    | closed    | and that is about all
    highway=trunk foot=yes                    | open      | busy-road | foot says so
    highway=trunk foot=designated             | designated | busy-road | foot says so
    highway=trunk foot=unknown                | uncertain | busy-road | says nothing
    highway=trunk sidewalk=both               | open      | busy-road | a sidewalk
    highway=trunk sidewalk=right              | open      | busy-road | a sidewalk
    highway=trunk sidewalk:left=yes           | open      | busy-road | a sidewalk
    highway=trunk sidewalk=no                 | uncertain | busy-road | none
    highway=trunk sidewalk=separate           | sidepath  | busy-road | the way beside it is meant
    highway=trunk sidewalk=both foot=no       | closed    | busy-road | foot is more specific
    highway=trunk bicycle=yes                 | uncertain | open      | a sign for cyclists only
    highway=primary                           | busy-road | busy-road | passable, and no pleasure
    highway=primary_link                      | busy-road | busy-road | passable, and no pleasure
    highway=primary sidewalk=left             | open      | busy-road | a sidewalk
    highway=primary foot=yes bicycle=yes      | open      | open      | both are said
    highway=primary sidewalk=separate         | sidepath  | busy-road | the way beside it is meant
    highway=primary motorroad=yes             | closed    | closed    | for motors only
    highway=primary motorroad=yes foot=yes    | open      | closed    | foot says so
    highway=primary motorroad=yes sidewalk=left | open    | closed    | a sidewalk beside it
    highway=trunk motorroad=yes sidewalk=separate | closed | closed   | the way beside it is not this one
    highway=primary motorroad=no              | busy-road | busy-road | as without
    highway=residential sidewalk=separate     | sidepath  | open      | the way beside it is meant
    highway=residential sidewalk:right=separate | sidepath | open     | the way beside it is meant
    highway=residential sidewalk=separate foot=yes | open | open      | foot is more specific
    highway=residential sidewalk:right=separate sidewalk:left=yes | open | open | its own on the left
    highway=residential sidewalk=both         | open      | open      | a sidewalk
    route=ferry                               | uncertain | uncertain | it does not say that it takes anybody
    route=ferry foot=yes                      | open      | uncertain | it takes walkers
    route=ferry foot=yes bicycle=yes          | open      | open      | it takes both
    route=ferry foot=no                       | closed    | uncertain | a ferry for cars
    route=ferry foot=no vehicle=yes           | closed    | open      | a ferry for cars
    route=ferry access=yes                    | open      | open      | it takes anybody
    route=ferry access=private                | restricted | restricted | it takes its own people
    """

  @Test("by the kind of way", arguments: RuleTable(kindTable))
  func kinds(row: RuleTable.Row) { check(row) }

  // MARK: Values

  private static let valueTable = """
    highway=path access=yes                   | open      | open      | allowed
    highway=path access=designated            | designated | designated | allowed
    highway=path foot=designated              | designated | open     | signed for walkers
    highway=path foot=official                | designated | open     | signed for walkers
    highway=path bicycle=official             | open      | designated | signed for cyclists
    highway=path access=permissive            | permissive | permissive | the owner lets people pass
    highway=path access=destination           | destination | destination | passable, and told apart
    highway=service access=customers          | destination | destination | passable, and told apart
    highway=service access=delivery           | destination | destination | passable, and told apart
    highway=path foot=discouraged             | destination | open    | passable, and told apart
    highway=path access=no                    | closed    | closed    | forbidden
    highway=path access=private               | restricted | restricted | an estate
    highway=track access=military             | closed    | closed    | a range
    highway=track access=emergency            | closed    | closed    | a fire road
    highway=path access=permit                | restricted | restricted | who has one may open it
    highway=track access=agricultural         | restricted | restricted | for those who work there
    highway=track access=forestry             | restricted | restricted | for those who work there
    highway=track access=agricultural;forestry | restricted | restricted | for those who work there
    highway=track access=residents            | restricted | restricted | for those who live there
    highway=path foot=designated;no           | closed    | open      | the strictest of several
    highway=path access=yes;permissive        | permissive | permissive | the strictest of several
    highway=path access=unknown               | open      | open      | says nothing
    highway=path foot=unknown access=no       | closed    | closed    | says nothing, so access counts
    highway=path access=perhaps               | restricted | restricted | a rule, but not which
    highway=path foot=                        | restricted | open     | a rule, but not which
    highway=path access=NO                    | closed    | closed    | written in capitals
    highway=residential foot=use_sidepath     | sidepath  | open      | the way beside it is meant
    highway=residential bicycle=use_sidepath  | open      | sidepath  | the way beside it is meant
    highway=residential bicycle=optional_sidepath | open  | open      | a choice
    highway=path bicycle=dismount             | open      | dismount  | pushed
    highway=path foot=no                      | closed    | open      | for cyclists
    """

  @Test("by the values of access", arguments: RuleTable(valueTable))
  func values(row: RuleTable.Row) { check(row) }

  // MARK: The most specific key wins

  private static let hierarchyTable = """
    highway=track access=private foot=yes     | open      | restricted | foot over access
    highway=track access=no foot=designated   | designated | closed   | foot over access
    highway=track access=yes foot=private     | restricted | open     | foot over access
    highway=track access=private foot=permissive | permissive | restricted | foot over access
    highway=track vehicle=no                  | open      | closed    | a walker is no vehicle
    highway=track vehicle=private             | open      | restricted | a walker is no vehicle
    highway=track vehicle=agricultural        | open      | restricted | a walker is no vehicle
    highway=track vehicle=destination         | open      | destination | a walker is no vehicle
    highway=track vehicle=no bicycle=yes      | open      | open      | bicycle over vehicle
    highway=track vehicle=no bicycle=permissive | open    | permissive | bicycle over vehicle
    highway=track vehicle=yes bicycle=no      | open      | closed    | bicycle over vehicle
    highway=track access=no vehicle=yes       | closed    | open      | vehicle over access
    highway=track access=no bicycle=yes       | closed    | open      | bicycle over access
    highway=track access=private bicycle=unknown vehicle=yes | restricted | open | unknown says nothing
    highway=track motor_vehicle=no            | open      | open      | about others
    highway=track motor_vehicle=private       | open      | open      | about others
    highway=track horse=no                    | open      | open      | about others
    highway=path access=no foot:forward=yes   | open/closed | closed  | foot:forward over access
    highway=path foot=no foot:backward=yes    | closed/open | open    | foot:backward over foot
    highway=path access:forward=no            | closed/open | closed/open | access by direction
    highway=path access:backward=private foot=yes | open  | open/restricted | foot over access:backward
    highway=path vehicle:forward=no           | open      | closed/open | vehicle by direction
    highway=path bicycle=yes vehicle:forward=no | open    | open      | bicycle over vehicle:forward
    """

  @Test("the most specific key wins", arguments: RuleTable(hierarchyTable))
  func hierarchy(row: RuleTable.Row) { check(row) }

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
  func directions(row: RuleTable.Row) { check(row) }

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
    highway=footway opening_hours=sunrise-sunset       | open      | dismount  | in daylight
    highway=footway opening_hours="by_appointment"     | uncertain | uncertain | who knows
    """

  @Test("by the season", arguments: RuleTable(seasonTable))
  func seasons(row: RuleTable.Row) { check(row) }

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

  @Test("classes are ordered from the most welcoming one, and closed from sidepath on")
  func classes() {
    #expect(AccessClass.allCases == AccessClass.allCases.sorted())
    #expect(
      AccessClass.allCases.filter(\.isPassable)
        == [.designated, .open, .permissive, .busyRoad, .destination])
  }

  @Test("values that mean nothing are named")
  func unknownValues() {
    let tags = [
      "foot": "perhaps", "access": "yes;unknown", "bicycle:backward": "no;maybe",
      "motor_vehicle": "perhaps", "vehicle": "",
    ]
    #expect(
      Access.unknownValues(tags) == ["bicycle:backward=no;maybe", "foot=perhaps", "vehicle="])
  }

  @Test("conditions that make no sense are named")
  func unreadable() {
    let tags = [
      "highway": "path", "foot:conditional": "no @ sometimes", "access:conditional": "no @ (Nov)",
      "oneway:bicycle:conditional": "yes", "opening_hours": "when sunny", "seasonal": "sometimes",
      "maxspeed:conditional": "50 @ sometimes", "vehicle:conditional": "no @ snow",
    ]
    #expect(
      Access.unreadableConditions(tags) == [
        "foot:conditional=no @ sometimes", "oneway:bicycle:conditional=yes",
        "opening_hours=when sunny", "seasonal=sometimes",
      ])
  }
}

@Suite("What one must be able to climb")
struct EquipmentTests {
  @Test(
    "is told by any of its tags",
    arguments: RuleTable(
      """
      highway=via_ferrata                     | via_ferrata
      highway=path via_ferrata_scale=2        | via_ferrata
      highway=path via_ferrata_scale=unknown  | via_ferrata
      highway=path via_ferrata_scale=0        | -
      highway=path via_ferrata_scale=no       | -
      highway=via_ferrata ladder=yes          | via_ferrata
      highway=ladder                          | ladder
      highway=path ladder=yes                 | ladder
      highway=steps ladder=no                 | -
      highway=path rungs=yes                  | assisted_trail
      highway=path assisted_trail=yes         | assisted_trail
      highway=path assisted_trail=no rungs=no | -
      highway=path safety_rope=yes            | -
      highway=path sac_scale=alpine_hiking    | -
      """))
  func equipment(row: RuleTable.Row) {
    #expect(Equipment(row.tags)?.rawValue ?? "-" == row.columns[0], "\(row.text)")
  }
}
