// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

extension SplitMix64 {
  /// A number from −1 to below 1.
  mutating func signedUnit() -> Double { Self.signedUnit(next()) }

  /// A number from `range`, uniformly.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * (signedUnit() + 1) / 2
  }

  /// Random bits as a number from −1 to below 1, exact in a Double.
  static func signedUnit(_ bits: UInt64) -> Double {
    Double(bits >> 11) / 4_503_599_627_370_496 - 1
  }
}
