// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The error model of a satellite receiver.
///
/// The error along each axis, north and east, is normal with the standard deviation
/// ``deviationMetres``. Part of its variance is a first-order Gauss–Markov process (an
/// Ornstein–Uhlenbeck process), whose correlation decays as e^(−t/τ); the rest is white. Such a
/// process fits recordings of resting receivers (Sensors 2020, 20(21), 6050). The autocorrelation
/// of a hiker's receiver falls steeply over the first minute and slowly after it (D. L. Wilson,
/// “Correlation of errors”, on the Garmin 12XL), so τ is a minute.
public struct ReceiverNoise: Hashable, Sendable {
  /// σ along each axis, in metres.
  public var deviationMetres: Double
  /// The share of the variance that is correlated in time, 0…1.
  public var correlatedShare = 0.75
  /// τ in seconds.
  public var correlationSeconds = 60.0
  /// The stated accuracy; nil for none.
  public var statedAccuracy: Double?
  /// Bursts of reflected signals; nil for none.
  public var bursts: Bursts?

  /// Errors of a deviation, with the radius of two thirds' probability, 1.5 σ, as stated accuracy.
  public init(deviationMetres: Double) {
    self.deviationMetres = deviationMetres
    statedAccuracy = 1.5 * deviationMetres
  }
}

extension ReceiverNoise {
  /// Bursts of multipath, as in gorges, forests and streets. The receiver suddenly hears a
  /// reflected signal and is off by tens of metres in one direction until it hears another. Its
  /// stated accuracy does not change.
  public struct Bursts: Hashable, Sendable {
    /// The mean time between the starts of two bursts, in seconds; each interval is half to one and
    /// a half times as long.
    public var everySeconds = 480.0
    /// How far off the fixes are.
    public var metres = 25.0...60.0
    /// The duration of a burst.
    public var seconds = 15.0...40.0
    /// How long fixes take to get that far off, and back, at most.
    public var longestOnset = 4.0

    /// Reflections that last, as in a gorge or between houses: 20 to 38 m for one to five minutes,
    /// every ten minutes, which come and go within half a minute.
    public static let plateaus: Bursts = {
      var bursts = Bursts()
      bursts.everySeconds = 600
      bursts.metres = 20...38
      bursts.seconds = 60...300
      bursts.longestOnset = 30
      return bursts
    }()

    /// The usual bursts: 25 to 60 m for 15 to 40 seconds, every eight minutes.
    public init() {}
  }
}

/// How far off bursts put the fixes.
package struct BurstSource {
  private let bursts: ReceiverNoise.Bursts?
  private var random: SplitMix64
  private var start = 0.0
  private var end = -1.0
  private var onset = 0.0
  private var full: (east: Double, north: Double) = (0, 0)
  private var next: Double

  /// Makes the bursts for a seed; nil for none.
  package init(_ bursts: ReceiverNoise.Bursts?, seed: UInt64) {
    self.bursts = bursts
    random = SplitMix64(seed: SplitMix64.mix(seed))
    next = (bursts?.everySeconds ?? .infinity) * random.nextShare()
  }

  /// The error some seconds after the start, in metres; asked with growing seconds.
  package mutating func offset(at seconds: Double) -> (east: Double, north: Double) {
    guard let bursts else { return (0, 0) }
    if seconds >= next {
      start = next
      end = start + value(in: bursts.seconds)
      onset = bursts.longestOnset * random.nextShare()
      let (metres, direction) = (
        value(in: bursts.metres), Direction(degrees: random.nextShare() * 360)
      )
      full = (metres * direction.east, metres * direction.north)
      next = max(start + max(bursts.everySeconds, 1) * (0.5 + random.nextShare()), end)
    }
    guard seconds < end else { return (0, 0) }
    let edge = min(seconds - start, end - seconds)
    let share = edge >= onset ? 1 : edge / onset
    return (full.east * share, full.north * share)
  }

  private mutating func value(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + random.nextShare() * (range.upperBound - range.lowerBound)
  }
}

/// Successive errors of a receiver.
struct NoiseSource {
  private let noise: ReceiverNoise
  private var random: NormalNumbers
  private var slow: (east: Double, north: Double) = (0, 0)

  init(_ noise: ReceiverNoise, seed: UInt64) {
    self.noise = noise
    random = NormalNumbers(seed: seed)
    slow = (slowDeviation * random.next(), slowDeviation * random.next())
  }

  private var slowDeviation: Double {
    noise.deviationMetres * min(max(noise.correlatedShare, 0), 1).squareRoot()
  }

  /// The error at a time in seconds after the last one, in metres.
  mutating func next(after seconds: Double) -> (east: Double, north: Double) {
    let memory = exp(-seconds / max(noise.correlationSeconds, 0.001))
    let fresh = (1 - memory * memory).squareRoot() * slowDeviation
    slow.east = memory * slow.east + fresh * random.next()
    slow.north = memory * slow.north + fresh * random.next()
    let white = noise.deviationMetres * (1 - min(max(noise.correlatedShare, 0), 1)).squareRoot()
    return (slow.east + white * random.next(), slow.north + white * random.next())
  }
}

/// Normally distributed numbers with mean 0 and deviation 1 (Box and Muller).
private struct NormalNumbers {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> Double {
    (-2 * log(1 - random.nextShare())).squareRoot() * cos(2 * .pi * random.nextShare())
  }
}
