// SPDX-License-Identifier: Apache-2.0

// The table of docs/safety.md, in its order; a test compares the two.
extension HazardRule {
  /// All rules.
  package static let all = grades + grounds + water + states + areas

  /// The indices in ``all`` of the rules about each key.
  static let indices = Dictionary(grouping: all.indices) { all[$0].when.key }

  /// The rules that close ways, by their keys.
  package static let closing = Dictionary(
    grouping: all.filter { $0.effect != .warned && $0.objects.contains(.way) }, by: \.when.key)

  /// The keys that rules about some objects read.
  package static func keys(of objects: Objects) -> Set<String> {
    Set(
      all.filter { !$0.objects.isDisjoint(with: objects) }
        .flatMap { ([$0.when] + $0.also + $0.unless).map(\.key) })
  }

  private static let onNodes = Details(objects: [.way, .node])

  private static let grades: [HazardRule] = [
    HazardRule(.alpineGrade, .caution, "sac_scale", .grade(.t4), "alpine path, T4"),
    HazardRule(.alpineGrade, .danger, "sac_scale", .grade(.t5), "demanding alpine path, T5"),
    HazardRule(.alpineGrade, .danger, "sac_scale", .grade(.t6), "difficult alpine path, T6"),
    HazardRule(
      .contradictoryGrade, .caution, "sac_scale", .gradeFrom(.t4),
      "hard grade on a track, doubtful",
      Details(also: [.track])),
    HazardRule(
      .contradictoryGrade, .caution, "sac_scale", .gradeFrom(.t5),
      "hard grade where bicycles ride, doubtful", Details(also: [.easyRiding])),
    HazardRule(.viaFerrata, .danger, "highway", .only(["via_ferrata"]), "via ferrata"),
    HazardRule(.viaFerrata, .danger, "via_ferrata_scale", .but(["0"]), "via ferrata"),
    HazardRule(.equipment, .caution, "highway", .only(["ladder"]), "ladder"),
    HazardRule(.equipment, .caution, "ladder", .but([]), "ladder", onNodes),
    HazardRule(.equipment, .caution, "rungs", .but(["0"]), "rungs in the rock", onNodes),
    HazardRule(.equipment, .caution, "safety_rope", .but([]), "rope to hold on to", onNodes),
    HazardRule(.equipment, .caution, "rope", .but([]), "rope to hold on to", onNodes),
    HazardRule(.equipment, .caution, "chain", .but([]), "chain to hold on to", onNodes),
    HazardRule(.equipment, .caution, "assisted_trail", .but([]), "secured path"),
    HazardRule(.exposed, .caution, "exposed", .but([]), "long drop beside the path", onNodes),
    HazardRule(.exposed, .caution, "exposure", .but(["low", "none"]), "long drop beside the path"),
    HazardRule(.visibility, .caution, "trail_visibility", .only(["bad"]), "path hard to see"),
    HazardRule(
      .visibility, .caution, "trail_visibility", .only(["horrible"]), "path hardly visible"),
    HazardRule(.visibility, .caution, "trail_visibility", .only(["no"]), "no visible path"),
  ]

  private static let grounds: [HazardRule] = [
    HazardRule(
      .terrain, .danger, "hazard", .only(["minefield", "unexploded_ordnance"]), "explosives",
      Details(effect: .closed)),
    HazardRule(
      .military, .danger, "hazard", .only(["danger_area", "range"]), "shooting",
      Details(effect: .closed)),
    HazardRule(.military, .danger, "hazard", .only(["shooting_range"]), "shooting"),
    HazardRule(
      .closed, .danger, "access", .only(["no"]), "closed because of a danger",
      Details(effect: .closed, also: [Condition("hazard", .only(terrainDangers))])),
    HazardRule(
      .terrain, .caution, "hazard", .only(terrainDangers), "danger of the terrain",
      Details(objects: [.way, .node, .area])),
    HazardRule(
      .terrain, .caution, "hazard", .but(otherRules + trafficDangers), "danger",
      Details(also: [
        Condition("highway", .only(["bridleway", "footway", "path", "steps", "track"]))
      ])
    ),
    HazardRule(.glacier, .danger, "glacier", .but([]), "glacier"),
    HazardRule(
      .glacier, .danger, "natural", .only(["glacier"]), "glacier", Details(objects: .area)),
    HazardRule(
      .darkTunnel, .caution, "tunnel", .but(builtTunnels), "tunnel without light",
      Details(also: [Condition("lit", .only(["no"]))])),
    HazardRule(
      .darkTunnel, .caution, "tunnel", .but(builtTunnels), "tunnel, perhaps without light",
      Details(
        also: [Condition("highway", .only(["bridleway", "path", "track"]))],
        unless: [Condition("lit", .but([]))])),
  ]

  private static let terrainDangers = TagSelection.dangers
    .subtracting(["minefield", "shooting_range", "unexploded_ordnance"]).sorted()
  /// Values of `hazard` that have a rule of their own.
  private static let otherRules = TagSelection.dangers.union(["danger_area", "range"]).sorted()
  /// Values of `hazard` that are signs for drivers.
  private static let trafficDangers = [
    "animal_crossing", "bump", "children", "curve", "curves", "cyclists", "dangerous_junction",
    "dip", "horse_riders", "level_crossing", "loose_gravel", "low_flying_aircraft", "pedestrians",
    "queues_likely", "road_narrows", "roundabout", "school_zone", "side_winds", "slippery_road",
    "traffic_signals", "turn", "turns", "two_way_traffic", "wild_animals",
  ]
  private static let builtTunnels = ["avalanche_protector", "building_passage", "culvert"]

  private static let water: [HazardRule] =
    [
      HazardRule(.ford, .caution, "ford", .but(["boat", "stepping_stones"]), "ford", onNodes),
      HazardRule(.ford, .danger, "ford", .only(["boat"]), "ford for boats", onNodes),
      HazardRule(.ford, .notice, "ford", .only(["stepping_stones"]), "stepping stones", onNodes),
      HazardRule(
        .tide, .danger, "tidal", .but([]), "no path, and the tide covers it",
        Details(effect: .closed, also: [Condition("trail_visibility", .only(["horrible", "no"]))])),
      HazardRule(.tide, .danger, "tidal", .but([]), "the tide covers the way", onNodes),
      HazardRule(.flood, .caution, "flood_prone", .but([]), "often under water", onNodes),
      HazardRule(
        .bridge, .danger, "bridge",
        .only(["collapsed", "destroyed", "missing", "removed", "washed_away"]),
        "no bridge any more",
        Details(effect: .barred)),
      HazardRule(
        .bridge, .danger, "bridge",
        .only(["abandoned", "broken", "damaged", "dangerous", "disused", "ruins"]),
        "damaged bridge"),
      HazardRule(.bridge, .danger, "abandoned:bridge", .but([]), "bridge out of use"),
      HazardRule(.bridge, .danger, "disused:bridge", .but([]), "bridge out of use"),
    ]
    + ["demolished:bridge", "destroyed:bridge", "razed:bridge", "removed:bridge"].flatMap(
      lostBridge)

  /// The rules of a key that says that a bridge is gone: a ford leads through the water.
  private static func lostBridge(_ key: String) -> [HazardRule] {
    let ford = Condition("ford", .but([]))
    return [Details(effect: .barred, unless: [ford]), Details(also: [ford])].map {
      HazardRule(.bridge, .danger, key, .but([]), "no bridge any more", $0)
    }
  }

  private static let states: [HazardRule] =
    [
      HazardRule(
        .obstacle, .caution, "obstacle", .but(["none"]), "something across the way", onNodes),
      HazardRule(.overgrown, .caution, "overgrown", .but([]), "overgrown"),
      HazardRule(.impassable, .notice, "smoothness", .only(["impassable"]), "impassable on wheels"),
      HazardRule(
        .impassable, .danger, "impassable", .only(["yes"]), "impassable", Details(effect: .closed)),
      HazardRule(.impassable, .caution, "impassable", .but(["yes"]), "impassable for some"),
      HazardRule(.closed, .danger, "closed", .only(["yes"]), "closed", Details(effect: .closed)),
      HazardRule(.closed, .caution, "closed", .but(["yes"]), "closed at times"),
      HazardRule(.closed, .caution, "disused", .only(["yes"]), "out of use"),
      HazardRule(
        .closed, .caution, "abandoned", .only(["yes"]), "given up", Details(effect: .uncertain)),
    ]
    + [
      ("construction", "under construction"), ("demolished", "not there any more"),
      ("dismantled", "not there any more"), ("proposed", "only planned"),
      ("razed", "not there any more"), ("removed", "not there any more"),
    ].map { key, text in
      HazardRule(.closed, .danger, key, .only(["yes"]), text, Details(effect: .closed))
    } + [
      HazardRule(
        .military, .danger, "military",
        .only(["danger_area", "minefield", "range", "unexploded_ordnance"]), "military danger area",
        Details(effect: .closed, objects: [.way, .area])),
      HazardRule(
        .military, .caution, "military", .only(["training_area"]), "military training area",
        Details(objects: [.way, .area])),
      HazardRule(
        .toll, .notice, "toll", .but([]), "toll",
        Details(unless: [Condition("toll:foot", .only(["no"]))])),
      HazardRule(.seasonal, .caution, "seasonal", .but([]), "in a part of the year only"),
      HazardRule(.seasonal, .caution, "winter_road", .but([]), "in winter only"),
      HazardRule(.seasonal, .danger, "ice_road", .but([]), "on ice"),
    ]

  private static let closedToAll = Condition("access", .only(["no", "private", "military"]))

  private static let areas: [HazardRule] = [
    HazardRule(
      .military, .danger, "landuse", .only(["military"]), "military land",
      Details(effect: .closed, objects: .area, also: [closedToAll])),
    HazardRule(
      .terrain, .danger, "boundary", .only(["hazard"]), "dangerous ground", Details(objects: .area)),
    HazardRule(
      .tide, .danger, "natural", .only(["mud", "wetland"]), "the tide covers the ground",
      Details(objects: .area, also: [Condition("tidal", .but([]))])),
    HazardRule(
      .tide, .danger, "wetland", .only(["mangrove", "saltmarsh", "tidalflat"]),
      "the tide covers the ground",
      Details(objects: .area, unless: [Condition("tidal", .only(["no"]))])),
    HazardRule(
      .reserve, .danger, "leisure", .only(["nature_reserve"]), "reserve that may not be entered",
      Details(effect: .closed, objects: .area, also: [Condition("access", .only(["no"]))])),
    HazardRule(
      .reserve, .danger, "boundary", .only(["national_park", "protected_area"]),
      "reserve that may not be entered",
      Details(effect: .closed, objects: .area, also: [Condition("access", .only(["no"]))])),
  ]
}
