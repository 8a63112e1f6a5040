// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A route of about a requested length that ends where it begins.
public struct RoundTrip: Equatable, Sendable {
  /// The route; it has no via points.
  public var route: ComputedRoute
  /// The length that was requested, in metres.
  public var requestedMetres: Double
  /// Metres that it travels again, in either direction.
  public var repeatedMetres: Double

  /// The deviation of its length from the requested one, as a share of that: 0.1 for 10 % more or
  /// less.
  public var deviation: Double { abs(route.totalDistance - requestedMetres) / requestedMetres }

  /// The share of its length that it travels again: as a rule 0…0.5.
  public var repeatedShare: Double {
    route.totalDistance > 0 ? repeatedMetres / route.totalDistance : 0
  }

  /// Any trip within this deviation is better than any trip beyond it.
  public static let toleratedDeviation = 0.15

  init(route: ComputedRoute, requestedMetres: Double) {
    self.route = route
    self.requestedMetres = requestedMetres
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

  /// The sorting key of trips: less is better.
  var demerit: Double {
    (deviation > Self.toleratedDeviation ? 100 : 0) + deviation + repeatedShare
  }
}

extension RoutingEngine {
  /// Finds round trips of about a requested length.
  ///
  /// In each of eight directions, chosen by the seed, a circle passes through the start, with the
  /// requested length as its circumference, less an allowance for winding paths. The reachable
  /// nodes, or quarter points of long edges, nearest to two or three points of the circle become
  /// via points. Routes connect them, avoiding edges already used; dead ends to a via point and
  /// back are cut off if that is better. Then the circle grows or shrinks until the length fits.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - lengthMetres: The requested length in metres, above 0.
  ///   - profile: A profile in the database; nil for the mode's.
  ///   - mode: On foot or by bicycle: chooses the profile if none is named, and how ways are timed.
  ///   - seed: Another seed gives other trips; the same seed gives the same ones.
  ///   - preferences: The preferences on top of the stored costs.
  /// - Returns: The different trips found, best first: those within 15 % of the requested length
  ///   before all others, then by their deviation and repetition. If the network is too small, or a
  ///   valley has only one path, every trip misses the length or returns the same way; see
  ///   ``RoundTrip/deviation`` and ``RoundTrip/repeatedShare``.
  ///
  /// Throws `RoutingError.noNearbyNode(_:radiusMetres:)` for a point far from every path and
  /// `RoutingError.noRoundTripFound(reachedNodes:)` if no way leads out and back again, or the
  /// length is not positive.
  public func roundTrips(
    from start: Coordinate, lengthMetres: Double, profile: String? = nil,
    mode: RoutingMode = .hiking, seed: UInt64 = 0,
    preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> [RoundTrip] {
    let task = RoundTripTask(
      start: start, origin: originOfStart, requestedMetres: lengthMetres,
      radiusMetres: nearestNodeSearchRadiusMetres, seed: seed, mode: mode, preferences: preferences)
    return try perform(task, profile: profile, mode: mode)
  }
}
