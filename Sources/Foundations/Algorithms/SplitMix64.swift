// SPDX-License-Identifier: Apache-2.0

/// Pseudo-random numbers, the same from the same seed on every machine: SplitMix64 (G. Steele, D.
/// Lea, C. Flood, “Fast Splittable Pseudorandom Number Generators”, OOPSLA 2014).
///
/// Public, so that it is inlined in other modules.
@frozen
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline
  var state: UInt64

  /// Starts at a seed.
  @inlinable
  public init(seed: UInt64) { state = seed }

  /// The next number, all 64 bits of it random.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// The next number, scaled to 0..<1.
  @inlinable
  public mutating func nextShare() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Spreads a number over all bits (the finaliser of SplitMix64): close inputs give outputs far
  /// apart, and 0 gives 0.
  @inlinable
  public static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
