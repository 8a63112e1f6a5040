// SPDX-License-Identifier: Apache-2.0

/// The ways and tags that the parsers keep: everything that can affect a route on foot or by
/// bicycle, and nothing else.
package enum TagSelection {
  /// The values of `highway` that can be walked or ridden on. Motorways are never among them;
  /// whether a trunk road is fit for walking is up to the profile.
  package static let routableHighways: Set<String> = [
    "bridleway", "corridor", "cycleway", "elevator", "footway", "ford", "ladder", "living_street",
    "path",
    "pedestrian", "platform", "primary", "primary_link", "residential", "road", "secondary",
    "secondary_link", "service", "steps", "tertiary", "tertiary_link", "track", "trunk",
    "trunk_link", "unclassified", "via_ferrata",
  ]

  /// Objects without `highway` that one can walk on. They get the `highway` given here, so that
  /// later stages need not know their other keys. A lock gate has to mention walkers, see
  /// ``permissionsOnFoot``.
  package static let walkways: [(key: String, value: String, highway: String)] = [
    ("man_made", "pier", "pier"), ("public_transport", "platform", "platform"),
    ("railway", "platform", "platform"), ("waterway", "lock_gate", lockGate),
  ]

  /// The value of `highway` that lock gates get.
  package static let lockGate = "lock_gate"

  /// The values of `foot` that make a lock gate a way.
  package static let permissionsOnFoot: Set<String> = [
    "designated", "official", "permissive", "yes",
  ]

  /// The values of `highway`, its own or given by ``walkways``, of ways that are kept only where
  /// they join other ways at two nodes. Most platforms only stand beside a road.
  package static let connectorHighways: Set<String> = Set(walkways.map(\.highway))
    .union([elevator])

  /// The value of `highway` of a lift, a way or a node.
  package static let elevator = "elevator"

  /// The value of `route` that makes a way a ferry, and a relation of the kind `type=route` a ferry
  /// line, from which its ways take the tags that they lack.
  package static let ferryRoute = "ferry"

  /// The words in the role of a member of a ferry line that say that it is no part of the course:
  /// where the ferry stops, or what stands there.
  package static let stopRoleWords: Set<String> = [
    "area", "building", "dock", "entrance", "harbour", "jetty", "label", "landing", "pier",
    "platform", "quay", "station", "stop", "terminal",
  ]

  /// The keys of things that are no course of a ferry, even if a ferry line has them as members
  /// without a role: terminals, shores and the like.
  package static let thingKeys: Set<String> = [
    "aerialway", "amenity", "historic", "landuse", "leisure", "man_made", "natural",
    "public_transport", "railway", "shop", "tourism",
  ]

  /// What is said of objects that do not exist, not yet or no longer: as a key (`proposed=yes`), as
  /// a prefix of the key that would apply otherwise (`proposed:route=hiking`), and as the value of
  /// `state`.
  package static let lifecycleWords: Set<String> = [
    "abandoned", "construction", "demolished", "destroyed", "dismantled", "disused", "planned",
    "proposed", "razed", "removed",
  ]

  /// Further prefixes that say so.
  package static let lifecyclePrefixes: Set<String> = lifecycleWords.union([
    "historic", "ruins", "was",
  ])

  /// The values of `state` of routes that nobody can follow. `alternate`, `connection` and
  /// `temporary` are those of routes that are signed.
  package static let unrealStates: Set<String> = lifecyclePrefixes.union([
    "closed", "defunct", "deleted", "deprecated", "discontinued", "draft", "former", "inactive",
    "obsolete", "ruined", "suspended", "under_construction",
  ])

  /// The key of the state of a route.
  package static let stateKey = "state"

  /// The keys that make a relation a route; with one of ``lifecyclePrefixes`` it is none.
  package static let routeDefiningKeys: Set<String> = ["network", "route", "type"]

  /// The values of `type` that make a relation with `route` a route.
  package static let routeRelationTypes: Set<String> = ["route", "superroute"]

  /// The value of `type` that makes a relation an area with holes or several parts. With a `highway`
  /// of ``routableHighways`` or a tag of ``walkways`` it is an area to walk on, and its rings become
  /// ways with its tags.
  package static let areaRelationType = "multipolygon"

  /// The roles of the members of such a relation that bound the area from the outside.
  package static let outerRoles: Set<String> = ["", "outer"]

  /// The roles of all ways that bound it.
  package static let ringRoles: Set<String> = outerRoles.union(["inner"])

  /// The keys that are kept on ways, besides names in languages.
  package static let wayKeys: Set<String> = otherNameKeys.union([
    "abandoned", "abandoned:bridge", "abandoned:tunnel", "access", "area", "assisted_trail",
    "bicycle", "bicycle_road", "bridge", "cai_scale", "chain", "climbing", "climbing:grade:uiaa",
    "closed", "collapsed", "collapsed:bridge", "construction", "construction:bridge", "conveying",
    "covered", "crossing", "cycleway", "demolished", "demolished:bridge", "destroyed",
    "destroyed:bridge", "dismantled", "dismantled:bridge", "disused", "disused:bridge",
    "disused:tunnel", "duration", "embedded_rails", "exposed", "exposure", "fee", "flood_prone",
    "foot", "footway", "ford", "glacier", "handrail", "hazard", "highway", "hiking_technique",
    "ice_road", "impassable", "incline", "indoor", "informal", "junction", "ladder", "layer",
    "level", "lit", "location", "man_made", "military", "motor_vehicle", "motorroad", "mtb:scale",
    "name", "obstacle", "oneway", "opening_hours", "operational_status", "overgrown", "proposed",
    "proposed:bridge", "ramp", "razed", "razed:bridge", "ref", "removed", "removed:bridge", "rope",
    "route", "ruined:bridge", "ruins", "ruins:bridge", "rungs", "sac_scale", "safety_rope",
    "scramble", "seasonal", "segregated", "service", "sidewalk", "smoothness", "step_count",
    "surface", "tidal", "toll", "toll:foot", "tracktype", "trail_visibility", "tunnel",
    "uiaa_scale", "vehicle", "via_ferrata_scale", "washed_away", "waterway", "width", "winter_road",
  ])

  /// Prefixes of keys that are kept on ways: directions, sides and conditions.
  package static let wayKeyPrefixes = [
    "access:", "bicycle:", "cycleway:", "foot:", "mtb:scale:", "oneway:", "sidewalk:", "vehicle:",
  ]

  /// The keys that are kept on the nodes of kept ways.
  package static let nodeKeys: Set<String> = [
    "abandoned", "access", "access:conditional", "barrier", "bicycle", "bicycle:conditional",
    "chain", "closed", "construction", "crossing", "disused", "entrance", "exposed", "flood_prone",
    "foot", "foot:conditional", "ford", "hazard", "highway", "ladder", "locked",
    "locked:conditional", "obstacle", "opening_hours", "operational_status", "rope", "rungs",
    "safety_rope", "seasonal", "sensory", "stile", "tidal", "vehicle", "vehicle:conditional",
    "waterway",
  ]
}
