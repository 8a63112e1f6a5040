// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

/// A hazard between B and C of a path from A to D, and what becomes of the route, with a way round that
/// is half as long again as the path and without it.
private struct HazardCase: CustomTestStringConvertible, Sendable {
  enum Outcome: String { case around, warned, closed, silent }

  /// Where the tags are.
  enum Object: Sendable { case way, node, area, areaWithHole }

  var tags: [String: String]
  var object = Object.way
  /// Further tags of the way.
  var way: [String: String] = [:]
  var kind: HazardKind
  var withDetour: Outcome
  var without: Outcome
  var isWaymarked = false
  /// How high X lies, halfway between B and C.
  var summitMetres: Float?

  init(
    _ tags: [String: String], _ kind: HazardKind, _ withDetour: Outcome, _ without: Outcome,
    object: Object = .way, way: [String: String] = [:], isWaymarked: Bool = false,
    summitMetres: Float? = nil
  ) {
    (self.tags, self.kind, self.object, self.way) = (tags, kind, object, way)
    (self.withDetour, self.without) = (withDetour, without)
    (self.isWaymarked, self.summitMetres) = (isWaymarked, summitMetres)
  }

  var testDescription: String {
    let text = tags.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    return "\(object) \(text)\(way.isEmpty ? "" : " on \(way)")"
  }

  private static let drawing = """
          P---Q
    A---B---X---C---D
          S---R
        E-------F
    """

  func map(hasDetour: Bool) -> AsciiMap {
    var tags = way.merging(["highway": "path"]) { $1 }
    if object == .way { tags.merge(self.tags) { $1 } }
    var ways: [AsciiMap.Way] = [.init("AB"), .init("BXC", tags: tags), .init("CD")]
    if hasDetour { ways.append(.init("BEFC")) }
    var map = AsciiMap(Self.drawing, cellMetres: 50, ways: ways)
    if object == .node { map.nodeTags = ["X": self.tags] }
    switch object {
    case .area: map.areas = [.init("PQRS", tags: self.tags)]
    case .areaWithHole: map.areas = [.init("PQRS", "PQRS", tags: self.tags)]
    case .way, .node: break
    }
    if isWaymarked { map.routes = [.init(network: "lwn", ways: [101])] }
    if let summitMetres {
      map.elevations = Dictionary(uniqueKeysWithValues: "ABCDEF".map { ($0, 1000) })
      map.elevations["X"] = summitMetres
    }
    return map
  }

  /// What becomes of the route: whether it avoids the hazard, says it, is refused with the way named,
  /// or passes in silence.
  func outcome(hasDetour: Bool) throws -> Outcome {
    let routed = try RoutedMap(map(hasDetour: hasDetour), profiles: ["hiking"])
    do {
      let route = try routed.route("A", "D")
      guard route.edges.contains(where: { $0.osmWayID == 101 }) else {
        return route.warnings.isEmpty ? .around : .silent
      }
      let named = route.warnings.contains {
        $0.kind == kind && $0.toMetres >= 200 && $0.fromMetres <= 600
          && ($0.tag.map { tag in self.tags.contains { tag == "\($0.key)=\($0.value)" } } ?? true)
      }
      return named ? .warned : .silent
    } catch let error as RoutingError {
      let text = error.description
      let isNamed = self.tags.contains { text.contains("\($0.key)=\($0.value)") }
      return text.contains("way 101 is closed to walkers: ") && isNamed ? .closed : .silent
    }
  }
}

@Suite("Each hazard, with and without a way round it")
struct HazardCaseTests {
  private static let noWay: [HazardCase] = [
    .init(["via_ferrata_scale": "2"], .viaFerrata, .around, .closed),
    .init(["ladder": "yes"], .equipment, .around, .closed),
    .init(["rungs": "yes"], .equipment, .around, .closed),
    .init(["assisted_trail": "yes"], .equipment, .around, .closed),
    .init(["hazard": "minefield"], .terrain, .around, .closed),
    .init(["access": "no", "hazard": "landslide"], .closed, .around, .closed),
    .init(["tidal": "yes", "trail_visibility": "no"], .tide, .around, .closed),
    .init(["bridge": "collapsed"], .bridge, .around, .closed),
    .init(["bridge": "collapsed"], .bridge, .around, .closed, way: ["foot": "designated"]),
    .init(["destroyed:bridge": "yes"], .bridge, .around, .closed),
    .init(["removed:bridge": "yes"], .bridge, .around, .closed),
    .init(["impassable": "yes"], .impassable, .around, .closed),
    .init(["closed": "yes"], .closed, .around, .closed),
    .init(["abandoned": "yes"], .closed, .around, .closed),
    .init(["military": "danger_area"], .military, .around, .closed),
    .init(["access:conditional": "no @ (Nov-Mar)"], .conditional, .around, .closed),
    .init(["seasonal": "summer"], .seasonal, .around, .closed),
    .init(["opening_hours": "Jun-Sep 08:00-18:00"], .conditional, .around, .closed),
    .init(["military": "danger_area"], .military, .around, .closed, object: .area),
    .init(["military": "range"], .military, .around, .closed, object: .area),
    .init(["landuse": "military", "access": "no"], .military, .around, .closed, object: .area),
    .init(
      ["leisure": "nature_reserve", "access": "no"], .reserve, .around, .closed, object: .area),
    .init(
      ["boundary": "protected_area", "access": "no"], .reserve, .around, .closed, object: .area),
    .init(
      ["boundary": "protected_area", "foot": "no"], .reserve, .around, .closed, object: .area),
    .init(["landuse": "quarry", "access": "no"], .reserve, .around, .closed, object: .area),
    .init(
      ["hazard": "minefield", "boundary": "hazard"], .terrain, .around, .closed, object: .area),
    .init(["cai_scale": "EEA-F"], .viaFerrata, .around, .closed),
    .init(["operational_status": "closed"], .closed, .around, .closed),
    .init(["foot:conditional": "no @ snow"], .conditional, .around, .closed),
  ]

  private static let said: [HazardCase] = [
    .init(["sac_scale": "alpine_hiking"], .alpineGrade, .around, .warned),
    .init(["sac_scale": "difficult_alpine_hiking"], .alpineGrade, .around, .warned),
    .init(
      ["highway": "track", "sac_scale": "demanding_alpine_hiking", "mtb:scale": "2"],
      .contradictoryGrade, .around, .warned),
    .init(["sac_scale": "EE"], .unknownGrade, .warned, .warned),
    .init(["cai_scale": "EE"], .alpineGrade, .warned, .warned),
    .init(["climbing": "yes"], .alpineGrade, .warned, .warned),
    .init(["foot": "discouraged"], .discouraged, .warned, .warned),
    .init(["tunnel": "yes", "highway": "tertiary"], .roadTunnel, .warned, .warned),
    .init(["surface": "snow"], .terrain, .warned, .warned),
    .init(["highway": "ford"], .ford, .warned, .warned),
    .init(["highway": "ford"], .ford, .warned, .warned, object: .node),
    .init(["hazard": "bees"], .terrain, .warned, .warned, object: .node),
    .init(["hazard": "minefield"], .terrain, .warned, .warned, object: .node),
    .init(["fee": "yes"], .toll, .warned, .warned),
    .init(["natural": "beach", "tidal": "yes"], .tide, .warned, .warned, object: .area),
    .init(["natural": "mudflat"], .tide, .warned, .warned, object: .area),
    .init(["landuse": "military"], .military, .warned, .warned, object: .area),
    .init(["military": "barracks"], .military, .warned, .warned, object: .area),
    .init(
      ["boundary": "protected_area", "access": "private"], .reserve, .warned, .warned,
      object: .area),
    .init(["landuse": "quarry", "access": "permit"], .reserve, .warned, .warned, object: .area),
    .init(
      ["boundary": "national_park", "access:conditional": "no @ (Jun 1-Sep 30)"], .conditional,
      .warned, .warned, object: .area),
    .init(
      ["leisure": "nature_reserve", "foot:conditional": "no @ (breeding season)"], .conditional,
      .warned, .warned, object: .area),
    .init(
      ["boundary": "protected_area", "foot": "no"], .reserve, .warned, .warned, object: .area,
      way: ["foot": "yes"]),
    .init(["safety_rope": "yes"], .equipment, .warned, .warned),
    .init(["exposed": "yes"], .exposed, .warned, .warned),
    .init(["trail_visibility": "bad"], .visibility, .warned, .warned),
    .init(["trail_visibility": "horrible"], .visibility, .warned, .warned),
    .init(["trail_visibility": "no"], .visibility, .warned, .warned),
    .init(["hazard": "avalanche"], .terrain, .warned, .warned),
    .init(["hazard": "falling_rocks"], .terrain, .warned, .warned, object: .node),
    .init(["hazard": "bees"], .terrain, .warned, .warned),
    .init(["glacier": "yes"], .glacier, .warned, .warned),
    .init(["ford": "yes"], .ford, .warned, .warned),
    .init(["ford": "yes"], .ford, .warned, .warned, object: .node),
    .init(["ford": "stepping_stones"], .ford, .warned, .warned),
    .init(["tunnel": "yes", "lit": "no"], .darkTunnel, .warned, .warned),
    .init(["tidal": "yes"], .tide, .warned, .warned),
    .init(["flood_prone": "yes"], .flood, .warned, .warned),
    .init(["bridge": "damaged"], .bridge, .warned, .warned),
    .init(["disused:bridge": "yes"], .bridge, .warned, .warned),
    .init(["abandoned:bridge": "yes"], .bridge, .warned, .warned),
    .init(["obstacle": "fallen_tree"], .obstacle, .warned, .warned),
    .init(["obstacle": "fallen_tree"], .obstacle, .warned, .warned, object: .node),
    .init(["overgrown": "yes"], .overgrown, .warned, .warned),
    .init(["smoothness": "impassable"], .impassable, .warned, .warned),
    .init(["closed": "yes"], .closed, .warned, .warned, way: ["foot": "yes"]),
    .init(["disused": "yes"], .closed, .warned, .warned),
    .init(["military": "danger_area"], .military, .warned, .warned, way: ["foot": "permissive"]),
    .init(
      ["access": "no"], .assumedAccess, .warned, .warned, way: ["motor_vehicle": "no"],
      isWaymarked: true),
    .init(["toll": "yes"], .toll, .warned, .warned),
    .init(["foot:conditional": "yes @ (Jun-Sep)"], .conditional, .warned, .warned),
    .init(["route": "ferry"], .ferry, .warned, .warned),
    .init([:], .steep, .around, .warned, summitMetres: 1110),
    .init(["natural": "glacier"], .glacier, .warned, .warned, object: .area),
    .init(["boundary": "hazard"], .terrain, .warned, .warned, object: .area),
    .init(["natural": "mud", "tidal": "yes"], .tide, .warned, .warned, object: .area),
    .init(["natural": "wetland", "wetland": "tidalflat"], .tide, .warned, .warned, object: .area),
    .init(
      ["military": "danger_area"], .military, .warned, .warned, object: .area, isWaymarked: true),
    .init(
      ["leisure": "nature_reserve", "access": "no"], .reserve, .warned, .warned, object: .area,
      way: ["access": "permissive"]),
  ]

  @Test("it is led round, said, or closed and named", arguments: noWay + said)
  fileprivate func outcome(of hazard: HazardCase) throws {
    #expect(try hazard.outcome(hasDetour: true) == hazard.withDetour)
    #expect(try hazard.outcome(hasDetour: false) == hazard.without)
  }

  @Test("there are at least 64 cases, and every kind of a tag but private ways is among them")
  func cases() {
    let all = Self.noWay + Self.said
    #expect(all.count * 2 >= 64)
    #expect(Set(HazardKind.allCases).subtracting(all.map(\.kind)) == [.privateWay, .mixedData])
  }

  @Test("a private way that the profile opens is said")
  func privateWay() throws {
    let folder = try TemporaryFolder()
    let profile = try folder.write(
      """
      cairn-profile: 1
      name: owner
      based-on: hiking
      access: { restricted: 1 }
      """, to: "owner.yaml")
    let map = AsciiMap(
      "A---B---C",
      ways: [.init("AB"), .init("BC", tags: ["highway": "path", "access": "private"])])
    let routed = try RoutedMap(map, profiles: [profile])
    let route = try routed.engine.findRoute(
      from: map.coordinate("A"), to: map.coordinate("C"), profile: "owner")
    #expect(route.warnings.map(\.kind) == [.privateWay])
    #expect(route.warnings.map(\.tag) == ["access=private"])
  }

  @Test(
    "nothing is said of what is usual",
    arguments: [
      ["surface": "gravel"], ["smoothness": "bad"], ["trail_visibility": "good"],
      ["trail_visibility": "intermediate"], ["bridge": "yes"], ["bridge": "movable"],
      ["sac_scale": "hiking"], ["sac_scale": "mountain_hiking"],
      ["sac_scale": "demanding_mountain_hiking"], ["hazard": "children"], ["hazard": "curve"],
      ["hazard": "animal_crossing"], ["foot": "yes", "access:conditional": "no @ (Nov-Mar)"],
    ])
  func usual(tags: [String: String]) throws {
    let hazard = HazardCase(tags, .terrain, .silent, .silent)
    #expect(try hazard.outcome(hasDetour: false) == .silent)
    let routed = try RoutedMap(hazard.map(hasDetour: false), profiles: ["hiking"])
    #expect(try routed.route("A", "D").warnings == [])
  }

  @Test(
    "a winter ban of an area closes its ways while it is in force, and is told in summer",
    arguments: ["boundary=protected_area", "leisure=nature_reserve", "landuse=quarry"])
  func winterBan(tag: String) throws {
    let parts = tag.split(separator: "=").map(String.init)
    let hazard = HazardCase(
      [parts[0]: parts[1], "access:conditional": "no @ (Dec 1-Apr 30)"], .reserve, .around,
      .closed, object: .area)
    let map = hazard.map(hasDetour: false)
    #expect(throws: RoutingError.self) {
      try RoutedMap(map, profiles: ["hiking"], date: "2026-01-10").route("A", "D")
    }
    let summer = try RoutedMap(map, profiles: ["hiking"], date: "2026-07-15")
    #expect(
      try summer.route("A", "D").warnings.map(\.tag) == [
        "access:conditional=no @ (Dec 1-Apr 30)"
      ])
    // The same database on other days, from pages and in memory.
    #expect(throws: RoutingError.self) { try summer.route("A", "D", on: "2026-02-01") }
    let around = try RoutedMap(
      hazard.map(hasDetour: true), profiles: ["hiking"], date: "2026-01-10")
    #expect(try around.route("A", "D").warnings == [])
  }

  @Test("a way in a hole of a glacier is not on it")
  func hole() throws {
    let hazard = HazardCase(
      ["natural": "glacier"], .glacier, .silent, .silent, object: .areaWithHole)
    let routed = try RoutedMap(hazard.map(hasDetour: false), profiles: ["hiking"])
    #expect(try routed.route("A", "D").warnings == [])
  }
}
