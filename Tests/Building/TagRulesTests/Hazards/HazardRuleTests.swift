// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnTagRules
import Foundation
import Testing

@Suite("What warns a walker")
struct HazardRuleTests {
  /// `tags | hazards of the way | access on foot | why`; hazards as KIND:SEVERITY, `-` for none.
  static let wayTable = """
    highway=path sac_scale=hiking                | - | open | a path
    highway=path sac_scale=mountain_hiking       | - | open | T2 is what mountain paths are
    highway=path sac_scale=demanding_mountain_hiking | - | open | T3 is said by the grade
    highway=path sac_scale=alpine_hiking         | alpine-grade:caution | open | T4
    highway=path sac_scale=hiking;T5             | alpine-grade:danger | open | the hardest counts
    highway=track sac_scale=T5 mtb:scale=2 tracktype=grade5 | alpine-grade:danger contradictory-grade:caution | open | one of the tags is wrong
    highway=track sac_scale=alpine_hiking        | alpine-grade:caution contradictory-grade:caution | open | tractors have no hands
    highway=path sac_scale=T6 mtb:scale=1+       | alpine-grade:danger contradictory-grade:caution | open | nobody rides there
    highway=path sac_scale=T5 mtb:scale=5        | alpine-grade:danger | open | carried
    highway=path sac_scale=alpine_hiking mtb:scale=2 | alpine-grade:caution | open | near enough
    highway=track sac_scale=demanding_mountain_hiking mtb:scale=0 | - | open | no hands needed
    highway=track surface=gravel smoothness=bad tracktype=grade3 | - | open | a plain track
    highway=path trail_visibility=good           | - | open | well visible
    highway=path trail_visibility=intermediate   | - | open | mostly visible
    highway=path trail_visibility=horrible       | visibility:caution | open | hardly visible
    highway=path bridge=yes                      | - | open | a bridge
    highway=path bridge=collapsed                | bridge:danger | closed | nobody passes
    highway=path bridge=collapsed foot=yes       | bridge:danger | closed | whatever was allowed
    highway=path bridge=damaged                  | bridge:danger | open | one may try
    highway=path bridge:movable=swing bridge=movable | - | open | it moves back
    highway=path destroyed:bridge=yes            | bridge:danger | closed | nobody passes
    highway=path destroyed:bridge=yes ford=yes   | ford:caution bridge:danger | open | through the water
    highway=path disused:bridge=yes              | bridge:danger | open | one may try
    highway=path abandoned:bridge=yes            | bridge:danger | open | one may try
    highway=path removed:bridge=yes              | bridge:danger | closed | nobody passes
    highway=path razed:bridge=yes ford=yes       | ford:caution bridge:danger | open | through the water
    highway=path demolished:bridge=no            | - | open | it stands
    highway=via_ferrata via_ferrata_scale=3      | via-ferrata:danger | open | equipment, not access
    highway=path ladder=yes safety_rope=yes      | equipment:caution | open | one of a kind
    highway=path safety_rope=no rungs=no         | - | open | it has none
    highway=path exposed=yes                     | exposed:caution | open | a drop
    highway=path hazard=avalanche                | terrain:caution | open | the terrain
    highway=path hazard=rock_slide;children      | terrain:caution | open | one of them counts
    highway=residential hazard=children          | - | open | a sign for drivers
    highway=residential hazard=curve             | - | open | a sign for drivers
    highway=path hazard=animal_crossing          | - | open | a sign for drivers
    highway=path hazard=bees                     | terrain:caution | open | not known, and no sign for drivers
    highway=path hazard=bees;children            | terrain:caution | open | one of them counts
    highway=residential hazard=bees              | - | open | most signs on roads are for drivers
    highway=path hazard=no                       | - | open | it says so
    highway=path hazard=minefield                | terrain:danger | closed | mines
    highway=path access=no hazard=landslide      | closed:danger terrain:caution | closed | by danger
    highway=path access=no hazard=landslide foot=yes | closed:danger terrain:caution | open | said
    highway=path access=no motor_vehicle=no hazard=landslide route:foot=rwn | closed:danger terrain:caution | closed | no guess in danger
    highway=path glacier=yes                     | glacier:danger | open | crevasses
    highway=path ford=yes                        | ford:caution | open | wet feet
    highway=path ford=stepping_stones            | ford:notice | open | dry feet
    highway=path ford=no                         | - | open | a bridge since
    highway=footway tunnel=yes                   | - | open | an underpass has lamps
    highway=footway tunnel=yes lit=no            | dark-tunnel:caution | open | this one has none
    highway=path tunnel=yes                      | dark-tunnel:caution | open | nobody said so
    highway=path tunnel=yes lit=yes              | - | open | lamps
    highway=path tunnel=building_passage lit=no  | - | open | an arch
    highway=path tidal=yes                       | tide:danger | open | at low tide
    highway=path tidal=yes trail_visibility=no   | visibility:caution tide:danger | closed | no path
    highway=path flood_prone=yes                 | flood:caution | open | after rain
    highway=path obstacle=fallen_tree            | obstacle:caution | open | over or round it
    highway=path overgrown=yes                   | overgrown:caution | open | thorns
    highway=path smoothness=impassable           | impassable:notice | open | on wheels
    highway=path impassable=yes                  | impassable:danger | closed | it says so
    highway=path closed=yes                      | closed:danger | closed | it says so
    highway=path closed=yes foot=yes             | closed:danger | open | but walkers pass
    highway=path disused=yes                     | closed:caution | open | out of use
    highway=path abandoned=yes                   | closed:caution | uncertain | who knows
    highway=track military=training_area         | military:caution | open | soldiers
    highway=track military=danger_area           | military:danger | closed | shooting
    highway=track military=danger_area foot=yes  | military:danger | open | but a sign says so
    highway=track toll=yes                       | toll:notice | open | a toll
    highway=path seasonal=no                     | - | open | all the year
    """

  @Test("tags of ways: what they warn of and whether they close", arguments: RuleTable(wayTable))
  func ways(row: RuleTable.Row) {
    let hazards = Hazard.all(TagList(row.tags), of: .way)
    let text = hazards.map { "\($0.kind.rawValue):\($0.severity.rawValue)" }
    #expect(text.isEmpty ? row.columns[0] == "-" : text.joined(separator: " ") == row.columns[0])
    let access = Access(row.tags, for: .foot, on: CalendarDate("2024-07-15"))
    #expect(access.forwardClass.rawValue == row.columns[1], "\(row.text) (\(row.columns[2]))")
    for hazard in hazards {
      let parts = hazard.tag.split(separator: "=", maxSplits: 1).map(String.init)
      #expect(row.tags[parts[0]] == parts[1], "the tag is one of the way's")
    }
  }

  /// `tags | what there is to say of a walker's access`.
  static let accessTable = """
    highway=path                                 | -
    highway=path foot=permissive                 | -
    highway=path foot:conditional=no_@_(Nov-Mar) | conditional:caution
    highway=path access:conditional=no_@_(Nov-Mar) | conditional:caution
    highway=path access:conditional=no_@_(Nov-Mar) foot=yes | -
    highway=path opening_hours=24/7              | -
    highway=path opening_hours=Mo-Fr_08:00-18:00 | conditional:caution
    route=ferry                                  | ferry:notice
    route=ferry opening_hours=Jun-Sep            | ferry:caution
    highway=path access=private                  | private:caution
    highway=path foot=private                    | private:caution
    highway=path access=private foot=yes         | -
    highway=trunk                                | assumed-access:caution
    highway=track access=no motor_vehicle=no route:foot=rwn | assumed-access:notice
    highway=path access=no                       | closed:danger
    highway=path foot=designated bicycle=no bridge=yes | -
    highway=path bridge=collapsed                | closed:danger
    highway=trunk_link foot=yes                  | -
    """

  @Test("access that a route says something about", arguments: RuleTable(accessTable))
  func access(row: RuleTable.Row) {
    let hazards = Hazard.ofAccess(TagList(row.tags), for: .foot, on: CalendarDate("2024-07-15"))
    let text = hazards.map { "\($0.kind.rawValue):\($0.severity.rawValue)" }
    #expect(text.isEmpty ? row.columns[0] == "-" : text.joined(separator: " ") == row.columns[0])
  }

  @Test(
    "a way that is not there is said to be built, planned or gone, as its key has it",
    arguments: [
      ("construction", "under construction"), ("proposed", "only planned"),
      ("razed", "not there any more"),
    ])
  func words(key: String, text: String) {
    #expect(Hazard.all(TagList(["highway": "path", key: "yes"]), of: .way).map(\.text) == [text])
  }

  @Test("a trunk road is not said to be closed to somebody by a tag of its own")
  func fastRoad() {
    let hazards = Hazard.ofAccess(
      TagList(["highway": "trunk_link"]), for: .foot, on: CalendarDate("2024-07-15"))
    #expect(hazards.map(\.text) == ["road for fast traffic, perhaps closed"])
  }

  @Test("the parsers keep the keys of every rule")
  func keys() {
    for rule in HazardRule.all {
      for condition in [rule.when] + rule.also + rule.unless {
        let key = condition.key
        if rule.objects.contains(.way) {
          let isKept = TagSelection.wayKeys.contains(key)
          #expect(isKept || TagSelection.wayKeyPrefixes.contains(where: key.hasPrefix), "\(key)")
        }
        if rule.objects.contains(.node) { #expect(TagSelection.nodeKeys.contains(key), "\(key)") }
      }
    }
  }

  @Test("a rule that closes is about ways or areas, and says so with danger or caution")
  func effects() {
    for rule in HazardRule.all where rule.effect != .warned {
      #expect(!rule.objects.isDisjoint(with: [.way, .area]) && rule.severity > .notice)
    }
    #expect(HazardRule.closing.values.joined().count > 10)
  }

  @Test("docs/safety.md has a row for each rule, in the same order")
  func document() throws {
    let text = try String(contentsOfFile: packageRoot + "/docs/safety.md", encoding: .utf8)
    let start = try #require(text.range(of: "## Tags\n")).upperBound
    let rows = text[start...].split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = HazardRule.all.map(Self.row)
    #expect(rows == expected, "the table is to be:\n\(expected.joined(separator: "\n"))")
  }

  private static func row(_ rule: HazardRule) -> String {
    func list(_ conditions: [HazardRule.Condition], _ word: String) -> String {
      conditions.map { " \(word) `\($0.text)`" }.joined()
    }
    let tags = "`\(rule.when.text)`" + list(rule.also, "with") + list(rule.unless, "without")
    let objects = [(HazardRule.Objects.way, "way"), (.node, "node"), (.area, "area")]
      .filter { rule.objects.contains($0.0) }.map(\.1).joined(separator: ", ")
    return "| \(tags) | \(objects) | \(rule.kind.rawValue) | \(rule.severity.rawValue) "
      + "| \(rule.effect.rawValue) |"
  }
}
