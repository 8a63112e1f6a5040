// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase

/// How walks along routes are simulated: the pace, the errors of the receiver, how often the walker
/// goes astray, and the seed of all random numbers. The same settings give the same walk.
package struct SimulationSettings: Sendable {
  /// The standard deviation of the receiver along each axis.
  package var noiseMetres = 5.0
  /// The time between two fixes.
  package var intervalSeconds = 1.0
  /// The walker's speed; nil for that of the plan.
  package var metresPerSecond: Double?
  /// How often the walker goes astray.
  package var wrongTurns = 0
  /// Seconds from one burst of multipath to the next, on average; nil for none.
  package var burstSeconds: Double?
  /// How often there is no fix for three minutes.
  package var gaps = 0
  /// What all random numbers come of.
  package var seed: UInt64 = 1

  /// How long a gap lasts.
  private static let gapSeconds = 180.0

  /// A walk at the planned pace, without wrong turns and gaps.
  package init() {}

  /// The fixes of a walk; nil where the route has no valid point.
  ///
  /// - Parameters:
  ///   - number: Which of several walks it is: each goes astray at other positions, and at the same ones with
  ///     any noise.
  ///   - store: An open database along whose ways the walker goes astray; nil for straight lines across
  ///     country.
  ///
  /// Throws what the database throws.
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

  /// The profile that says which ways a walker may use: the route's, or the one of its mode.
  private static func profile(of route: PlannedRoute, in store: RoutingStore)
    throws(RoutingError) -> String?
  {
    if let profile = route.profile, try store.profileNames().contains(profile) { return profile }
    return try store.profileName(for: route.mode)
  }
}
