// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnRouting
import CostModel
import Foundation
import ProfileFitting

/// Walkers whose times are known because they are drawn: each needs what a profile says, times a
/// factor whose logarithm is normal.
struct SimulatedWalkers {
  /// The profile that they walk by.
  var truth = CostProfile.trailHiking
  /// The standard deviation of the logarithm.
  var spread = CostProfile.trailHiking.timeSpread
  /// The datasets that they belong to, in turn.
  var datasets: [String?] = [nil]

  /// Draws walks of 4 to 24 km with up to 1,500 m of climb.
  func walks(_ count: Int, seed: UInt64) -> TimedWalks {
    var generator = SplitMix64(seed: seed)
    var plain = TimedWalks()
    for index in 0..<count {
      let pieces = 1 + Int(generator.next() % 4)
      let stretches = (0..<pieces).map { _ in
        TimedWalk.Stretch(
          distance: 3000 + 3000 * generator.nextShare(), up: 400 * generator.nextShare(),
          down: 400 * generator.nextShare())
      }
      plain.add(
        TimedWalk(
          name: "walk \(index + 1)", dataset: datasets[index % datasets.count], seconds: 1,
          stretches: stretches))
    }
    var walks = TimedWalks()
    for (walk, seconds) in zip(plain.walks, plain.seconds(truth)) {
      var walk = walk
      walk.seconds = seconds * exp(spread * Self.normal(&generator))
      walks.add(walk)
    }
    return walks
  }

  /// A number from the standard normal distribution (G. E. P. Box, M. E. Muller, “A Note on the
  /// Generation of Random Normal Deviates”, 1958).
  static func normal(_ generator: inout SplitMix64) -> Double {
    (-2 * log(1 - generator.nextShare())).squareRoot() * cos(2 * .pi * generator.nextShare())
  }

  /// The share of walks whose time lies from P10 to P90 under a profile.
  static func coverage(_ walks: TimedWalks, _ profile: CostProfile) -> Double {
    let inside = zip(walks.walks, walks.seconds(profile)).count { walk, seconds in
      let range = DurationRange(median: seconds, spread: profile.timeSpread)
      return (range.p10...range.p90).contains(walk.seconds)
    }
    return Double(inside) / Double(walks.walks.count)
  }
}
