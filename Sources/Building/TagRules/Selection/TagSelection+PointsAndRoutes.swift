// SPDX-License-Identifier: Apache-2.0

extension TagSelection {
  /// The tags that make an object a point of interest, by key; an empty list means any value.
  ///
  /// The objects are nodes and areas: closed ways and relations with `type=multipolygon`.
  package static let pointsOfInterest: [String: Set<String>] = [
    "amenity": ["drinking_water", "parking", "shelter", "toilets"],
    "highway": ["bus_stop"],
    "information": ["guidepost"],
    "mountain_pass": ["yes"],
    "natural": ["cave_entrance", "peak", "saddle", "spring"],
    "place": [],
    "tourism": [
      "alpine_hut", "camp_site", "information", "picnic_site", "viewpoint", "wilderness_hut",
    ],
  ]

  /// The keys that are kept on points of interest: their kind, their names, and what a visitor
  /// needs to know.
  package static let pointKeys: Set<String> = [
    "access", "alt_name", "amenity", "board_type", "capacity", "contact:phone",
    "contact:website", "drinking_water", "ele", "fee", "highway", "information", "int_name",
    "loc_name", "mountain_pass", "name", "natural", "opening_hours", "operator", "phone", "place",
    "population", "prominence", "ref", "reservation", "seasonal", "shelter_type", "summit:cross",
    "tourism", "website", "wikidata", "wikipedia", "winter_room",
  ]

  /// The values of `route` that make a relation a waymarked route: on foot or by bicycle. Of
  /// several values, separated by semicolons, one suffices.
  package static let routeKinds: Set<String> = [
    "bicycle", "foot", "hiking", "mtb", "nordic_walking", "running", "walking",
  ]

  /// The keys that are kept on waymarked routes.
  package static let routeKeys: Set<String> = [
    "alt_name", "ascent", "colour", "descent", "distance", "from", "name", "network",
    "network:type", "operator", "osmc:symbol", "pilgrimage", "ref", "roundtrip", "route", "state",
    "symbol", "to", "type", "via", "website",
  ]
}
