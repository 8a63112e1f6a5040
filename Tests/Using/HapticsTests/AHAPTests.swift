// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnHaptics
import Foundation
import Testing

@Suite("AHAP files")
struct AHAPTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a validator of JSON Schema says against a file; nil where it says nothing.
  private func complaints(_ text: String) throws -> String? {
    let path = try folder.write(text, to: "pattern.ahap")
    let result = try runProcess(
      "/usr/bin/python3",
      [
        "-W", "ignore", "-m", "jsonschema", "-i", path,
        packageRoot + "/Tests/Schemas/ahap.schema.json",
      ])
    return result.status == 0 ? nil : result.stdout + result.stderr
  }

  @Test("every pattern is a valid file", arguments: HapticCue.allCases)
  func valid(cue: HapticCue) throws {
    let complaint = try complaints(cue.pattern.ahap(description: cue.text))
    #expect(complaint == nil)
  }

  @Test(
    "the schema refuses what the format does not have",
    arguments: [
      ("HapticTransient", "HapticTap"), ("\"Version\": 1.0", "\"Version\": \"1\""),
      ("\"Time\": 0.000", "\"Time\": -1"), ("HapticSharpness", "HapticColour"),
      ("0.600", "1.600"), ("\"Pattern\"", "\"Patterns\""),
    ])
  func invalid(word: String, other: String) throws {
    let text = HapticCue.approaching.pattern.ahap(description: "A tap")
    #expect(text.contains(word))
    let complaint = try complaints(text.replacingOccurrences(of: word, with: other))
    #expect(complaint != nil)
  }

  @Test("a file has the events of its pattern, with the intensity that is preferred")
  func content() throws {
    let text = HapticCue.arrived.pattern.with(intensity: 0.5).ahap(description: "“\"\\\u{1}")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let metadata = try #require(object["Metadata"] as? [String: String])
    #expect(metadata["Description"] == "“\"\\\u{1}")
    let entries = try #require(object["Pattern"] as? [[String: [String: Any]]])
    let events = entries.compactMap { $0["Event"] }
    #expect(
      events.compactMap { $0["EventType"] as? String }
        == ["HapticTransient", "HapticTransient", "HapticTransient", "HapticContinuous"])
    #expect(events.compactMap { $0["Time"] as? Double } == [0, 0.12, 0.24, 0.4])
    #expect(events.compactMap { $0["EventDuration"] as? Double } == [0.6])
    let parameters = try #require(events[2]["EventParameters"] as? [[String: Any]])
    #expect(parameters.compactMap { $0["ParameterValue"] as? Double } == [0.5, 0.8])
  }

  @Test("the same pattern gives the same bytes, which begin with the signature")
  func signature() {
    let text = HapticCue.left.pattern.ahap(description: "Turn left")
    #expect(text == HapticCue.left.pattern.ahap(description: "Turn left"))
    #expect(text.hasPrefix(HapticPattern.ahapSignature))
    // A file is recognised by its first 128 bytes.
    #expect(HapticPattern.ahapSignature.utf8.count <= 128)
  }
}
