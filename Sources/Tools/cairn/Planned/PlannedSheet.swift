// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import GPX
import Geodesy
import Guidance
import RoutingDatabase

/// A planned route for reading: totals, then a line for each instruction.
struct PlannedSheet {
  let route: PlannedRoute

  init(_ route: PlannedRoute) { self.route = route }

  var text: String {
    let climb =
      "\(metres(route.elevationGain)) up, \(metres(route.elevationLoss)) down"
    let totals = [
      kilometres(route.totalDistance),
      route.elevationProfile == nil ? "climb unknown" : climb, duration(route.estimatedDuration),
      route.mode.rawValue,
    ]
    let head = "\(printable(route.name))\n\(totals.joined(separator: ", "))\n\n"
    let rows = route.turnInstructions.map {
      [kilometres($0.cumulativeDistance), printable($0.description)]
    }
    return head + TextTable([.right, .left], rows: rows).text
  }
}

extension PlannedRoute {
  /// A GPX track with the heights of the elevation profile.
  var gpx: String {
    var heights = HeightReader(elevationProfile ?? [])
    var travelled = 0.0
    var last: Coordinate?
    let points = coordinates.map { place in
      if let last { travelled += haversineDistance(last, place) }
      last = place
      return GPXFile.Point(coordinate: place, elevation: heights.elevation(at: travelled))
    }
    return gpxText(
      creator: "cairn \(cairnVersion)", tracks: [.init(name: name, pieces: [points])])
  }

  private struct Properties: Encodable {
    var name: String
    var mode: String
    var totalDistance: Double
    var estimatedDuration: Double
    var elevationGain: Double
    var elevationLoss: Double
  }

  /// A GeoJSON Feature.
  func geoJSON() throws(CairnError) -> String {
    let feature = LineFeature(
      coordinates,
      Properties(
        name: name, mode: mode.rawValue, totalDistance: totalDistance,
        estimatedDuration: estimatedDuration, elevationGain: elevationGain,
        elevationLoss: elevationLoss))
    return String(decoding: try encodeJSON(feature), as: UTF8.self)
  }
}

/// Reads an elevation profile from start to end.
private struct HeightReader {
  private let points: [PlannedRoute.ElevationPoint]
  private var place = 0

  init(_ points: [PlannedRoute.ElevationPoint]) { self.points = points }

  /// The elevation at a distance, not less than that of the call before; nil beyond the profile.
  mutating func elevation(at distance: Double) -> Double? {
    while place + 1 < points.count, points[place + 1].distance < distance { place += 1 }
    guard place + 1 < points.count else { return points.last?.elevation }
    let (first, second) = (points[place], points[place + 1])
    let length = second.distance - first.distance
    guard length > 0 else { return second.elevation }
    let share = min(1, max(0, (distance - first.distance) / length))
    return first.elevation + share * (second.elevation - first.elevation)
  }
}
