// SPDX-License-Identifier: Apache-2.0
import Formatting
import Testing

@Suite("Durations")
struct DurationTests {
  @Test("times are those that a signpost has")
  func durations() {
    #expect(duration(0) == "0 min" && duration(59 * 60) == "59 min")
    #expect(duration(3600) == "1 h 0 min" && duration(12_180) == "3 h 23 min")
    #expect(duration(-60) == "–" && duration(.infinity) == "–")
  }
}
