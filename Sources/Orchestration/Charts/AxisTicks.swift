// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Ticks at round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
package struct AxisTicks: Equatable, Sendable {
  /// The distance between ticks, a whole number of units.
  package let step: Int

  /// Chooses the smallest step that divides a length into at most `limit` intervals.
  package init(length: Double, atMost limit: Int) {
    var step = 1
    // The bound keeps absurd lengths from overflowing.
    while length > Double(step) * Double(limit), step < 1_000_000_000 {
      // 1, 2, 5, 10, 20, 50, …: the successor of a 2 is two and a half times as large.
      step = String(step).first == "2" ? step / 2 * 5 : step * 2
    }
    self.step = step
  }

  /// The ticks within a range, in order.
  package func values(in range: ClosedRange<Double>) -> [Int] {
    guard let first = Int(exactly: (range.lowerBound / Double(step)).rounded(.up)),
      let last = Int(exactly: (range.upperBound / Double(step)).rounded(.down)), first <= last
    else { return [] }
    return (first...last).map { $0 * step }
  }
}
