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

  private static let onNode = Details(objects: .node)
  private static let onNodes = Details(objects: [.way, .node])

  private static let grades: [HazardRule] = [
    HazardRule(.alpineGrade, .caution, "sac_scale", .grade(.t4), "alpine path, T4"),
    HazardRule(.alpineGrade, .danger, "sac_scale", .grade(.t5), "demanding alpine path, T5"),
    HazardRule(.alpineGrade, .danger, "sac_scale", .grade(.t6), "difficult alpine path, T6"),
    HazardRule(
      .unknownGrade, .caution, "sac_scale", .unreadableGrade, "grade that cannot be read"),
    HazardRule(
      .contradictoryGrade, .caution, "sac_scale", .gradeFrom(.t4),
      "hard grade on a track, doubtful",
      Details(also: [.track])),
    HazardRule(
      .contradictoryGrade, .caution, "sac_scale", .gradeFrom(.t5),
      "hard grade where bicycles ride, doubtful", Details(also: [.easyRiding])),
    // The scales of other countries and of climbers.
    HazardRule(.alpineGrade, .caution, "cai_scale", .only(["ee"]), "path for experts, EE"),
    HazardRule(.viaFerrata, .danger, "cai_scale", .prefix("EEA"), "via ferrata"),
    HazardRule(.alpineGrade, .caution, "scramble", .but([]), "hands needed"),
    HazardRule(.alpineGrade, .caution, "hiking_technique", .only(["scrambling"]), "hands needed"),
    HazardRule(.alpineGrade, .danger, "hiking_technique", .only(["climbing"]), "climbing"),
    HazardRule(.alpineGrade, .danger, "climbing", .but([]), "climbing"),
    HazardRule(.alpineGrade, .danger, "climbing:grade:uiaa", .but([]), "climbing"),
    HazardRule(.alpineGrade, .danger, "uiaa_scale", .but([]), "climbing"),
    HazardRule(.viaFerrata, .danger, "highway", .only(["via_ferrata"]), "via ferrata"),
    HazardRule(.viaFerrata, .danger, "via_ferrata_scale", .but([]), "via ferrata"),
    HazardRule(.equipment, .caution, "highway", .only(["ladder"]), "ladder"),
    HazardRule(.equipment, .caution, "ladder", .but([]), "ladder", onNodes),
    HazardRule(.equipment, .caution, "rungs", .but([]), "rungs in the rock", onNodes),
    HazardRule(.equipment, .caution, "safety_rope", .but([]), "rope to hold on to", onNodes),
    HazardRule(.equipment, .caution, "rope", .but([]), "rope to hold on to", onNodes),
    HazardRule(.equipment, .caution, "chain", .but([]), "chain to hold on to", onNodes),
    HazardRule(.equipment, .caution, "assisted_trail", .but([]), "secured path"),
    HazardRule(.exposed, .caution, "exposed", .but([]), "long drop beside the path", onNodes),
    HazardRule(.exposed, .caution, "exposure", .but(["low"]), "long drop beside the path"),
    HazardRule(.visibility, .caution, "trail_visibility", .only(["bad"]), "path hard to see"),
    HazardRule(
      .visibility, .caution, "trail_visibility", .only(["horrible"]), "path hardly visible"),
    HazardRule(
      .visibility, .caution, "trail_visibility", .only(["invisible", "no", "none"]),
      "no visible path"),
  ]

  private static let grounds: [HazardRule] = [
    HazardRule(
      .terrain, .danger, "hazard", .only(explosives), "explosives",
      Details(effect: .closed, objects: [.way, .area])),
    HazardRule(.terrain, .danger, "hazard", .only(explosives), "explosives", onNode),
    HazardRule(
      .military, .danger, "hazard", .only(["danger_area", "range"]), "shooting",
      Details(effect: .closed, objects: [.way, .area])),
    HazardRule(.military, .danger, "hazard", .only(["danger_area", "range"]), "shooting", onNode),
    HazardRule(
      .military, .danger, "hazard", .only(["shooting_range"]), "shooting",
      Details(objects: [.way, .node, .area])),
    HazardRule(
      .closed, .danger, "access", .only(["no"]), "closed because of a danger",
      Details(effect: .closed, also: [Condition("hazard", .only(terrainDangers))])),
    HazardRule(
      .terrain, .caution, "hazard", .only(terrainDangers), "danger of the terrain",
      Details(objects: [.way, .node, .area])),
    HazardRule(
      .terrain, .caution, "hazard", .but(otherRules + trafficDangers), "danger",
      Details(also: [walkersWay])),
    HazardRule(
      .terrain, .caution, "hazard", .but(otherRules + trafficDangers), "danger",
      Details(objects: [.node, .area])),
    HazardRule(.terrain, .caution, "surface", .only(["ice", "snow"]), "snow or ice"),
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
    HazardRule(
      .roadTunnel, .caution, "tunnel", .but(["building_passage", "culvert"]),
      "road tunnel without a sidewalk", Details(also: [road], unless: sidewalks)),
    HazardRule(
      .closed, .danger, "tunnel", .only(["collapsed", "destroyed"]), "no tunnel any more",
      Details(effect: .barred)),
    HazardRule(
      .closed, .caution, "tunnel", .only(["abandoned", "disused", "flooded"]),
      "tunnel out of use"),
    HazardRule(.closed, .caution, "abandoned:tunnel", .but([]), "tunnel out of use"),
    HazardRule(.closed, .caution, "disused:tunnel", .but([]), "tunnel out of use"),
  ]

  /// A way for walkers, or one on which hardly anybody drives.
  private static let walkersWay = Condition(
    "highway", .only(["bridleway", "footway", "path", "steps", "track"]))
  private static let explosives = ["minefield", "unexploded_ordnance"]
  /// A way for cars.
  private static let road = Condition(
    "highway",
    .only([
      "primary", "primary_link", "residential", "road", "secondary", "secondary_link", "service",
      "tertiary", "tertiary_link", "trunk", "trunk_link", "unclassified",
    ]))
  /// A sidewalk on any side, or a footway beside the road.
  private static let sidewalks =
    [Condition("sidewalk", .but([]))]
    + ["both", "left", "right"].map { Condition("sidewalk:\($0)", .but([])) }
    + [Condition("foot", .only(["designated", "use_sidepath"]))]
    // Garages, where nobody drives fast.
    + [Condition("service", .but([]))]

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
      HazardRule(.ford, .caution, "highway", .only(["ford"]), "ford", onNodes),
      HazardRule(.ford, .caution, "waterway", .only(["ford"]), "ford", onNodes),
      HazardRule(.ford, .caution, "crossing", .only(["ford"]), "ford", onNodes),
      HazardRule(.ford, .caution, "surface", .only(["water"]), "ford"),
      HazardRule(.ford, .notice, "surface", .only(["stepping_stones"]), "stepping stones"),
      HazardRule(
        .tide, .danger, "tidal", .but([]), "no path, and the tide covers it",
        Details(effect: .closed, also: [Condition("trail_visibility", .only(["horrible", "no"]))])),
      HazardRule(.tide, .danger, "tidal", .but([]), "the tide covers the way", onNodes),
      HazardRule(.flood, .caution, "flood_prone", .but([]), "often under water", onNodes),
      HazardRule(.flood, .caution, "bridge", .only(["low_water_crossing"]), "often under water"),
      HazardRule(
        .bridge, .danger, "bridge",
        .only([
          "collapsed", "demolished", "destroyed", "dismantled", "gone", "missing", "removed",
          "swept_away", "washed_away", "washed_out",
        ]),
        "no bridge any more",
        Details(effect: .barred)),
      HazardRule(
        .bridge, .danger, "bridge", .only(["construction", "planned", "proposed"]),
        "bridge not there yet", Details(effect: .barred)),
      HazardRule(
        .bridge, .danger, "bridge",
        .only(["abandoned", "broken", "damaged", "dangerous", "disused", "ruins"]),
        "damaged bridge"),
    ]
    + ["abandoned", "disused", "ruined", "ruins"].map {
      HazardRule(.bridge, .danger, "\($0):bridge", .but([]), "bridge out of use")
    }
    + ["collapsed", "demolished", "destroyed", "dismantled", "razed", "removed"].flatMap {
      lostBridge("\($0):bridge")
    }
    + ["construction", "proposed"].map {
      HazardRule(.bridge, .danger, "\($0):bridge", .but([]), "bridge not there yet")
    }

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
        .obstacle, .caution, "obstacle", .but([]), "something across the way", onNodes),
      HazardRule(.overgrown, .caution, "overgrown", .but([]), "overgrown"),
      HazardRule(.impassable, .notice, "smoothness", .only(["impassable"]), "impassable on wheels"),
      HazardRule(
        .impassable, .danger, "impassable", .only(["yes"]), "impassable", Details(effect: .closed)),
      HazardRule(.impassable, .caution, "impassable", .but(["yes"]), "impassable for some"),
      HazardRule(.closed, .danger, "closed", .only(["yes"]), "closed", Details(effect: .closed)),
      HazardRule(.closed, .caution, "closed", .but(["yes"]), "closed at times"),
      HazardRule(.closed, .caution, "disused", .only(["yes"]), "out of use"),
      HazardRule(.closed, .caution, "ruins", .but([]), "out of use"),
      HazardRule(
        .closed, .danger, "operational_status", .only(["closed"]), "closed",
        Details(effect: .closed)),
      HazardRule(
        .closed, .caution, "operational_status", .but(["closed"] + inUse), "out of use"),
      HazardRule(
        .closed, .caution, "abandoned", .only(["yes"]), "given up", Details(effect: .uncertain)),
    ]
    + [
      ("collapsed", "not there any more"), ("construction", "under construction"),
      ("demolished", "not there any more"), ("destroyed", "not there any more"),
      ("dismantled", "not there any more"), ("proposed", "only planned"),
      ("razed", "not there any more"), ("removed", "not there any more"),
      ("washed_away", "not there any more"),
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
      // On a road it is for parking.
      HazardRule(.toll, .notice, "fee", .but([]), "fee", Details(also: [walkersWay])),
      HazardRule(.seasonal, .caution, "seasonal", .but([]), "in a part of the year only"),
      HazardRule(.seasonal, .caution, "winter_road", .but([]), "in winter only"),
      HazardRule(.seasonal, .danger, "ice_road", .but([]), "on ice"),
    ]

  /// Whether a value of `operational_status` says that something cannot be used.
  static func isOutOfUse(operationalStatus status: String?) -> Bool {
    status.map { !inUse.contains($0.lowercased()) && !TagDenial.contains($0) } ?? false
  }

  /// Values of `operational_status` of what is in use, or may be.
  private static let inUse = [
    "active", "functional", "good", "in_operation", "in_use", "normal", "ok", "open", "operational",
    "unknown", "working", "yes",
  ]

  /// Values of `military` of land that the military uses, without ranges and danger areas.
  static let militaryLand = [
    "airfield", "ammunition", "barracks", "base", "depot", "naval_base", "training_area",
  ]

  private static let areas: [HazardRule] =
    [
      HazardRule(
        .military, .caution, "landuse", .only(["military"]), "military land",
        Details(objects: .area, unless: saidAccess)),
      HazardRule(
        .military, .caution, "military", .only(militaryLand.filter { $0 != "training_area" }),
        "military land", Details(objects: .area, unless: saidAccess)),
      HazardRule(
        .terrain, .danger, "boundary", .only(["hazard"]), "dangerous ground",
        Details(objects: .area)),
      HazardRule(
        .terrain, .danger, "protect_class", .only(["16"]), "dangerous ground",
        Details(objects: .area)),
      HazardRule(
        .tide, .danger, "tidal", .but([]), tideOnGround,
        Details(
          objects: .area, unless: [Condition("highway", .any), Condition("natural", .only(dry))])),
      HazardRule(
        .tide, .danger, "wetland", .only(tidalGround), tideOnGround,
        Details(objects: .area, unless: [Condition("tidal", .only(["no"]))])),
      HazardRule(
        .tide, .danger, "natural", .only(tidalGround), tideOnGround,
        Details(objects: .area, unless: [Condition("tidal", .only(["no"]))])),
    ]

  private static let saidAccess = [Condition("access", .any), Condition("foot", .any)]
  private static let tideOnGround = "the tide covers the ground"
  /// Ground that the tide covers, by its name alone; the older spellings of tidal flats are among them.
  package static let tidalGround = [
    "mangrove", "mangroves", "mud_flat", "mudflat", "mudflats", "salt_marsh", "saltmarsh", "tidal",
    "tidal flat", "tidal_flat", "tidal_flats", "tidal_mud", "tidalflat", "tidalflats",
  ]
  /// Lines along the sea, and land in it, whose `tidal` is about the water around them.
  private static let dry = ["cliff", "coastline"]
}
