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
    case .chairLift, .dragLift: .lift
    case .cave: .cave
    case .picnicSite: .picnicSite
    case .toilets: .toilets
    case .city, .town, .village, .hamlet, .dwelling, .district: .settlement
    case .locality: .locality
    case .lake: .lake
    case .waterfall: .waterfall
    case .glacier: .glacier
    case .valley: .valley
    case .ridge: .ridge
    case .hotel, .hostel, .guestHouse: .lodging
    case .pharmacy, .doctor, .hospital: .health
    case .emergencyPhone, .defibrillator, .mountainRescue, .telephone: .rescue
    case .church: .church
    case .castle, .monument: .monument
    case .museum: .museum
    case .hotSpring: .other
    }
  }

  /// A more specific type; nil if its kind says it all.
  var placeDetail: PlaceDetail? {
    switch self {
    case .spring: .spring
    case .drinkingWater, .waterWell, .waterPoint, .waterTap: .drinkingWater
    case .supermarket, .bakery, .foodShop, .farmShop, .kiosk: .foodShop
    case .restaurant, .fastFood, .foodCourt: .restaurant
    case .cafe, .bar, .pub, .beerGarden, .iceCream: .cafe
    case .pharmacy: .pharmacy
    case .doctor: .doctor
    case .hospital: .hospital
    case .railwayStation, .railwayHalt: .railwayStation
    case .tramStop: .tramStop
    case .busStation, .busStop: .busStop
    case .cableCarStation: .cableCar
    case .ferryTerminal: .ferry
    case .emergencyPhone, .telephone: .telephone
    case .defibrillator: .defibrillator
    case .mountainRescue: .mountainRescue
    case .visitorCentre: .visitorCentre
    default: nil
    }
  }
}
