// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The first zoom of each object; docs/tiles.md has the same table.
package enum ZoomRules {
  /// The default zooms.
  package static let standardZooms = 8...14
  /// The possible zooms.
  package static let possibleZooms = 5...16

  /// The first zoom of ways by their `highway`; of all others, ``otherWays``.
  static let ways: [(zoom: Int, highways: [String])] = [
    (8, ["trunk", "primary"]),
    (9, ["secondary"]),
    (10, ["trunk_link", "primary_link", "tertiary"]),
    (11, ["secondary_link", "via_ferrata"]),
    (
      12,
      ["bridleway", "cycleway", "path", "road", "tertiary_link", "track", "unclassified", ferry]
    ),
    (13, ["footway", "ladder", "living_street", "pedestrian", "residential", "service", "steps"]),
  ]
  static let otherWays = 14
  /// The value of ferries in place of `highway`.
  static let ferry = "ferry"

  /// The first zoom of waymarked routes and of the ways that they follow.
  static func route(_ reach: RouteNetworks.Reach) -> Int {
    switch reach {
    case .international, .national: 8
    case .regional: 10
    case .local: 11
    case .any: 12
    }
  }

  /// The first zoom of points of interest by their kind; of all others, ``otherPoints``.
  static func point(_ kind: PointKind) -> Int {
    switch kind {
    case .city: 8
    case .town: 9
    case .mountainHut: 10
    case .village, .volcano: 11
    case .peak, .pass, .wildernessHut, .campsite, .hamlet, .railwayStation, .ferryTerminal: 12
    case .shelter, .viewpoint, .spring, .drinkingWater, .waterPoint, .waterTap, .waterWell, .cave,
      .cableCarStation, .railwayHalt, .visitorCentre, .dwelling, .district, .locality:
      13
    default: otherPoints
    }
  }
  static let otherPoints = 14

  /// The distance that a line may have from its way, in units of a tile's grid of 4096: at most
  /// half a pixel if a tile has 512.
  static func tolerance(zoom: Int) -> Double {
    switch zoom {
    case 14...: 2
    case 13: 3
    default: 4
    }
  }

  /// Below the highest zoom, dead ends smaller than this in both directions are left out: two
  /// pixels.
  static let smallestUnits: Int32 = 16
  /// The length of lines beyond the border of their tile, in units of its grid.
  static let buffer: Int32 = 64
}
