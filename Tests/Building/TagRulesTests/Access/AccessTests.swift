// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("How welcome one is on a way")
struct AccessTests {
  // MARK: Kinds of ways

  static let kindTable = """
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
    highway=platform                          | destination | dismount | for passengers
    highway=platform foot=yes                 | open      | dismount  | a sign lets walkers pass
    highway=platform access=yes               | destination | dismount | for passengers
    highway=platform foot=no                  | closed    | closed    | nobody to push a bicycle there
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
    highway=pier                              | open      | dismount  | water on both sides
    highway=pier bicycle=yes                  | open      | open      | a sign lets cyclists in
    highway=platform bicycle=yes              | destination | open    | a sign lets cyclists in
    highway=platform access=private           | restricted | closed   | for its own people
    highway=lock_gate foot=yes                | open      | dismount  | a plank with a railing
    highway=lock_gate foot=permissive         | permissive | dismount | a plank with a railing
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
    highway=trunk sidewalk=separate           | uncertain | busy-road | the way beside it is safe, this one is not
    highway=trunk foot=use_sidepath           | uncertain | busy-road | the way beside it is safe, this one is not
    highway=trunk sidewalk=both foot=use_sidepath | open  | busy-road | its own sidewalk is meant
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
    highway=primary motorroad=yes foot=use_sidepath | uncertain | closed | the way beside it is not this one
    highway=primary motorroad=no              | busy-road | busy-road | as without
    highway=residential sidewalk=separate     | sidepath  | open      | the way beside it is meant
    highway=residential sidewalk:right=separate | sidepath | open     | the way beside it is meant
    highway=residential sidewalk=separate foot=yes | open | open      | foot is more specific
    highway=residential sidewalk:right=separate sidewalk:left=yes | open | open | its own on the left
    highway=residential sidewalk=both         | open      | open      | a sidewalk
    highway=path construction=yes             | closed    | closed    | not built yet
    highway=path construction=minor           | open      | open      | small works
    highway=path proposed=cycleway            | open      | open      | what it may become
    highway=path proposed=yes                 | closed    | closed    | not built yet
    highway=path demolished=yes               | closed    | closed    | built no more
    highway=track razed=yes foot=yes          | open      | closed    | but a sign says so
    highway=path abandoned=yes                | uncertain | uncertain | nobody can tell what is left
    highway=path abandoned=yes access=no      | closed    | closed    | nor may one look
    highway=path impassable=yes               | closed    | closed    | it says so
    highway=track military=danger_area        | closed    | closed    | shooting
    highway=path military=danger_area foot=permissive | permissive | closed | but a sign says so
    highway=path hazard=minefield             | closed    | closed    | mines
    highway=path hazard=rock_slide            | open      | open      | a warning, no closure
    highway=path tunnel=yes                   | open      | open      | a tunnel
    highway=path ford=yes                     | open      | open      | wet feet
    route=ferry                               | open      | uncertain | nearly all take walkers
    route=ferry foot=unknown                  | open      | uncertain | nearly all take walkers
    route=ferry foot=yes                      | open      | uncertain | it takes walkers
    route=ferry access=no                     | closed    | closed    | it takes nobody
    route=ferry foot=yes bicycle=yes          | open      | open      | it takes both
    route=ferry foot=no                       | closed    | uncertain | a ferry for cars
    route=ferry foot=no vehicle=yes           | closed    | open      | a ferry for cars
    route=ferry access=yes                    | open      | open      | it takes anybody
    route=ferry access=private                | restricted | restricted | it takes its own people
    """

  @Test("by the kind of way", arguments: RuleTable(kindTable))
  func kinds(row: RuleTable.Row) { row.checkAccess() }

  // MARK: Values

  static let valueTable = """
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
    highway=track access=agricultural         | permissive | restricted | who works there may drive
    highway=track access=forestry             | permissive | restricted | who works there may drive
    highway=track access=agricultural;forestry | permissive | restricted | who works there may drive
    highway=track access=private;forestry     | restricted | restricted | an estate
    highway=track access:forward=forestry     | permissive/open | restricted/open | who works there may drive
    highway=track foot=forestry               | restricted | open     | that is about walkers
    highway=track access=forestry foot=no     | closed    | restricted | foot is more specific
    highway=footway access=forestry           | permissive | closed   | pushing is not working there
    highway=track access=residents            | restricted | restricted | for those who live there
    highway=path foot=designated;no           | closed    | open      | the strictest of several
    highway=path access=yes;permissive        | permissive | permissive | the strictest of several
    highway=path access=unknown               | open      | open      | says nothing
    highway=path foot=unknown access=no       | closed    | closed    | says nothing, so access counts
    highway=path access=perhaps               | restricted | restricted | a rule, but not which
    highway=path foot=                        | restricted | open     | a rule, but not which
    highway=path access=NO                    | closed    | closed    | written in capitals
    highway=residential foot=use_sidepath     | sidepath  | open      | the way beside it is meant
    highway=secondary foot=use_sidepath sidewalk=no | sidepath | open | the way beside it is meant
    highway=residential foot=use_sidepath sidewalk=both | open | open | its own sidewalk is meant
    highway=residential foot=use_sidepath sidewalk:left=yes | open | open | its own sidewalk is meant
    highway=residential bicycle=use_sidepath  | open      | sidepath  | the way beside it is meant
    highway=residential bicycle=optional_sidepath | open  | open      | a choice
    highway=path bicycle=dismount             | open      | dismount  | pushed
    highway=path foot=no                      | closed    | open      | for cyclists
    """

  @Test("by the values of access", arguments: RuleTable(valueTable))
  func values(row: RuleTable.Row) { row.checkAccess() }

  // MARK: The most specific key wins

  static let hierarchyTable = """
    highway=track access=private foot=yes     | open      | restricted | foot over access
    highway=track access=no foot=designated   | designated | closed   | foot over access
    highway=track access=yes foot=private     | restricted | open     | foot over access
    highway=track access=private foot=permissive | permissive | restricted | foot over access
    highway=track vehicle=no                  | open      | closed    | a walker is not a vehicle
    highway=track vehicle=private             | open      | restricted | a walker is not a vehicle
    highway=track vehicle=agricultural        | open      | restricted | a walker is not a vehicle
    highway=track vehicle=destination         | open      | destination | a walker is not a vehicle
    highway=track vehicle=no bicycle=yes      | open      | open      | bicycle over vehicle
    highway=track vehicle=no bicycle=permissive | open    | permissive | bicycle over vehicle
    highway=track vehicle=yes bicycle=no      | open      | closed    | bicycle over vehicle
    highway=track access=no vehicle=yes       | closed    | open      | vehicle over access
    highway=track access=no bicycle=yes       | closed    | open      | bicycle over access
    highway=track access=private bicycle=unknown vehicle=yes | restricted | open | unknown says nothing
    highway=track motor_vehicle=no            | open      | open      | about others
    highway=track motor_vehicle=private       | open      | open      | about others
    highway=track horse=no                    | open      | open      | about others
    highway=path access=no motor_vehicle=no   | closed    | closed    | nothing leads walkers there
    highway=path access=no route:foot=rwn     | closed    | closed    | the route may be out of date
    highway=path access=no motor_vehicle=no route:foot=rwn | destination | closed | that is about traffic
    highway=path access=no vehicle=no route:foot=lwn | destination | closed | that is about traffic
    highway=path access=no motor_vehicle=no route:foot=any | destination | closed | that is about traffic
    highway=path access=no motor_vehicle=no route:bicycle=ncn | closed | closed | a route for others
    highway=path access=no motor_vehicle=yes route:foot=rwn | closed | closed | who may pass is listed
    highway=path access=private motor_vehicle=no route:foot=rwn | restricted | restricted | an estate
    highway=path access=no motor_vehicle=no foot=no route:foot=rwn | closed | closed | foot over access
    highway=path access=no motor_vehicle=no foot=yes route:foot=rwn | open | closed | foot over access
    highway=trunk access=no motor_vehicle=no route:foot=rwn | uncertain | closed | and no place to walk
    highway=path access=no motor_vehicle=no route:foot=rwn construction=yes | closed | closed | not built yet
    highway=path access=no motor_vehicle=no route:foot=rwn seasonal=winter | closed | closed | it is summer
    highway=path access=no foot:forward=yes   | open/closed | closed  | foot:forward over access
    highway=path foot=no foot:backward=yes    | closed/open | open    | foot:backward over foot
    highway=path access:forward=no            | closed/open | closed/open | access by direction
    highway=path access:backward=private foot=yes | open  | open/restricted | foot over access:backward
    highway=path vehicle:forward=no           | open      | closed/open | vehicle by direction
    highway=path bicycle=yes vehicle:forward=no | open    | open      | bicycle over vehicle:forward
    """

  @Test("the most specific key wins", arguments: RuleTable(hierarchyTable))
  func hierarchy(row: RuleTable.Row) { row.checkAccess() }

  @Test("classes are ordered from the most welcoming one, and closed from sidepath on for cyclists")
  func classes() {
    #expect(AccessClass.allCases == AccessClass.allCases.sorted())
    let common: [AccessClass] = [.designated, .open, .permissive, .busyRoad, .destination]
    #expect(AccessClass.allCases.filter { $0.isPassable(for: .bicycle) } == common)
    #expect(AccessClass.allCases.filter { $0.isPassable(for: .foot) } == common + [.sidepath])
  }

  @Test("a road with a way beside it is dearer for walkers, not closed")
  func sidepath() {
    #expect(AccessClass.sidepath.usualFactor(for: .foot) == 1.5)
    #expect(AccessClass.sidepath.usualFactor(for: .bicycle) == nil)
    #expect(AccessClass.open.usualFactor(for: .foot) == 1)
    let tags = ["highway": "secondary", "foot": "use_sidepath", "bicycle": "use_sidepath"]
    #expect(Access(tags, for: .foot, on: nil).forward)
    #expect(!Access(tags, for: .bicycle, on: nil).forward)
  }

  @Test("values that mean nothing are named")
  func unknownValues() {
    let tags = [
      "foot": "perhaps", "access": "yes;unknown", "bicycle:backward": "no;maybe",
      "motor_vehicle": "perhaps", "vehicle": "",
    ]
    #expect(
      Access.unknownValues(TagList(tags)) == [
        "bicycle:backward=no;maybe", "foot=perhaps", "vehicle=",
      ])
  }

  @Test("conditions that make no sense are named")
  func unreadable() {
    let tags = [
      "highway": "path", "foot:conditional": "no @ sometimes", "access:conditional": "no @ (Nov)",
      "oneway:bicycle:conditional": "yes", "opening_hours": "when sunny", "seasonal": "sometimes",
      "maxspeed:conditional": "50 @ sometimes", "vehicle:conditional": "no @ snow",
    ]
    #expect(
      Access.unreadableConditions(TagList(tags)) == [
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
