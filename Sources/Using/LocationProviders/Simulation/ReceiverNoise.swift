// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

/// How a satellite receiver errs.
///
/// The error along each axis, north and east, is normal with the standard deviation
/// ``deviationMetres``. Part of its variance is a Gauss–Markov process of first order (an
/// Ornstein–Uhlenbeck process), whose correlation decays as e^(−t/τ), and the rest is white. Such a
/// process fits recordings of resting receivers (Sensors 2020, 20(21), 6050); the autocorrelation of a
/// hiker's receiver falls steeply over the first minute and slowly after it (D. L. Wilson, “Correlation
/// of errors”, on the Garmin 12XL), so τ is a minute.
public struct ReceiverNoise: Hashable, Sendable {
  /// σ along each axis, in metres.
  public var deviationMetres: Double
  /// The share of the variance that is correlated in time, 0…1.
  public var correlatedShare = 0.75
  /// τ in seconds.
  public var correlationSeconds = 60.0
  /// The accuracy that the receiver states; nil for none.
  public var statedAccuracy: Double?

  /// Errors of a deviation, with the radius of two thirds' probability, 1.5 σ, as stated accuracy.
  public init(deviationMetres: Double) {
    self.deviationMetres = deviationMetres
    statedAccuracy = 1.5 * deviationMetres
  }
}

/// Errors of a receiver, one after the other.
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

  /// The error some seconds after the last one, in metres.
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
