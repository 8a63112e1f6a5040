// SPDX-License-Identifier: Apache-2.0

/// What a point of interest is, see ``PointRule``. The category of a waypoint and the kind of place that
/// a search finds both follow from it.
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
  /// A named area without inhabitants, which only a search needs.
  case locality

}
