// SPDX-License-Identifier: Apache-2.0

// Parts of an edge as ranges of shares of its length.

extension [ClosedRange<Double>] {
  /// The union of the parts: sorted and disjoint.
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

  /// The length of the overlap with another part; these parts must not overlap each other.
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
