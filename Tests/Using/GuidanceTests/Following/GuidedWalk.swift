// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnTracks
import Foundation

@testable import CairnGuidance

/// A way drawn by metres: `"E200 N15 W200"` leads 200 m east, 15 m north and 200 m west.
struct Drawing {
  static let origin = Coordinate(latitude: 47, longitude: 10)

  /// The corners in metres east and north of the origin.
  private(set) var corners: [(east: Double, north: Double)]

  init(_ moves: String, from start: (east: Double, north: Double) = (0, 0)) {
    corners = [start]
    for move in moves.split(separator: " ") {
      let metres = Double(move.dropFirst()) ?? 0
      var (east, north) = corners[corners.count - 1]
      switch move.first {
      case "E": east += metres
      case "W": east -= metres
      case "N": north += metres
      default: north -= metres
      }
      corners.append((east, north))
    }
  }

  static func coordinate(
    _ place: (east: Double, north: Double), origin: Coordinate = Drawing.origin
  ) -> Coordinate {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    return Coordinate(
      latitude: origin.latitude + place.north / metresPerDegree,
      longitude: origin.longitude + place.east / metresPerDegree
        / longitudeShrinking(atLatitude: origin.latitude))
  }

  /// A point at least every so many metres.
  func line(every spacing: Double = 10) -> [Coordinate] {
    var line = [Self.coordinate(corners[0])]
    for (one, other) in zip(corners, corners.dropFirst()) {
      let length = hypot(other.east - one.east, other.north - one.north)
      let pieces = max(1, Int((length / spacing).rounded(.up)))
      for piece in 1...pieces {
        let share = Double(piece) / Double(pieces)
        line.append(
          Self.coordinate(
            (
              one.east + share * (other.east - one.east),
              one.north + share * (other.north - one.north)
            )))
      }
    }
    return line
  }

  /// The route along it, with an arrival and a turn at each of these metres.
  func route(turns: [Double] = []) -> PlannedRoute {
    let line = line()
    guard
      var route = PlannedRoute(
        line: line.map { PlannedRoute.LinePoint(coordinate: $0) }, name: "Drawn", mode: .hiking),
      let prepared = RouteLine(route)
    else { preconditionFailure("a drawing has a point") }
    func instruction(_ direction: TurnDirection, _ metres: Double, _ place: Coordinate)
      -> TurnInstruction
    {
      TurnInstruction(
        coordinate: place, direction: direction, bearing: 0, distanceFromPrevious: 0,
        cumulativeDistance: metres, trailName: nil, description: "\(direction)")
    }
    route.turnInstructions =
      [instruction(.start, 0, line[0])]
      + turns.map {
        instruction(.left, $0, prepared.routePosition(prepared.position(at: $0)).coordinate)
      } + [instruction(.arrive, route.totalDistance, line[line.count - 1])]
    return route
  }
}

/// Somebody who walks and is guided, with what was said.
struct GuidedWalk {
  var guidance: RouteGuidance
  var accuracy: Double? = 5
  /// Fixes are off by up to this, at random, in metres.
  var shake = 0.0
  var speed = 1.2
  var interval = 1.0
  private(set) var events: [GuidanceEvent] = []
  private(set) var place: (east: Double, north: Double)
  private(set) var time = Date(timeIntervalSince1970: 1_750_000_000)
  private var random = SplitMix64(seed: 7)

  init(
    _ route: PlannedRoute, from start: (east: Double, north: Double) = (0, 0),
    config: RouteGuidanceConfig = .init()
  ) {
    guidance = RouteGuidance(config: config)
    guidance.start(route: route)
    place = start
  }

  /// What was said.
  var said: [GuidanceEvent.Kind] { events.map(\.kind) }
  /// The turns that were tapped.
  var taps: [Int] {
    said.compactMap { if case .atTurn(let index) = $0 { index } else { nil } }
  }
  var warnings: [Int] {
    said.compactMap { if case .approaching(let index) = $0 { index } else { nil } }
  }
  /// All but turns.
  var states: [GuidanceEvent.Kind] {
    said.filter {
      switch $0 {
      case .approaching, .atTurn, .atFollowingTurn: false
      default: true
      }
    }
  }

  mutating func hear(jump: (east: Double, north: Double) = (0, 0)) {
    let east = place.east + jump.east + shake * (2 * random.nextShare() - 1)
    let north = place.north + jump.north + shake * (2 * random.nextShare() - 1)
    let heard = Drawing.coordinate((east, north))
    events += guidance.updateLocation(
      LocationFix(
        latitude: heard.latitude, longitude: heard.longitude, horizontalAccuracy: accuracy,
        timestamp: time))
    time += interval
  }

  /// Walks, with a fix at the beginning and then at each interval, or without any.
  mutating func walk(_ moves: String, isHeard: Bool = true) {
    let way = Drawing(moves, from: place)
    for (one, other) in zip(way.corners, way.corners.dropFirst()) {
      let length = hypot(other.east - one.east, other.north - one.north)
      var walked = 0.0
      while walked < length {
        let share = walked / length
        place = (
          one.east + share * (other.east - one.east), one.north + share * (other.north - one.north)
        )
        if isHeard { hear() } else { time += interval }
        walked += speed * interval
      }
      place = other
    }
  }

  mutating func stay(_ seconds: Double, jump: (east: Double, north: Double) = (0, 0)) {
    for _ in 0..<Int(seconds / interval) { hear(jump: jump) }
  }
}
