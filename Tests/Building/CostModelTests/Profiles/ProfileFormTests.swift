// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import TestSupport
import Testing

@testable import CostModel

@Suite("The form of profile files and its JSON Schema")
struct ProfileFormTests {
  /// A profile with a key that nobody knows in one of its mappings, and the form of that mapping.
  private static let probes: [(form: MappingForm, name: String, text: String)] = [
    (ProfileForm.profile, "the profile", "cairn-profile: 1\nQ: 1\n"),
    (ProfileForm.descent, "“descent”", "descent: { Q: 1 }"),
    (ProfileForm.slowdown, "“slowdown”", "slowdown: { Q: { a: 1 } }"),
  ]

  @Test("the keys that the reader knows are those of the form")
  func keysAreTheReaders() throws {
    for probe in Self.probes {
      let folder = try TemporaryFolder()
      let unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"
      let path = try folder.write(probe.text.replacing("Q", with: unknown), to: "p.yaml")
      let error = #expect(throws: CairnError.self) { try CostProfile(file: path) }
      let all = error.map { [$0] + $0.further } ?? []
      let hint = all.first { $0.message.contains(unknown) }?.hint
      let keys = probe.form.keys.map(\.name).sorted().joined(separator: ", ")
      #expect(hint == "\(probe.name) takes \(keys)")
    }
  }

  @Test("the schema accepts every built-in profile as it is printed")
  func takesProfiles() throws {
    let schema = try SchemaCheck(ProfileForm.schema)
    for profile in CostProfile.builtIn {
      for text in [try profile.yamlText(), try profile.canonicalText()] {
        let document = try YAMLDocument.parse(Array(text.utf8), file: "p.yaml")
        #expect(schema.problems(document) == [], "\(profile.name)")
      }
    }
  }

  @Test(
    "the schema refuses what the reader refuses",
    arguments: [
      "cairn-profile: 2\nname: a", "cairn-profile: 1", "cairn-profile: 1\nname: A b",
      "cairn-profile: 1\nname: a\nvehicle: car", "cairn-profile: 1\nname: a\ntime-model: slow",
      "cairn-profile: 1\nname: a\nclimb-factor: 101", "cairn-profile: 1\nname: a\nspeed-kmh: fast",
      "cairn-profile: 1\nname: a\ndescent: { below-10: -1 }",
      "cairn-profile: 1\nname: a\nmax-sac: T7", "cairn-profile: 1\nname: a\nmax-mtb-scale: 7",
      "cairn-profile: 1\nname: a\nsac-scale: { T0: 1 }",
      "cairn-profile: 1\nname: a\nsurfaces: { mud: no way }",
      "cairn-profile: 1\nname: a\nsurfaces: [mud]",
      "cairn-profile: 1\nname: a\nslowdown: { access: { closed: 2 } }",
      "cairn-profile: 1\nname: a\nslowdown: { surfaces: { mud: 0.5 } }",
    ])
  func refuses(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "p.yaml")
    #expect(throws: CairnError.self) { try CostProfile(file: path) }
    let document = try YAMLDocument.parse(Array(text.utf8), file: "p.yaml")
    #expect(try SchemaCheck(ProfileForm.schema).problems(document) != [])
  }

  @Test("every key has a description")
  func explainsKeys() {
    for key in Self.probes.flatMap(\.form.keys) { #expect(key.help.count > 10, "\(key.name)") }
  }
}
