// SPDX-License-Identifier: Apache-2.0
import CairnTracks
import Testing

@Suite("Receivers")
struct ReceiverTests {
  @Test(
    "fixes in the background are declared by the mode “location” of a phone or a watch alone",
    arguments: [
      ([:], false), (["UIBackgroundModes": ["location"]], true),
      (["UIBackgroundModes": ["audio", "location"]], true),
      (["WKBackgroundModes": ["workout-processing", "location"]], true),
      (["UIBackgroundModes": ["audio"], "WKBackgroundModes": ["workout-processing"]], false),
      (["UIBackgroundModes": []], false), (["BackgroundModes": ["location"]], false),
    ] as [([String: [String]], Bool)])
  func background(declared: [String: [String]], expected: Bool) {
    #expect(ReceiverSettings.declaresBackground { declared[$0] } == expected)
  }

  @Test("a declaration that is no list, or no list of texts alone, is read as far as it says so")
  func oddDeclarations() {
    #expect(!ReceiverSettings.declaresBackground { _ in "location" })
    #expect(!ReceiverSettings.declaresBackground { _ in 1 })
    #expect(ReceiverSettings.declaresBackground { _ in [1, "location"] as [Any] })
  }

  @Test("a failure says what went wrong, and what to do")
  func texts() {
    let failure = LocationFailure.unavailable("no antenna")
    #expect(failure.description == "the receiver does not work: no antenna")
    #expect(failure.errorDescription == "Your position cannot be found.")
    #expect(failure.failureReason == "no antenna")
    #expect(LocationFailure.backgroundNotDeclared.description.contains("Info.plist"))
    #expect(LocationFailure.permissionDenied.recoverySuggestion == "Allow it in the settings.")
  }
}
