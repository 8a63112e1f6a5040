// SPDX-License-Identifier: Apache-2.0

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// A number from −1 to below 1.
  mutating func signedUnit() -> Double { Self.signedUnit(next()) }

  /// A number from `range`, uniformly.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * (signedUnit() + 1) / 2
  }

  /// The finaliser of SplitMix64: close inputs give outputs far apart.
  static func mix(_ value: UInt64) -> UInt64 {
    var bits = value
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Random bits as a number from −1 to below 1, exact in a Double.
  static func signedUnit(_ bits: UInt64) -> Double {
    Double(bits >> 11) / 4_503_599_627_370_496 - 1
  }
}
