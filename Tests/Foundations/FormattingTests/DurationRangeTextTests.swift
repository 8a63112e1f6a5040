// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("Ranges of times as a signpost would say them")
struct DurationRangeTextTests {
  @Test(
    "they are rounded to 5 minutes, from 2 hours on to 10",
    arguments: [
      (159, 252, "2 h 40 to 4 h 10"), (41, 58, "40 min to 1 h"), (38, 54, "40 to 55 min"),
      (52, 86, "50 min to 1 h 25"), (60, 105, "1 h to 1 h 45"), (115, 240, "2 h to 4 h"),
      (62, 110, "1 h to 1 h 50"), (64, 118, "1 h 05 to 2 h"),
    ])
  func rounded(low: Int, high: Int, text: String) {
    #expect(durationRangeText(from: Double(low) * 60, to: Double(high) * 60) == text)
  }

  @Test("a range that rounding closes, or that is none, has no text")
  func none() {
    for (low, high) in [
      (60.0, 80.0), (0, 0), (.nan, 100), (1000, 100), (0, .infinity), (-5, 600), (300, 310),
    ] {
      #expect(durationRangeText(from: low, to: high) == nil, "\(low) to \(high)")
    }
  }
}
