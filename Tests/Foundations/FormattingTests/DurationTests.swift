// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Testing

@Suite("Durations")
struct DurationTests {
  @Test("durations are printed in hours and minutes, as on a signpost")
  func durations() {
    #expect(duration(0) == "0 min" && duration(59 * 60) == "59 min")
    #expect(duration(3600) == "1 h 0 min" && duration(12_180) == "3 h 23 min")
    #expect(duration(-60) == "–" && duration(.infinity) == "–")
  }

  @Test(
    "the time of a program is in milliseconds below a second",
    arguments: [
      (0, "0 ms"), (0.0844, "84 ms"), (0.999, "999 ms"), (0.9996, "1.00 s"), (1, "1.00 s"),
      (61.509, "61.51 s"),
    ] as [(Double, String)])
  func elapsedTimes(seconds: Double, text: String) { #expect(elapsedTime(seconds) == text) }

  @Test(
    "rough times are rounded up",
    arguments: [
      (0, "0 s"), (0.2, "1 s"), (119, "119 s"), (150, "3 min"), (7260, "2 h 01 min"),
      (21_600, "6 h"), (-5, "0 s"), (.infinity, "277777 h 47 min"),
    ] as [(Double, String)])
  func roughDurations(seconds: Double, text: String) { #expect(roughDuration(seconds) == text) }
}
