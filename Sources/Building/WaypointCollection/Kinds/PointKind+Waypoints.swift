// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import CairnWaypoints

extension PointKind {
  /// The label of a waypoint without a name, and the first line of the note of one that has one.
  package var label: String {
    switch self {
    case .cafe: "Café"
    case .map: "Map"
    case .district: "District"
    default:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst().replacing("-", with: " ")
    }
  }

  /// Whether there are waypoints of this kind.
  package var isWaypoint: Bool {
    switch self {
    case .locality, .valley, .ridge, .glacier, .church, .castle, .monument, .museum: false
    default: true
    }
  }

  /// The category of its waypoints.
  package var category: WaypointCategory {
    switch self {
    case .mountainHut, .wildernessHut, .shelter, .hotel, .hostel, .guestHouse: .shelter
    case .campsite: .campsite
    case .peak, .volcano, .pass, .viewpoint, .lake, .waterfall: .viewpoint
    case .spring, .drinkingWater, .waterWell, .waterPoint, .waterTap: .waterSource
    case .restaurant, .cafe, .bar, .pub, .fastFood, .beerGarden, .foodCourt, .iceCream,
      .supermarket, .bakery, .foodShop, .farmShop, .kiosk:
      .food
    case .hazard, .dangerArea, .shootingRange, .sinkhole, .crevasse: .danger
    case .parking: .parking
    case .guidepost, .routeMarker, .map, .informationBoard: .trailMarker
    case .railwayStation, .railwayHalt, .tramStop, .busStation, .busStop, .cableCarStation,
      .chairLift, .dragLift, .ferryTerminal, .visitorCentre, .information, .cave, .picnicSite,
      .toilets, .city, .town, .village, .hamlet, .dwelling, .district, .locality, .hotSpring,
      .glacier, .valley, .ridge, .pharmacy, .doctor, .hospital, .emergencyPhone, .defibrillator,
      .mountainRescue, .telephone, .church, .castle, .monument, .museum:
      .custom
    }
  }
}
