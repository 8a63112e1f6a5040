// SPDX-License-Identifier: Apache-2.0

extension TagSelection {
  /// The tags that make an object a point of interest, by key; an empty list means any value.
  ///
  /// The objects are nodes and areas: closed ways and relations with `type=multipolygon`.
  package static let pointsOfInterest: [String: Set<String>] = [
    "aerialway": lifts.union(["station"]),
    "amenity": [
      "bar", "biergarten", "bus_station", "cafe", "clinic", "doctors", "drinking_water",
      "fast_food", "ferry_terminal", "food_court", "hospital", "ice_cream", "parking", "pharmacy",
      "place_of_worship", "pub", "restaurant", "shelter", "telephone", "toilets", "water_point",
    ],
    // Fountains, taps and whatever else gives water that one can drink.
    "drinking_water": ["yes"],
    "emergency": ["defibrillator", "mountain_rescue", "phone"],
    "hazard": dangers,
    "highway": ["bus_stop"],
    "historic": ["archaeological_site", "castle", "fort", "memorial", "monument", "ruins"],
    "information": ["guidepost"],
    "man_made": ["water_tap", "water_well"],
    "military": ["danger_area", "range"],
    "mountain_pass": ["yes"],
    "natural": [
      "arete", "cave_entrance", "crevasse", "glacier", "hot_spring", "peak", "ridge", "saddle",
      "sinkhole", "spring", "valley", "volcano", "water",
    ],
    "place": [],
    "railway": ["halt", "station", "tram_stop"],
    "shop": [
      "bakery", "butcher", "cheese", "convenience", "dairy", "deli", "farm", "food", "general",
      "greengrocer", "kiosk", "pastry", "supermarket",
    ],
    "tourism": [
      "alpine_hut", "apartment", "camp_site", "chalet", "guest_house", "hostel", "hotel",
      "information", "motel", "museum", "picnic_site", "viewpoint", "wilderness_hut",
    ],
    "waterway": ["waterfall"],
  ]

  /// The key of a house number, which makes an object with a street or place a point, too, whatever
  /// its value.
  package static let houseNumberKey = "addr:housenumber"

  /// The key of a way along which houses have numbers that are not mapped one by one.
  package static let interpolationKey = "addr:interpolation"

  /// The tags of ways that are found by their whole line, by key. They need a name, or a relation of
  /// the type ``waterwayRelationType`` that has one; lifts do not.
  package static let lineFeatures: [String: Set<String>] = [
    "aerialway": lifts,
    "natural": ["arete", "ridge", "valley"],
    "waterway": ["canal", "river", "stream"],
  ]

  /// The value of `type` of a relation that is a whole river.
  package static let waterwayRelationType = "waterway"

  /// The values of `aerialway` of lines.
  package static let lifts: Set<String> = [
    "cable_car", "chair_lift", "drag_lift", "gondola", "j-bar", "magic_carpet", "mixed_lift",
    "platter", "rope_tow", "t-bar", "zip_line",
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

  /// The keys that are kept on points of interest and areas that may be hazards: their kind, their names
  /// (with those in languages, ``isLanguageName(_:)``), and what a visitor needs to know.
  package static let pointKeys: Set<String> = otherNameKeys.union(pointsOfInterest.keys)
    .union(hazardAreaKeys).union(anyHazardAreaKeys).union(areaQualifierKeys).union([
      "abandoned", "access", "addr:city", "addr:housenumber", "addr:interpolation", "addr:place",
      "addr:street", "beds", "board_type", "building", "bus", "capacity", "capital",
      "contact:email", "contact:phone", "contact:website", "cuisine", "description", "disused",
      "drinking_water:legal", "ele", "email", "fee", "fireplace", "foot", "indoor", "intermittent",
      "level", "name", "network", "opening_hours", "operational_status", "operator", "phone",
      "population", "potable", "prominence", "pump", "ref", "reservation", "ruins", "seasonal",
      "shelter_type", "station", "summit:cross", "website", "wikidata", "wikipedia",
      "winter_room",
    ])

  /// The values of `route` that make a relation a waymarked route: on foot or by bicycle. Of
  /// several values, separated by semicolons, one suffices.
  package static let routeKinds: Set<String> = [
    "bicycle", "foot", "hiking", "mtb", "nordic_walking", "running", "walking",
  ]

  /// The keys that are kept on waymarked routes, besides names in languages.
  package static let routeKeys: Set<String> = otherNameKeys.union([
    "ascent", "colour", "descent", "distance", "length", "from", "name", "network", "network:type",
    "operator", "osmc:symbol", "pilgrimage", "ref", "roundtrip", "route", "state", "symbol", "to",
    "type", "via", "website",
  ])
}
