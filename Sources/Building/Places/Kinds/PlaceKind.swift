// SPDX-License-Identifier: Apache-2.0
import Waypoints

/// What a place is. The raw value is the kind in `waypoint_kinds`.
package enum PlaceKind: String, CaseIterable, Sendable {
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
  case city
  case town
  case village
  case hamlet
  case dwelling
  case district

  /// The label of a place without a name, and the first line of the note of one that has one.
  package var label: String {
    switch self {
    case .cafe: "Café"
    case .map: "Map"
    case .district: "District"
    default:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("-", with: " ")
    }
  }

  /// The category of its waypoints.
  package var category: WaypointCategory {
    switch self {
    case .mountainHut, .wildernessHut, .shelter: .shelter
    case .campsite: .campsite
    case .peak, .volcano, .pass, .viewpoint: .viewpoint
    case .spring, .drinkingWater, .waterWell, .waterPoint, .waterTap: .waterSource
    case .restaurant, .cafe, .bar, .pub, .fastFood, .beerGarden, .foodCourt, .iceCream,
      .supermarket, .bakery, .foodShop, .farmShop, .kiosk:
      .food
    case .hazard, .dangerArea, .shootingRange, .sinkhole, .crevasse: .danger
    case .parking: .parking
    case .guidepost, .routeMarker, .map, .informationBoard: .trailMarker
    case .railwayStation, .railwayHalt, .tramStop, .busStation, .busStop, .cableCarStation,
      .ferryTerminal, .visitorCentre, .information, .cave, .picnicSite, .toilets, .city, .town,
      .village, .hamlet, .dwelling, .district:
      .custom
    }
  }

  /// Whether it is of no use to somebody who may not enter it.
  var isForVisitors: Bool {
    switch category {
    case .waterSource, .food, .campsite, .parking, .shelter: true
    default: self == .toilets || self == .picnicSite
    }
  }
}
