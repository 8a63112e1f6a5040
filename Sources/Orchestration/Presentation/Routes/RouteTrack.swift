// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnGPX
import CairnGeodesy
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import FoundationEssentials

/// A route as a track of a GPX file, with information from the database.
struct RouteTrack {
  /// Every point has an elevation if the elevation profile of the route is known.
  let points: [GPXFile.Point]
  /// The time of the map data, if the database states it.
  let dataTime: Date?
  /// A waypoint for each warning.
  let waypoints: [GPXFile.Point]

  init(_ route: ComputedRoute, _ store: RoutingStore) throws(RoutingError) {
    let profile = try RoutingEngine(store: store).elevationProfile(of: route)
    points = zip(route.coordinates, profile.elevations(along: route)).map {
      GPXFile.Point(routeCoordinate: $0, elevation: $1)
    }
    dataTime = try store.metadata()[RoutingMetadataKey.osmDataDate].flatMap { parsedTimestamp($0) }
    waypoints = route.warnings.waypoints(
      along: route.coordinates, lengthMetres: route.totalDistance)
  }

  /// Routes as a GPX file with a track each.
  ///
  /// - Parameter name: The name of the file and of its only track; several are named after their
  ///   title.
  static func gpx(_ routes: [FoundRoute], name: String?) -> String {
    let title = routes.first?.title
    let routes = FoundRoute.titled(routes, name)
    let tracks = routes.compactMap(\.track)
    var file = GPXFile()
    file.name = name ?? title
    file.time = tracks.first?.dataTime
    file.metadata.copyright = .openStreetMap
    // Several routes may share one.
    for waypoint in tracks.flatMap(\.waypoints) where !file.waypoints.contains(waypoint) {
      file.waypoints.append(waypoint)
    }
    file.tracks = routes.compactMap { route in
      route.track.map { GPXFile.Line(name: route.title, segments: [$0.points]) }
    }
    file.setBounds()
    return GPXExporter.text(file, creator: "cairn \(cairnVersion)")
  }
}

extension GPXFile.Point {
  /// A point of a route: to a centimetre, and its elevation to a tenth of a metre.
  init(routeCoordinate coordinate: Coordinate, elevation: Double?) {
    self.init(
      coordinate: FixedCoordinate(coordinate)?.degrees ?? coordinate,
      elevation: elevation.map(tenths))
  }
}
