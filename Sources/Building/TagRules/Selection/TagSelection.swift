// SPDX-License-Identifier: Apache-2.0

/// The ways and tags that the parsers keep: everything that can affect a route on foot or by
/// bicycle, and nothing else.
package enum TagSelection {
  /// The values of `highway` that can be walked or ridden on. Motorways are never among them;
  /// whether a trunk road is fit for walking is up to the profile.
  package static let routableHighways: Set<String> = [
    "bridleway", "corridor", "cycleway", "elevator", "footway", "ladder", "living_street", "path",
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
    .union(["elevator"])

  /// The value of `route` that makes a way a ferry, and a relation of the kind `type=route` one
  /// whose ways have its tags if they are not routable by themselves.
  package static let ferryRoute = "ferry"

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
    "abandoned", "abandoned:bridge", "access", "area", "assisted_trail", "bicycle",
    "bicycle_road", "bridge", "chain", "closed", "construction", "conveying", "covered",
    "crossing", "cycleway", "demolished", "demolished:bridge", "destroyed:bridge",
    "dismantled", "disused", "disused:bridge", "duration", "embedded_rails", "exposed",
    "exposure", "flood_prone", "foot", "footway", "ford", "glacier", "handrail", "hazard",
    "highway", "ice_road", "impassable", "incline", "indoor", "informal", "junction",
    "ladder", "layer", "level", "lit", "location", "man_made", "military", "motor_vehicle",
    "motorroad", "mtb:scale", "name", "obstacle", "oneway", "opening_hours", "overgrown",
    "proposed", "ramp", "razed", "razed:bridge", "ref", "removed", "removed:bridge", "rope",
    "route", "rungs", "sac_scale", "safety_rope", "seasonal", "segregated", "service",
    "sidewalk", "smoothness", "step_count", "surface", "tidal", "toll", "toll:foot",
    "tracktype", "trail_visibility", "tunnel", "vehicle", "via_ferrata_scale", "width",
    "winter_road",
  ])

  /// Prefixes of keys that are kept on ways: directions, sides and conditions.
  package static let wayKeyPrefixes = [
    "access:", "bicycle:", "cycleway:", "foot:", "mtb:scale:", "oneway:", "sidewalk:", "vehicle:",
  ]

  /// The keys that are kept on the nodes of kept ways.
  package static let nodeKeys: Set<String> = [
    "access", "access:conditional", "barrier", "bicycle", "bicycle:conditional", "chain",
    "crossing", "entrance", "exposed", "flood_prone", "foot", "foot:conditional", "ford",
    "hazard", "highway", "ladder", "locked", "locked:conditional", "obstacle", "opening_hours",
    "rope", "rungs", "safety_rope", "seasonal", "sensory", "stile", "tidal", "vehicle",
    "vehicle:conditional",
  ]
}
