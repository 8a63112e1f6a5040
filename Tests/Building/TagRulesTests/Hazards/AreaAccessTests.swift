// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("Who may enter an area")
struct AreaAccessTests {
  /// `tags of the area | of a way | access of a walker in January, in July, and of a cyclist in July | what a
  /// walker is told in January and in July | why`; `~` is a space
  static let table = """
    leisure=nature_reserve                          | | open open open | - - | nothing is said
    leisure=nature_reserve access=yes               | | open open open | - - | it is open
    leisure=nature_reserve access=permissive        | | open open open | - - | it is open
    leisure=nature_reserve access=no                | | closed closed closed | reserve:danger reserve:danger | closed
    leisure=nature_reserve access=no foot=permissive | | open open closed | - - | but not to walkers
    leisure=nature_reserve foot=no                  | | closed closed open | reserve:danger reserve:danger | to walkers only
    leisure=nature_reserve bicycle=no               | | open open closed | - - | to bicycles only
    leisure=nature_reserve access=private           | | destination destination destination | reserve:caution reserve:caution | it costs more
    boundary=national_park access=permit            | | destination destination destination | reserve:caution reserve:caution | it costs more
    boundary=protected_area access=unheard_of       | | destination destination destination | reserve:caution reserve:caution | some rule exists
    landuse=quarry foot=no                          | | closed closed open | reserve:danger reserve:danger | machines
    landuse=quarry                                  | | open open open | - - | nothing is said
    boundary=protected_area access:conditional=no~@~(Dec~1-Apr~30) | | closed open open | reserve:danger conditional:caution | a winter ban
    boundary=protected_area foot:conditional=no~@~(Jun-Aug) | | open closed open | conditional:caution reserve:danger | breeding
    boundary=protected_area access=no access:conditional=yes~@~(Jun-Aug) | | closed open open | reserve:danger conditional:caution | a summer path
    boundary=protected_area access:conditional=no~@~snow | | destination destination destination | conditional:caution conditional:caution | who knows
    landuse=military                                | | open open open | military:caution military:caution | land of the military
    landuse=military access=yes                     | | open open open | - - | it says so
    landuse=military access=private                 | | closed closed closed | military:danger military:danger | closed
    landuse=military access:conditional=no~@~(Jun-Aug) | | open closed closed | military:caution+conditional:caution military:danger | in summer
    military=danger_area                            | | closed closed closed | military:danger military:danger | shooting
    military=danger_area access=yes                 | | closed closed closed | military:danger military:danger | shooting all the same
    military=training_area                          | | open open open | military:caution military:caution | soldiers
    hazard=minefield boundary=hazard                | | closed closed closed | terrain:danger terrain:danger | mines
    leisure=nature_reserve foot=no                  | foot=yes | open open open | reserve:danger reserve:danger | a way of its own
    leisure=nature_reserve access=no                | access=permissive | permissive permissive permissive | reserve:danger reserve:danger | a way of its own
    leisure=nature_reserve foot=no                  | route:foot=lwn | destination destination open | reserve:danger reserve:danger | a marked trail
    military=danger_area                            | route:foot=lwn | destination destination closed | military:danger military:danger | a marked trail
    leisure=nature_reserve access=private           | highway=primary | destination destination destination | reserve:caution reserve:caution | a road
    """

  @Test("access and warnings, as the tags of an area and the day have them")
  func areas() throws {
    for line in Self.table.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.split(separator: " ").map { String($0.replacing("~", with: " ")) }
      }
      let area = Self.tags(columns[0])
      let way = Self.tags(columns[1]).merging(["highway": "path"]) { one, _ in one }
      let days = ["2026-01-10", "2026-07-15"].map { CalendarDate($0) }
      let access = AreaAccess(TagList(area)).map { AreaAccess.wayTags([$0]) } ?? []
      let tags = TagList(way.map { ($0.key, $0.value) } + access)
      let found = [
        Access(tags, for: .foot, on: days[0]), Access(tags, for: .foot, on: days[1]),
        Access(tags, for: .bicycle, on: days[1]),
      ].map(\.forwardClass.rawValue)
      #expect(found == columns[2], "\(line)")
      let told = days.map { day in
        let hazards = Hazard.ofArea(TagList(area), for: .foot, on: day)
        return hazards.isEmpty
          ? "-"
          : hazards.map { "\($0.kind.rawValue):\($0.severity.rawValue)" }.joined(separator: "+")
      }
      #expect(told == columns[3], "\(line)")
      #expect(AreaTags.matter(TagList(area)) == (told != ["-", "-"] || !access.isEmpty), "\(line)")
    }
  }

  private static func tags(_ words: [String]) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: words.map { word in
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
  }

  @Test("of several areas each forbids for itself")
  func severalAreas() throws {
    let areas = [
      ["leisure": "nature_reserve", "access": "no", "foot": "yes"],
      ["boundary": "protected_area", "access": "private"],
      ["landuse": "quarry", "foot:conditional": "no @ (Mo-Fr)"],
    ].compactMap { AreaAccess(TagList($0)) }
    #expect(areas.count == 3)
    func access(_ areas: [AreaAccess], _ date: String) -> AccessClass {
      let tags = TagList([("highway", "path")] + AreaAccess.wayTags(areas))
      return Access(tags, for: .foot, on: CalendarDate(date)).forwardClass
    }
    // A Saturday and a Monday.
    #expect(access([areas[0]], "2026-08-01") == .open)
    #expect(access(areas, "2026-08-01") == .destination)
    #expect(access(areas, "2026-08-03") == .closed)
    let rule = try #require(
      AccessRule(TagList([("highway", "path")] + AreaAccess.wayTags(areas)), isBarrier: false))
    #expect(rule.texts(for: .foot) == ["foot:conditional=no @ (Mo-Fr)"])
    #expect(!rule.concerns(.bicycle))
    #expect(rule.possibleAccess(for: .foot).forward == [.destination, .closed])
  }

  @Test("a condition that no calendar knows is told with its words")
  func untimed() {
    let reserve = TagList(["leisure": "nature_reserve", "foot:conditional": "no @ snow"])
    let texts = Hazard.ofArea(reserve, for: .foot, on: CalendarDate("2026-01-10")).map(\.text)
    #expect(texts == ["perhaps closed: no @ snow"])
    let path = TagList(["highway": "path", "foot:conditional": "no @ snow"])
    let told = Hazard.ofAccess(path, for: .foot, on: CalendarDate("2026-01-10"))
    #expect(told.map(\.text) == ["perhaps closed: no @ snow"])
  }
}
