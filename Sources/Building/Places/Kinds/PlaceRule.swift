// SPDX-License-Identifier: Apache-2.0
import TagRules

/// A tag that makes a point of interest a place of a kind.
package struct PlaceRule: Equatable, Sendable {
  /// The key of the tag.
  package let key: String
  /// Its values, any of which suffices.
  package let values: [String]
  /// What the tag says that the place is.
  package let kind: PlaceKind

  /// The label of its kind.
  let label: String
  /// The position of its kind among all kinds.
  let kindNumber: Int

  private init(_ key: String, _ values: [String], _ kind: PlaceKind) {
    self.key = key
    self.values = values
    self.kind = kind
    label = kind.label
    kindNumber = PlaceKind.allCases.firstIndex(of: kind) ?? 0
  }

  /// All rules; where several hold, the first one decides. Points of interest for which none holds
  /// are no places: localities, for example, which only a search needs.
  package static let all: [PlaceRule] = [
    PlaceRule("tourism", ["alpine_hut"], .mountainHut),
    PlaceRule("tourism", ["wilderness_hut"], .wildernessHut),
    PlaceRule("natural", ["peak"], .peak),
    PlaceRule("natural", ["volcano"], .volcano),
    PlaceRule("natural", ["saddle"], .pass),
    PlaceRule("mountain_pass", ["yes"], .pass),
    PlaceRule("natural", ["sinkhole"], .sinkhole),
    PlaceRule("natural", ["crevasse"], .crevasse),
    PlaceRule("military", ["danger_area"], .dangerArea),
    PlaceRule("military", ["range"], .shootingRange),
    PlaceRule("hazard", TagSelection.dangers.sorted(), .hazard),
    PlaceRule("natural", ["spring"], .spring),
    PlaceRule("amenity", ["drinking_water"], .drinkingWater),
    PlaceRule("amenity", ["water_point"], .waterPoint),
    PlaceRule("man_made", ["water_well"], .waterWell),
    PlaceRule("man_made", ["water_tap"], .waterTap),
    PlaceRule("tourism", ["camp_site"], .campsite),
    PlaceRule("amenity", ["restaurant"], .restaurant),
    PlaceRule("amenity", ["cafe"], .cafe),
    PlaceRule("amenity", ["biergarten"], .beerGarden),
    PlaceRule("amenity", ["pub"], .pub),
    PlaceRule("amenity", ["bar"], .bar),
    PlaceRule("amenity", ["fast_food"], .fastFood),
    PlaceRule("amenity", ["food_court"], .foodCourt),
    PlaceRule("amenity", ["ice_cream"], .iceCream),
    PlaceRule("shop", ["convenience", "general", "supermarket"], .supermarket),
    PlaceRule("shop", ["bakery", "pastry"], .bakery),
    PlaceRule("shop", ["farm"], .farmShop),
    PlaceRule("shop", ["kiosk"], .kiosk),
    PlaceRule(
      "shop", ["butcher", "cheese", "dairy", "deli", "food", "greengrocer"], .foodShop),
    PlaceRule("railway", ["station"], .railwayStation),
    PlaceRule("railway", ["halt"], .railwayHalt),
    PlaceRule("railway", ["tram_stop"], .tramStop),
    PlaceRule("aerialway", ["station"], .cableCarStation),
    PlaceRule("amenity", ["ferry_terminal"], .ferryTerminal),
    PlaceRule("amenity", ["bus_station"], .busStation),
    PlaceRule("highway", ["bus_stop"], .busStop),
    PlaceRule("amenity", ["shelter"], .shelter),
    PlaceRule("tourism", ["viewpoint"], .viewpoint),
    PlaceRule("information", ["guidepost"], .guidepost),
    PlaceRule("information", ["route_marker", "trail_blaze"], .routeMarker),
    PlaceRule("information", ["map"], .map),
    PlaceRule("information", ["board"], .informationBoard),
    PlaceRule("information", ["office", "visitor_centre"], .visitorCentre),
    PlaceRule("tourism", ["information"], .information),
    PlaceRule("natural", ["cave_entrance"], .cave),
    PlaceRule("tourism", ["picnic_site"], .picnicSite),
    PlaceRule("amenity", ["parking"], .parking),
    PlaceRule("amenity", ["toilets"], .toilets),
    PlaceRule("place", ["city"], .city),
    PlaceRule("place", ["town"], .town),
    PlaceRule("place", ["village"], .village),
    PlaceRule("place", ["hamlet"], .hamlet),
    PlaceRule("place", ["farm", "isolated_dwelling"], .dwelling),
    PlaceRule("place", ["borough", "neighbourhood", "quarter", "suburb"], .district),
    // Fountains and whatever else gives water, unless it is more than that.
    PlaceRule("drinking_water", ["yes"], .drinkingWater),
  ]
}
