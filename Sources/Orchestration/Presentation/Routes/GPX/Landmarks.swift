// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy
import CairnPlaceDatabase
import CairnSearch

/// Huts, summits and passes on a route.
package enum Landmarks {
  /// How far off the line they may lie: ways end before the door, and pass below the top.
  private static let kinds: KeyValuePairs<PlaceKind, Double> = [.hut: 100, .peak: 50, .saddle: 50]

  /// Those on a line, in the order along it. Throws the errors of the database.
  package static func along(_ line: [Coordinate], _ places: SearchSet) throws(SearchError)
    -> [SearchResult]
  {
    var found: [SearchResult] = []
    for (kind, metres) in kinds { found += try places.all(kind, along: line, within: metres) }
    return found.sorted { ($0.position ?? 0, $0.id) < ($1.position ?? 0, $1.id) }
  }
}

extension FoundRoute {
  /// The route with huts, summits and passes on it, for its GPX file.
  package func withLandmarks(_ places: SearchSet) throws(SearchError) -> FoundRoute {
    var found = self
    found.landmarks = try Landmarks.along(route.coordinates, places)
    return found
  }
}

extension SearchResult {
  /// It as a waypoint of a GPX file.
  package var gpxPoint: GPXFile.Point {
    var point = GPXFile.Point(routeCoordinate: coordinate, elevation: elevation)
    point.name = title
    var details = GPXFile.Point.Details()
    details.symbol = kind == .hut ? "Lodge" : "Summit"
    details.type = kind.label
    point.details = details
    return point
  }
}
