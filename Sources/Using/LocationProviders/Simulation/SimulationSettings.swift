// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Guidance

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
  /// - Parameter number: Which of several walks it is: each goes astray at other places, and at the
  ///   same ones with any noise.
  package func walk(along route: PlannedRoute, number: Int = 0) -> [SimulatedFix]? {
    guard var walk = WalkSimulator(route) else { return nil }
    var random = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    walk.noise = ReceiverNoise(deviationMetres: noiseMetres)
    walk.interval = intervalSeconds
    walk.pace = metresPerSecond.map { .even($0) } ?? .planned
    walk.wrongTurns = walk.wrongTurns(
      count: wrongTurns, turns: route.turnInstructions.map(\.cumulativeDistance),
      seed: random.next())
    for _ in 0..<gaps {
      let place = random.nextShare() * walk.length
      walk.gaps.append(.init(distance: place, seconds: Self.gapSeconds))
    }
    return walk.walk(seed: random.next())
  }
}
