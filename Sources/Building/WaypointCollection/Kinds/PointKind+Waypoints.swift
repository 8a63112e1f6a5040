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
  package var isWaypoint: Bool { self != .locality }

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
      .village, .hamlet, .dwelling, .district, .locality:
      .custom
    }
  }

  /// Whether its waypoints are water.
  var isWater: Bool { if case .waterSource = category { true } else { false } }

  /// Whether it is of no use to somebody who may not enter it.
  var isForVisitors: Bool {
    switch category {
    case .waterSource, .food, .campsite, .parking, .shelter: true
    default: self == .toilets || self == .picnicSite
    }
  }
}
