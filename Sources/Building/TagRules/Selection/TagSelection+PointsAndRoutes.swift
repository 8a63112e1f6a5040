// SPDX-License-Identifier: Apache-2.0

extension TagSelection {
  /// The tags that make an object a point of interest, by key; an empty list means any value.
  ///
  /// The objects are nodes and areas: closed ways and relations with `type=multipolygon`.
  package static let pointsOfInterest: [String: Set<String>] = [
    "aerialway": ["station"],
    "amenity": [
      "bar", "biergarten", "bus_station", "cafe", "drinking_water", "fast_food", "ferry_terminal",
      "food_court", "ice_cream", "parking", "pub", "restaurant", "shelter", "toilets",
      "water_point",
    ],
    // Fountains, taps and whatever else gives water that one can drink.
    "drinking_water": ["yes"],
    "hazard": dangers,
    "highway": ["bus_stop"],
    "information": ["guidepost"],
    "man_made": ["water_tap", "water_well"],
    "military": ["danger_area", "range"],
    "mountain_pass": ["yes"],
    "natural": [
      "cave_entrance", "crevasse", "peak", "saddle", "sinkhole", "spring", "volcano",
    ],
    "place": [],
    "railway": ["halt", "station", "tram_stop"],
    "shop": [
      "bakery", "butcher", "cheese", "convenience", "dairy", "deli", "farm", "food", "general",
      "greengrocer", "kiosk", "pastry", "supermarket",
    ],
    "tourism": [
      "alpine_hut", "camp_site", "information", "picnic_site", "viewpoint", "wilderness_hut",
    ],
  ]

  /// The values of `hazard` that endanger walkers; others are about traffic on roads.
  package static let dangers: Set<String> = [
    "avalanche", "cliff", "contamination", "erosion", "falling_rocks", "flash_flood", "flood",
    "flooding", "ice", "landslide", "minefield", "quicksand", "rock_fall", "rock_slide",
    "rockfall", "rocks", "rockslide", "shooting_range", "slippery", "steep_slope", "subsidence",
    "thin_ice", "unexploded_ordnance", "unstable_ground",
  ]

  /// The keys of names besides `name` and those of ``isLanguageName(_:)``, on ways, points of
  /// interest and waymarked routes. A search needs them, a graph does not.
  package static let otherNameKeys: Set<String> = [
    "alt_name", "int_name", "loc_name", "official_name", "old_name", "short_name",
  ]

  /// What the key of a name in a language begins with.
  package static let languageNamePrefix = "name:"

  /// Whether a key is that of a name in a language, such as `name:ca`, `name:zh-Hant` or
  /// `name:sr-Latn`: a code of two or three letters, and subtags of letters and digits behind `-`
  /// or `_`. Other keys that begin with `name:`, such as `name:etymology`, are no names.
  @inlinable
  package static func isLanguageName(_ key: UnsafeRawBufferPointer) -> Bool {
    let start = 5
    guard key.count >= start + 2, key[0] == UInt8(ascii: "n"), key[1] == UInt8(ascii: "a"),
      key[2] == UInt8(ascii: "m"), key[3] == UInt8(ascii: "e"), key[4] == UInt8(ascii: ":")
    else { return false }
    var index = start
    while index < key.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= key[index] { index += 1 }
    guard 2...3 ~= index - start else { return false }
    // A separator, and at least one letter or digit behind it, any number of times.
    while index < key.count {
      guard key[index] == UInt8(ascii: "-") || key[index] == UInt8(ascii: "_") else { return false }
      let subtag = index + 1
      index = subtag
      while index < key.count, isLetterOrDigit(key[index]) { index += 1 }
      if index == subtag { return false }
    }
    return true
  }

  @usableFromInline
  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// The keys that are kept on points of interest and areas that may be hazards: their kind, their names (with those in
  /// languages, ``isLanguageName(_:)``), and what a visitor needs to know.
  package static let pointKeys: Set<String> = otherNameKeys.union(pointsOfInterest.keys)
    .union(hazardAreaKeys).union(areaQualifierKeys).union([
      "abandoned", "access", "beds", "board_type", "bus", "capacity", "capital", "contact:email",
      "contact:phone", "contact:website", "cuisine", "description", "disused", "ele", "email",
      "fee", "fireplace", "intermittent", "name", "network", "opening_hours",
      "operator", "phone", "population", "prominence", "pump", "ref", "reservation", "ruins",
      "seasonal", "shelter_type", "station", "summit:cross", "website", "wikidata", "wikipedia",
      "winter_room",
    ])

  /// The values of `route` that make a relation a waymarked route: on foot or by bicycle. Of
  /// several values, separated by semicolons, one suffices.
  package static let routeKinds: Set<String> = [
    "bicycle", "foot", "hiking", "mtb", "nordic_walking", "running", "walking",
  ]

  /// The keys that are kept on waymarked routes, besides names in languages.
  package static let routeKeys: Set<String> = otherNameKeys.union([
    "ascent", "colour", "descent", "distance", "from", "name", "network", "network:type",
    "operator", "osmc:symbol", "pilgrimage", "ref", "roundtrip", "route", "state", "symbol", "to",
    "type", "via", "website",
  ])
}
