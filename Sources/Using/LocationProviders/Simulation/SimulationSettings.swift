// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase

/// The settings of simulated walks along routes: the pace, the receiver's errors, the number of
/// wrong turns, and the seed of all random numbers. The same settings give the same walk.
package struct SimulationSettings: Sendable {
  /// The standard deviation of the receiver along each axis.
  package var noiseMetres = 5.0
  /// The time between two fixes.
  package var intervalSeconds = 1.0
  /// The walker's speed; nil for the planned one.
  package var metresPerSecond: Double?
  /// The number of wrong turns.
  package var wrongTurns = 0
  /// The mean time between bursts of multipath, in seconds; nil for none.
  package var burstSeconds: Double?
  /// The number of gaps of three minutes without a fix.
  package var gaps = 0
  /// The seed of all random numbers.
  package var seed: UInt64 = 1

  /// How long a gap lasts.
  private static let gapSeconds = 180.0

  /// A walk at the planned pace, without wrong turns and gaps.
  package init() {}

  /// The fixes of a walk; nil if the route has no valid point.
  ///
  /// - Parameters:
  ///   - number: The number of the walk. Each has its own wrong turns, which do not depend on the
  ///     noise.
  ///   - store: An open database with the ways for wrong turns; nil for straight lines across
  ///     country.
  ///
  /// Throws the errors of the database.
  package func walk(along route: PlannedRoute, number: Int = 0, waysOf store: RoutingStore? = nil)
    throws(RoutingError) -> [SimulatedFix]?
  {
    guard var walk = WalkSimulator(route) else { return nil }
    var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    walk.noise = ReceiverNoise(deviationMetres: noiseMetres)
    if let burstSeconds {
      walk.noise.bursts = .init()
      walk.noise.bursts?.everySeconds = burstSeconds
    }
    walk.interval = intervalSeconds
    walk.pace = metresPerSecond.map { .even($0) } ?? .planned
    walk.wrongTurns =
      if let store {
        try walk.wrongTurns(
          count: wrongTurns, alongWaysOf: store, profile: Self.profile(of: route, in: store),
          seed: random.next())
      } else {
        walk.wrongTurns(
          count: wrongTurns, turns: route.turnInstructions.map(\.cumulativeDistance),
          seed: random.next())
      }
    for _ in 0..<gaps {
      let distance = random.nextShare() * walk.length
      walk.gaps.append(.init(distance: distance, seconds: Self.gapSeconds))
    }
    return walk.walk(seed: random.next())
  }

  /// The profile that decides which ways are open to the walker: the route's, or the mode's.
  private static func profile(of route: PlannedRoute, in store: RoutingStore)
    throws(RoutingError) -> String?
  {
    if let profile = route.profile, try store.profileNames().contains(profile) { return profile }
    return try store.profileName(for: route.mode)
  }
}
