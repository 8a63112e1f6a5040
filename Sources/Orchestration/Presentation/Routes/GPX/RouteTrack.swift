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
  /// The points that the line needs. Each has an elevation if the elevation profile of the route is
  /// known, and a time if its departure is.
  let points: [GPXFile.Point]
  /// The time of the map data, if the database states it.
  let dataTime: Date?
  /// A waypoint for each warning.
  var waypoints: [GPXFile.Point]

  init(_ route: ComputedRoute, _ store: RoutingStore) throws(RoutingError) {
    let profile = try RoutingEngine(store: store).elevationProfile(of: route)
    let distances = route.nodeDistances
    points = RouteLine.points(
      profile.line(along: route), profile.points, keeping: route.viaNodes.map { distances[$0] },
      time: route.timetable)
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
    let waypoints = routes.flatMap { $0.landmarks.map(\.gpxPoint) + ($0.track?.waypoints ?? []) }
    for waypoint in waypoints where !file.waypoints.contains(waypoint) {
      file.waypoints.append(waypoint)
    }
    file.tracks = routes.compactMap { route in
      route.track.map { GPXFile.Line(name: route.title, segments: [$0.points]) }
    }
    file.setBounds()
    return GPXExporter.text(file, creator: "cairn \(cairnVersion)")
  }
}

extension ComputedRoute {
  /// The time at a position in metres; nil without a departure, or without known times.
  fileprivate var timetable: ((Double) -> Date)? {
    guard let start = coordinates.first, let departure = day?.departureSeconds(at: start),
      estimatedDuration.isFinite
    else { return nil }
    let distances = nodeDistances
    var seconds = [0.0]
    for edge in edges {
      let share = totalDistance > 0 ? edge.distance / totalDistance : 0
      seconds.append((seconds.last ?? 0) + (edge.duration ?? share * estimatedDuration))
    }
    return { metres in
      let next = max(1, distances.firstIndex { $0 >= metres } ?? distances.count - 1)
      guard next < distances.count else { return Date(timeIntervalSince1970: departure) }
      let length = distances[next] - distances[next - 1]
      let share = length > 0 ? min((metres - distances[next - 1]) / length, 1) : 1
      let passed = seconds[next - 1] + share * (seconds[next] - seconds[next - 1])
      return Date(timeIntervalSince1970: departure + passed)
    }
  }

  /// Metres from the start to each node.
  fileprivate var nodeDistances: [Double] {
    var distances = [0.0]
    for edge in edges { distances.append((distances.last ?? 0) + edge.distance) }
    return distances
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
