// SPDX-License-Identifier: Apache-2.0

/// The kind of a point of interest, see ``PointRule``. The category of a waypoint and the kind of
/// place in a search both follow from it.
///
/// The raw value is the kind in `waypoint_kinds`.
package enum PointKind: String, CaseIterable, Sendable {
  case mountainHut = "mountain-hut"
  case wildernessHut = "wilderness-hut"
  case shelter
  case campsite
  case peak
  case volcano
  case pass
  case viewpoint
  case spring
  case drinkingWater = "drinking-water"
  case waterWell = "water-well"
  case waterPoint = "water-point"
  case waterTap = "water-tap"
  case restaurant
  case cafe
  case bar
  case pub
  case fastFood = "fast-food"
  case beerGarden = "beer-garden"
  case foodCourt = "food-court"
  case iceCream = "ice-cream"
  case supermarket
  case bakery
  case foodShop = "food-shop"
  case farmShop = "farm-shop"
  case kiosk
  case hazard
  case dangerArea = "danger-area"
  case shootingRange = "shooting-range"
  case sinkhole
  case crevasse
  case railwayStation = "railway-station"
  case railwayHalt = "railway-halt"
  case tramStop = "tram-stop"
  case busStation = "bus-station"
  case busStop = "bus-stop"
  case cableCarStation = "cable-car-station"
  case chairLift = "chair-lift"
  case dragLift = "drag-lift"
  case ferryTerminal = "ferry-terminal"
  case parking
  case guidepost
  case routeMarker = "route-marker"
  case map
  case informationBoard = "information-board"
  case visitorCentre = "visitor-centre"
  case information
  case cave
  case picnicSite = "picnic-site"
  case toilets
  case lake
  case waterfall
  case hotSpring = "hot-spring"
  case glacier
  case valley
  case ridge
  case hotel
  case hostel
  case guestHouse = "guest-house"
  case pharmacy
  case doctor
  case hospital
  case emergencyPhone = "emergency-phone"
  case defibrillator
  case mountainRescue = "mountain-rescue"
  case telephone
  case church
  case castle
  case monument
  case museum
  case city
  case town
  case village
  case hamlet
  case dwelling
  case district
  /// A named area without inhabitants, which only a search needs.
  case locality

  /// Whether it gives water.
  package var isWater: Bool {
    switch self {
    case .spring, .drinkingWater, .waterWell, .waterPoint, .waterTap: true
    default: false
    }
  }

  /// Whether it is a sign or a map next to a way.
  package var isSign: Bool {
    switch self {
    case .guidepost, .routeMarker, .map, .informationBoard: true
    default: false
    }
  }

  /// Whether it is useless to a visitor who may not enter it.
  package var isForVisitors: Bool {
    switch self {
    case .mountainHut, .wildernessHut, .shelter, .campsite, .spring, .drinkingWater, .waterWell,
      .waterPoint, .waterTap, .restaurant, .cafe, .bar, .pub, .fastFood, .beerGarden, .foodCourt,
      .iceCream, .supermarket, .bakery, .foodShop, .farmShop, .kiosk, .parking, .picnicSite,
      .toilets, .hotel, .hostel, .guestHouse:
      true
    default: false
    }
  }

  /// Whether it is of interest only with a name, since there are too many others, or their names
  /// are unknown.
  package var needsName: Bool {
    switch self {
    case .lake, .glacier, .valley, .ridge, .church, .castle, .monument, .museum, .locality: true
    default: false
    }
  }
}
