// SPDX-License-Identifier: Apache-2.0
import CostModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The search scale of a key: logarithmic if it must be positive.
struct FitScale {
  let start: Double
  let step: Double
  private let isLogarithmic: Bool
  private let range: ClosedRange<Double>

  init(_ key: ProfileNumber, _ value: Double) {
    range = key.range
    isLogarithmic = key.range.lowerBound > 0
    start = isLogarithmic ? log(value) : value
    step = isLogarithmic ? 0.15 : max(abs(value) * 0.2, 0.2)
  }

  /// The value at a position, within the key's range.
  func value(at position: Double) -> Double {
    let value = isLogarithmic ? exp(position) : position
    return min(max(value, range.lowerBound), range.upperBound)
  }
}
