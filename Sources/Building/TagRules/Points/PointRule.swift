// SPDX-License-Identifier: Apache-2.0

/// A tag that makes a point of interest what it is.
package struct PointRule: Equatable, Sendable {
  /// The key of the tag.
  package let key: String
  /// Its values, any of which suffices; none stand for any value.
  package let values: [String]
  /// The kind of place for the tag.
  package let kind: PointKind
  /// The position of the kind among all kinds.
  package let kindNumber: Int

  // Called by the table, instead of being there once for each row.
  @inline(never)
  private init(_ key: String, _ values: [String], _ kind: PointKind) {
    self.key = key
    self.values = values
    self.kind = kind
    kindNumber = PointKind.allCases.firstIndex(of: kind) ?? 0
  }

  /// All rules; where several hold, the first one decides: a hut with a restaurant is a hut, and a
  /// spring in a named area is a spring.
  package static let all: [PointRule] = [
    PointRule("tourism", ["alpine_hut"], .mountainHut),
    PointRule("tourism", ["wilderness_hut"], .wildernessHut),
    PointRule("natural", ["peak"], .peak),
    PointRule("natural", ["volcano"], .volcano),
    PointRule("natural", ["saddle"], .pass),
    PointRule("mountain_pass", ["yes"], .pass),
    PointRule("natural", ["sinkhole"], .sinkhole),
    PointRule("natural", ["crevasse"], .crevasse),
    PointRule("military", ["danger_area"], .dangerArea),
    PointRule("military", ["range"], .shootingRange),
    PointRule("hazard", TagSelection.dangers.sorted(), .hazard),
    PointRule("natural", ["spring"], .spring),
    PointRule("amenity", ["drinking_water"], .drinkingWater),
    PointRule("amenity", ["water_point"], .waterPoint),
    PointRule("man_made", ["water_well"], .waterWell),
    PointRule("man_made", ["water_tap"], .waterTap),
    PointRule("tourism", ["camp_site"], .campsite),
    PointRule("amenity", ["restaurant"], .restaurant),
    PointRule("amenity", ["cafe"], .cafe),
    PointRule("amenity", ["biergarten"], .beerGarden),
    PointRule("amenity", ["pub"], .pub),
    PointRule("amenity", ["bar"], .bar),
    PointRule("amenity", ["fast_food"], .fastFood),
    PointRule("amenity", ["food_court"], .foodCourt),
    PointRule("amenity", ["ice_cream"], .iceCream),
    PointRule("shop", ["convenience", "general", "supermarket"], .supermarket),
    PointRule("shop", ["bakery", "pastry"], .bakery),
    PointRule("shop", ["farm"], .farmShop),
    PointRule("shop", ["kiosk"], .kiosk),
    PointRule(
      "shop", ["butcher", "cheese", "dairy", "deli", "food", "greengrocer"], .foodShop),
    PointRule("emergency", ["mountain_rescue"], .mountainRescue),
    PointRule("amenity", ["hospital"], .hospital),
    PointRule("amenity", ["pharmacy"], .pharmacy),
    PointRule("amenity", ["clinic", "doctors"], .doctor),
    PointRule("tourism", ["hotel", "motel"], .hotel),
    PointRule("tourism", ["hostel"], .hostel),
    PointRule("tourism", ["apartment", "chalet", "guest_house"], .guestHouse),
    PointRule("railway", ["station"], .railwayStation),
    PointRule("railway", ["halt"], .railwayHalt),
    PointRule("railway", ["tram_stop"], .tramStop),
    // What kind of lift a station is of, its line says, whose value it gets.
    PointRule("aerialway", ["chair_lift", "mixed_lift"], .chairLift),
    PointRule(
      "aerialway",
      ["drag_lift", "j-bar", "magic_carpet", "platter", "rope_tow", "t-bar", "zip_line"],
      .dragLift),
    PointRule("aerialway", ["cable_car", "gondola", "station"], .cableCarStation),
    PointRule("amenity", ["ferry_terminal"], .ferryTerminal),
    PointRule("amenity", ["bus_station"], .busStation),
    PointRule("highway", ["bus_stop"], .busStop),
    PointRule("amenity", ["shelter"], .shelter),
    PointRule("tourism", ["viewpoint"], .viewpoint),
    PointRule("information", ["guidepost"], .guidepost),
    PointRule("information", ["route_marker", "trail_blaze"], .routeMarker),
    PointRule("information", ["map"], .map),
    PointRule("information", ["board"], .informationBoard),
    PointRule("information", ["office", "visitor_centre"], .visitorCentre),
    PointRule("tourism", ["information"], .information),
    PointRule("emergency", ["phone"], .emergencyPhone),
    PointRule("emergency", ["defibrillator"], .defibrillator),
    PointRule("natural", ["cave_entrance"], .cave),
    PointRule("natural", ["hot_spring"], .hotSpring),
    PointRule("waterway", ["waterfall"], .waterfall),
    PointRule("amenity", ["place_of_worship"], .church),
    PointRule("historic", ["castle", "fort"], .castle),
    PointRule("tourism", ["museum"], .museum),
    PointRule("historic", ["archaeological_site", "memorial", "monument", "ruins"], .monument),
    PointRule("natural", ["water"], .lake),
    PointRule("natural", ["glacier"], .glacier),
    PointRule("natural", ["valley"], .valley),
    PointRule("natural", ["arete", "ridge"], .ridge),
    PointRule("tourism", ["picnic_site"], .picnicSite),
    PointRule("amenity", ["parking"], .parking),
    PointRule("amenity", ["toilets"], .toilets),
    PointRule("amenity", ["telephone"], .telephone),
    PointRule("place", ["city"], .city),
    PointRule("place", ["town"], .town),
    PointRule("place", ["village"], .village),
    PointRule("place", ["hamlet"], .hamlet),
    PointRule("place", ["farm", "isolated_dwelling"], .dwelling),
    PointRule("place", ["borough", "neighbourhood", "quarter", "suburb"], .district),
    // Fountains and whatever else gives water, unless it is more than that.
    PointRule("drinking_water", ["yes"], .drinkingWater),
    PointRule("place", [], .locality),
  ]
}
