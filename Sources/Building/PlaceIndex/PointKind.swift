// SPDX-License-Identifier: Apache-2.0
import PlaceDatabase

/// What kind of place a point of interest is.
enum PointKind {
  /// The values of `place` at which people live.
  private static let settlements: Set<String> = [
    "borough", "city", "farm", "hamlet", "isolated_dwelling", "neighbourhood", "quarter", "suburb",
    "town", "village",
  ]

  /// The kinds by key and value, in order of precedence: a hut with a restaurant is a hut. An empty
  /// list stands for any value.
  private static let kinds: [(key: String, values: Set<String>, kind: PlaceKind)] = [
    ("tourism", ["alpine_hut", "wilderness_hut"], .hut),
    ("natural", ["peak", "volcano"], .peak),
    ("natural", ["saddle"], .saddle),
    ("mountain_pass", ["yes"], .saddle),
    ("place", settlements, .settlement),
    ("place", [], .locality),
    ("natural", ["spring"], .water),
    ("natural", ["cave_entrance"], .cave),
    ("tourism", ["viewpoint"], .viewpoint),
    ("tourism", ["camp_site", "camp_pitch", "caravan_site"], .campsite),
    ("tourism", ["picnic_site"], .picnicSite),
    ("hazard", [], .danger),
    ("military", [], .danger),
    ("natural", ["crevasse", "sinkhole"], .danger),
    ("amenity", ["drinking_water", "fountain", "water_point", "watering_place"], .water),
    ("man_made", ["drinking_fountain", "spring_box", "water_tap", "water_well"], .water),
    ("amenity", ["shelter"], .shelter),
    (
      "amenity",
      ["bar", "biergarten", "cafe", "fast_food", "food_court", "ice_cream", "pub", "restaurant"],
      .food
    ),
    ("shop", [], .food),
    ("amenity", ["parking"], .parking),
    ("amenity", ["toilets"], .toilets),
    ("amenity", ["bus_station", "ferry_terminal"], .transport),
    ("highway", ["bus_stop"], .transport),
    ("public_transport", [], .transport),
    ("railway", [], .transport),
    ("aerialway", [], .transport),
    ("drinking_water", ["yes"], .water),
    ("information", ["guidepost", "route_marker"], .guidepost),
    ("tourism", ["information"], .information),
  ]

  /// The kind of a point with some tags.
  static func of(_ tags: [String: String]) -> PlaceKind {
    kinds.first { entry in
      tags[entry.key].map { entry.values.isEmpty || entry.values.contains($0) } ?? false
    }?.kind ?? .other
  }
}
