// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// A way out and home again of about a wanted length.
public struct RoundTrip: Equatable, Sendable {
  /// The route; it ends where it begins and has no via points.
  public var route: ComputedRoute
  /// The length that was wanted, in metres.
  public var wantedMetres: Double
  /// Metres on which it leads where it has been before, in whatever direction.
  public var repeatedMetres: Double

  /// How far it is from the wanted length, as a share of that: 0.1 for 10 % more or less.
  public var deviation: Double { abs(route.totalDistance - wantedMetres) / wantedMetres }

  /// How much of it leads where it has been before, 0…0.5 of its length as a rule.
  public var repeatedShare: Double {
    route.totalDistance > 0 ? repeatedMetres / route.totalDistance : 0
  }

  /// A trip that is as near as this to the wanted length is better than any that is not.
  public static let wantedDeviation = 0.15

  init(route: ComputedRoute, wantedMetres: Double) {
    self.route = route
    self.wantedMetres = wantedMetres
    var seen: [Int64: [ClosedRange<Double>]] = [:]
    repeatedMetres = 0
    for edge in route.edges {
      let whole = edge.part?.wholeDistance ?? edge.distance
      var part = (edge.part?.start ?? 0)...(edge.part?.end ?? 1)
      if edge.isReversed { part = 1 - part.upperBound...1 - part.lowerBound }
      let before = seen[edge.id] ?? []
      repeatedMetres += whole * before.overlap(part)
      seen[edge.id] = (before + [part]).united()
    }
  }

  /// What makes a trip worse than another one: less is better.
  var demerit: Double {
    (deviation > Self.wantedDeviation ? 100 : 0) + deviation + repeatedShare
  }
}

extension RoutingEngine {
  /// Finds ways out and home again of about a wanted length.
  ///
  /// In each of eight directions, chosen by the seed, a circle is laid through the start whose
  /// circumference is the wanted length, less what ways wind. The nodes, or the quarters of
  /// long edges, that can be reached and lie nearest to two or three places of the circle become via
  /// points; routes lead from one to the
  /// next, where edges that are used already are dearer, and paths to a via point and back are cut
  /// off if that is better. Then the circle is made larger or smaller, until the length is right.
  ///
  /// - Parameters:
  ///   - lengthMetres: The wanted length, above 0.
  ///   - profile: A profile that the database has; nil for the one that serves the mode.
  ///   - seed: Another one gives other trips; the same one gives the same.
  /// - Returns: The different trips that were found, the best one first: those within 15 % of the
  ///   wanted length before all others, and then by how little they miss it and repeat. Where the
  ///   network is too small for the length, or a valley has one way alone, all of them miss it or
  ///   lead back where they came from, and say so.
  ///
  /// Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for a point far from every path and
  /// ``RoutingError/noRoundTripFound(reachedNodes:)`` where nothing leads anywhere and home again, or
  /// the length is none.
  public func roundTrips(
    from start: Coordinate, lengthMetres: Double, profile: String? = nil,
    mode: RoutingMode = .hiking, seed: UInt64 = 0,
    preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> [RoundTrip] {
    let task = RoundTripTask(
      start: start, wantedMetres: lengthMetres, radiusMetres: nearestNodeSearchRadiusMetres,
      seed: seed, mode: mode, preferences: preferences)
    return try perform(task, profile: profile, mode: mode)
  }
}
