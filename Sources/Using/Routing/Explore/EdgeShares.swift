// SPDX-License-Identifier: Apache-2.0

// Parts of an edge as ranges of shares of its length.

extension [ClosedRange<Double>] {
  /// The same parts so that they neither overlap nor touch, in their order.
  func united() -> [ClosedRange<Double>] {
    var united: [ClosedRange<Double>] = []
    for part in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = united.last, part.lowerBound <= last.upperBound {
        united[united.count - 1] =
          last.lowerBound...Swift.max(last.upperBound, part.upperBound)
      } else {
        united.append(part)
      }
    }
    return united
  }

  /// How much of a part is in these, which do not overlap.
  func overlap(_ part: ClosedRange<Double>) -> Double {
    reduce(0) { sum, other in
      sum
        + Swift.max(
          0,
          Swift.min(part.upperBound, other.upperBound)
            - Swift.max(part.lowerBound, other.lowerBound))
    }
  }
}
