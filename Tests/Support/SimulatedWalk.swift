// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnLocationProviders
import CairnMapMatching
import CairnRouting
import Foundation

/// A walk along a path as a receiver records it.
///
/// The error along each axis, north and east, is normal with the standard deviation σ. Three quarters
/// of its variance are correlated in time as an Ornstein–Uhlenbeck process is, with a time constant
/// of a minute; one quarter is white. Bursts of multipath may come on top.
package struct SimulatedWalk: Sendable {
  /// Metres a second: 4.5 km/h.
  package static let speed = 1.25
  private static let correlatedShare = 0.75
  private static let correlationSeconds = 60.0
  private static let start = 1_750_000_000.0

  /// The path.
  package let path: WalkedPath
  /// What is recorded.
  package let fixes: [MatchingFix]
  /// Metres along the path at each fix.
  package let metres: [Double]

  /// - Parameters:
  ///   - deviation: σ in metres.
  ///   - interval: Seconds between fixes.
  package init(
    _ path: WalkedPath, deviation: Double, interval: Double, bursts: ReceiverNoise.Bursts? = nil,
    seed: UInt64
  ) {
    var multipath = BurstSource(bursts, seed: seed)
    var random = NormalNumbers(seed: seed)
    let slow = deviation * Self.correlatedShare.squareRoot()
    let white = deviation * (1 - Self.correlatedShare).squareRoot()
    let memory = exp(-interval / Self.correlationSeconds)
    let fresh = (1 - memory * memory).squareRoot()
    var (east, north) = (slow * random.next(), slow * random.next())
    var fixes: [MatchingFix] = []
    var metres: [Double] = []
    let count = Int(path.length / Self.speed / interval)
    for index in 0...count {
      let along = Double(index) * interval * Self.speed
      let place = path.point(at: along)
      let burst = multipath.offset(at: Double(index) * interval)
      fixes.append(
        MatchingFix(
          coordinate: place.moved(
            east: east + white * random.next() + burst.east,
            north: north + white * random.next() + burst.north),
          time: Date(timeIntervalSince1970: Self.start + Double(index) * interval)))
      metres.append(along)
      east = memory * east + fresh * slow * random.next()
      north = memory * north + fresh * slow * random.next()
    }
    self.path = path
    self.fixes = fixes
    self.metres = metres
  }
}

/// Normally distributed numbers with mean 0 and deviation 1 (Box and Muller).
private struct NormalNumbers {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> Double {
    (-2 * log(1 - random.nextShare())).squareRoot() * cos(2 * .pi * random.nextShare())
  }
}
