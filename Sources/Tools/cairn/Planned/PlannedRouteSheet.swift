// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import GPX
import Geodesy
import Guidance
import RoutingDatabase

/// A planned route as text: totals, then one line per instruction.
struct PlannedRouteSheet {
  let route: PlannedRoute

  init(_ route: PlannedRoute) { self.route = route }

  var text: String {
    let climb =
      "\(metres(route.elevationGain)) up, \(metres(route.elevationLoss)) down"
    let time = duration(route.estimatedDuration)
    let totals = [
      kilometres(route.totalDistance), route.isClimbKnown ? climb : "climb unknown",
      route.isClimbKnown ? time : time + " without climb", route.mode.rawValue,
    ]
    let head = "\(printable(route.name))\n\(totals.joined(separator: ", "))\n\n"
    let rows = route.turnInstructions.map {
      [kilometres($0.cumulativeDistance), printable($0.description)]
    }
    return head + TextTable([.right, .left], rows: rows).text
  }
}

extension PlannedRoute {
  /// Whether gain and loss say anything; otherwise they are 0 because nothing is known.
  var isClimbKnown: Bool {
    guard let unknownClimbMetres else {
      // In files of earlier versions.
      return elevationProfile != nil || elevationGain > 0 || elevationLoss > 0
    }
    return unknownClimbMetres < totalDistance || elevationProfile != nil
  }
  var knownGain: Double? { isClimbKnown ? elevationGain : nil }
  var knownLoss: Double? { isClimbKnown ? elevationLoss : nil }

  /// A GPX track with elevations from the elevation profile.
  var gpx: String {
    var elevations = ElevationReader(elevationProfile ?? [])
    var travelled = 0.0
    var last: Coordinate?
    let points = coordinates.map { coordinate in
      if let last { travelled += haversineDistance(last, coordinate) }
      last = coordinate
      return GPXFile.Point(
        coordinate: coordinate, elevation: elevations.elevation(at: travelled))
    }
    return gpxText(creator: "cairn \(cairnVersion)", tracks: [.init(name: name, segments: [points])])
  }

  private struct Properties: Encodable {
    var name: String
    var mode: String
    var totalDistance: Double
    var estimatedDuration: Double
    var durationWithoutClimb: Bool
    var elevationGain: Nullable<Double>
    var elevationLoss: Nullable<Double>
  }

  /// A GeoJSON Feature.
  func geoJSON() throws(CairnError) -> String {
    let feature = LineFeature(
      coordinates,
      Properties(
        name: name, mode: mode.rawValue, totalDistance: totalDistance,
        estimatedDuration: estimatedDuration,
        durationWithoutClimb: !isClimbKnown || (unknownClimbMetres ?? 0) > 0,
        elevationGain: Nullable(knownGain), elevationLoss: Nullable(knownLoss)))
    return String(decoding: try encodeJSON(feature), as: UTF8.self)
  }
}

/// Reads an elevation profile from start to end.
private struct ElevationReader {
  private let points: [PlannedRoute.ElevationPoint]
  private var index = 0

  init(_ points: [PlannedRoute.ElevationPoint]) { self.points = points }

  /// The elevation at a distance, which must not decrease from call to call; nil for an empty
  /// profile.
  mutating func elevation(at distance: Double) -> Double? {
    while index + 1 < points.count, points[index + 1].distance < distance { index += 1 }
    guard index + 1 < points.count else { return points.last?.elevation }
    let (first, second) = (points[index], points[index + 1])
    let length = second.distance - first.distance
    guard length > 0 else { return second.elevation }
    let share = min(1, max(0, (distance - first.distance) / length))
    return first.elevation + share * (second.elevation - first.elevation)
  }
}
