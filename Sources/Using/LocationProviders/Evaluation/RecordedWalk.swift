// SPDX-License-Identifier: Apache-2.0

import CairnGeodesy
import CairnGuidance

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The announcements of guidance on a recorded walk, judged by the track before and after each.
package struct RecordedWalk: Sendable {
  /// Half of the time over which positions are averaged, in seconds.
  private static let averagedSeconds = 10.0
  /// An alarm is false if the track keeps to the route for this long before and after it.
  private static let keptSeconds = 60.0
  /// A track passes a turn if it comes this close.
  private static let passedMetres = 20.0
  /// A warning closer to the turn than this is late.
  private static let lateMetres = 60.0

  /// The route that it was meant to follow.
  package let route: PlannedRoute
  /// From the first fix to the last.
  package let seconds: Double
  /// Turns of the route that the track came close to, as far along as it got.
  package private(set) var passed = 0
  /// Those announced and those missed by guidance.
  package private(set) var told = 0
  /// See ``told``.
  package private(set) var missed = 0
  /// Announced turns whose warning was late or missing although the previous turn left room for it.
  package private(set) var late = 0
  /// The number of off-route alarms.
  package private(set) var alarms = 0
  /// How often the track kept to the route nevertheless.
  package private(set) var falseAlarms = 0
  /// Whether guidance said that the walker arrived.
  package private(set) var hasArrived = false
  /// How far guidance got, 0…1.
  package private(set) var progress = 0.0

  /// Replays a walk.
  package init(_ fixes: [LocationFix], along route: PlannedRoute, _ config: RouteGuidanceConfig) {
    self.route = route
    let start = fixes.first?.timestamp ?? Date(timeIntervalSince1970: 0)
    seconds = (fixes.last?.timestamp ?? start).timeIntervalSince(start)
    var guidance = RouteGuidance(config: config)
    guidance.start(route: route)
    var events: [GuidanceEvent] = []
    var farthest = 0.0
    for fix in fixes {
      events += guidance.updateLocation(fix)
      if !guidance.isOffRoute {
        farthest = max(farthest, guidance.position?.distanceAlongRoute ?? 0)
      }
    }
    hasArrived = guidance.hasArrived
    progress = guidance.progress
    let track = Self.averaged(fixes)
    judgeTurns(events, track, farthest: farthest, config)
    for event in events where event.kind == .offRoute {
      alarms += 1
      let around = track.filter { abs($0.time.timeIntervalSince(event.time)) <= Self.keptSeconds }
      let keepsToRoute = around.allSatisfy { point in
        guidance.closestPointOnRoute(to: point.coordinate).map {
          $0.distanceFromRoute <= config.offRouteClearThresholdMetres
        } ?? false
      }
      if keepsToRoute { falseAlarms += 1 }
    }
  }

  private mutating func judgeTurns(
    _ events: [GuidanceEvent], _ track: [(time: Date, coordinate: Coordinate)], farthest: Double,
    _ config: RouteGuidanceConfig
  ) {
    var last = 0.0
    for (index, turn) in route.turnInstructions.enumerated() {
      defer { last = turn.cumulativeDistance }
      guard turn.direction != .start, turn.direction != .arrive,
        turn.cumulativeDistance <= farthest - config.atTurnDistanceMetres,
        track.contains(where: {
          haversineDistance($0.coordinate, turn.coordinate) <= Self.passedMetres
        })
      else { continue }
      passed += 1
      guard events.contains(where: { $0.kind == .atTurn(instruction: index) }) else {
        missed += 1
        continue
      }
      told += 1
      guard turn.cumulativeDistance - last >= config.approachingTurnDistanceMetres else { continue }
      let warning = events.first { $0.kind == .approaching(instruction: index) }
      let ahead = warning.map { turn.cumulativeDistance - $0.distanceAlongRoute } ?? 0
      if ahead < Self.lateMetres { late += 1 }
    }
  }

  /// The distance within which a track follows a route.
  private static let nearMetres = 40.0
  /// A track belongs to a route that it follows for this share of its length.
  private static let followedShare = 0.5
  /// The most fixes that are looked at to find the route of a track.
  private static let probes = 200

  /// The route of a track: the one with the name or id in `file`, otherwise the one that most fixes
  /// are near; nil if fewer than half are near any.
  ///
  /// - Parameter file: The name of its file, whose part before the first dot may name a route.
  package static func route(of file: String, _ fixes: [LocationFix], among routes: [PlannedRoute])
    -> PlannedRoute?
  {
    let stem = file.prefix { $0 != "." }
    if let named = routes.first(where: {
      $0.name == stem || $0.id.uuidString.lowercased() == stem.lowercased()
    }) {
      return named
    }
    let step = max(1, fixes.count / probes)
    let sample = stride(from: 0, to: fixes.count, by: step).map { fixes[$0] }
    var best: (share: Double, route: PlannedRoute)?
    for route in routes {
      var guidance = RouteGuidance()
      guidance.start(route: route)
      let near = sample.count { fix in
        guidance.closestPointOnRoute(to: fix.coordinate).map { $0.distanceFromRoute <= nearMetres }
          ?? false
      }
      let share = Double(near) / Double(max(sample.count, 1))
      if share >= followedShare, share > best?.share ?? 0 { best = (share, route) }
    }
    return best?.route
  }

  /// The means of the positions around each fix.
  private static func averaged(_ fixes: [LocationFix]) -> [(time: Date, coordinate: Coordinate)] {
    var points: [(time: Date, coordinate: Coordinate)] = []
    var (first, end) = (0, 0)
    for fix in fixes where fix.isValid {
      while first < fixes.count,
        fix.timestamp.timeIntervalSince(fixes[first].timestamp) > averagedSeconds
      {
        first += 1
      }
      end = max(end, first)
      while end < fixes.count,
        fixes[end].timestamp.timeIntervalSince(fix.timestamp) <= averagedSeconds
      {
        end += 1
      }
      let near = fixes[first..<end].filter {
        // The mean of longitudes on both sides of the antimeridian would be far away.
        $0.isValid && abs($0.longitude - fix.longitude) < 1
      }
      guard !near.isEmpty else { continue }
      let count = Double(near.count)
      points.append(
        (
          fix.timestamp,
          Coordinate(
            latitude: near.reduce(0) { $0 + $1.latitude } / count,
            longitude: near.reduce(0) { $0 + $1.longitude } / count)
        ))
    }
    return points
  }
}
