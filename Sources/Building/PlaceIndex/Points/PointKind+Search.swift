// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase
import CairnTagRules

extension PointKind {
  /// The kind of place that a search finds.
  package var placeKind: PlaceKind {
    switch self {
    case .mountainHut, .wildernessHut: .hut
    case .shelter: .shelter
    case .campsite: .campsite
    case .peak, .volcano: .peak
    case .pass: .saddle
    case .viewpoint: .viewpoint
    case .spring, .drinkingWater, .waterWell, .waterPoint, .waterTap: .water
    case .restaurant, .cafe, .bar, .pub, .fastFood, .beerGarden, .foodCourt, .iceCream,
      .supermarket, .bakery, .foodShop, .farmShop, .kiosk:
      .food
    case .hazard, .dangerArea, .shootingRange, .sinkhole, .crevasse: .danger
    case .railwayStation, .railwayHalt, .tramStop, .busStation, .busStop, .cableCarStation,
      .ferryTerminal:
      .transport
    case .parking: .parking
    case .guidepost, .routeMarker: .guidepost
    case .map, .informationBoard, .visitorCentre, .information: .information
    case .cave: .cave
    case .picnicSite: .picnicSite
    case .toilets: .toilets
    case .city, .town, .village, .hamlet, .dwelling, .district: .settlement
    case .locality: .locality
    }
  }
}
