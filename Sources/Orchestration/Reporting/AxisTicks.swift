// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
struct AxisTicks: Equatable {
  /// How far apart they are, a whole number of units.
  let step: Int

  /// The finest whole step that puts at most `limit` intervals on a length.
  init(length: Double, atMost limit: Int) {
    var step = 1
    // A length beyond all that is drawn here ends with a coarse step and not with an overflow.
    while length > Double(step) * Double(limit), step < 1_000_000_000 {
      // 1, 2, 5, 10, 20, 50, …: after a 2 comes two and a half times as much.
      step = String(step).first == "2" ? step / 2 * 5 : step * 2
    }
    self.step = step
  }

  /// The multiples within a range, in order.
  func values(in range: ClosedRange<Double>) -> [Int] {
    guard let first = Int(exactly: (range.lowerBound / Double(step)).rounded(.up)),
      let last = Int(exactly: (range.upperBound / Double(step)).rounded(.down)), first <= last
    else { return [] }
    return (first...last).map { $0 * step }
  }
}
