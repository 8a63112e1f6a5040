// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import Testing

@Suite("Tagged durations")
struct TaggedDurationTests {
  @Test(
    "an hour is one, however it is written",
    arguments: [
      "60", "01:00", "1:00", "01:00:00", "PT1H", "PT60M", "1 h", "1h", "1 hour", "60 min", "60min",
      "60 minutes", " 60 ", "0h60", "1 Std", "1h00", "1 h 0 min",
    ])
  func hour(text: String) {
    #expect(TaggedDuration.seconds(text) == 3600)
  }

  @Test(
    "hours and minutes are added", arguments: ["1h30", "1 h 30 min", "1 hour 30 minutes", "90"])
  func both(text: String) {
    #expect(TaggedDuration.seconds(text) == 5400)
  }

  @Test(
    "what is no duration is none",
    arguments: [
      "", "h", "1 day ago", "min 5", "30 min 1 h", "1h1h", "-5", "0", "1e9", "1000000000 h",
      "60-90",
      "1:0", "٣٠", "about 1 h", "1..5 h", ".",
    ])
  func none(text: String) {
    #expect(TaggedDuration.seconds(text) == nil)
  }
}
