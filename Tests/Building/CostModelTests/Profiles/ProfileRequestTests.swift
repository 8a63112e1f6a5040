// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CostModel
import TestSupport
import Testing

@Suite("The profile that a request means")
struct ProfileRequestTests {
  private let folder: TemporaryFolder
  private let store: RoutingStore

  init() throws {
    folder = try TemporaryFolder()
    let map = AsciiMap("A--B", ways: [.init("AB", tags: ["highway": "path"])])
    store = RoutingStore(
      path: try map.routingDatabase(in: folder, profiles: ["family", "hiking", "cycling"]))
    try store.open()
  }

  private func chosen(
    _ name: String? = nil, mode: RoutingMode? = nil, _ settings: String...
  ) throws -> ChosenProfile {
    try ProfileRequest(
      name: name, mode: mode,
      settings: settings.map { text throws(CairnError) in
        try ProfileSetting(text)
      }
    ).resolved(in: store)
  }

  @Test("without a name or a mode it is the first one of the database")
  func first() throws {
    let chosen = try chosen()
    #expect(chosen.name == "family" && chosen.storedName == "family" && chosen.mode == .hiking)
    #expect(chosen.trial == nil && chosen.missingName == nil)
    #expect(try chosen.definition(in: store)?.name == "family")
  }

  @Test("a mode means the profile of its name")
  func mode() throws {
    #expect(try chosen(mode: .hiking).name == "hiking")
    let cycling = try chosen(mode: .cycling)
    #expect(cycling.name == "cycling" && cycling.mode == .cycling)
  }

  @Test("a name means the profile of the database")
  func named() throws {
    let chosen = try chosen("cycling")
    #expect(chosen.name == "cycling" && chosen.mode == .cycling && chosen.trial == nil)
  }

  @Test("a built-in one that the database does not have is tried, in place of one of its vehicle")
  func builtIn() throws {
    let other = try #require(
      CostProfile.builtIn.first { !["family", "hiking", "cycling"].contains($0.name) })
    let chosen = try chosen(other.name)
    #expect(chosen.trial == other && chosen.missingName == other.name)
    #expect(chosen.name == other.name && chosen.mode == other.mode)
    #expect(chosen.storedName == (try store.profileName(for: other.mode)))
  }

  @Test("a change that the profile does not use is remarked on")
  func unused() throws {
    #expect(
      try chosen("hiking", "speed-kmh=6", "time-factor=0.9").remarks == [
        "--set speed-kmh=6: speed-kmh does not change times by schweizer-wanderwege; time-factor does"
      ])
    #expect(try chosen("hiking", "speed-kmh=6", "time-model=minetti").remarks == [])
    #expect(try chosen("cycling", "speed-kmh=16").remarks == [])
  }

  @Test("a name that nothing has is an error that lists what there is")
  func unknown() throws {
    #expect(
      throws: RoutingError.profileNotAvailable(
        "unheard", available: ["family", "hiking", "cycling"])
    ) { try chosen("unheard") }
  }

  @Test("a setting makes a trial of the stored profile")
  func settings() throws {
    let chosen = try chosen("hiking", "climb-factor=11")
    #expect(chosen.trial?.climbFactor == 11)
    #expect(chosen.name == "hiking" && chosen.storedName == "hiking")
    #expect(chosen.missingName == nil)
    #expect(try chosen.definition(in: store)?.climbFactor == 11)
  }

  @Test("a file is tried")
  func file() throws {
    let path = try folder.write(
      "cairn-profile: 1\nname: mine\nbased-on: cycling\n", to: "mine.yaml")
    let chosen = try chosen(path)
    #expect(chosen.name == "mine" && chosen.trial?.name == "mine" && chosen.mode == .cycling)
    #expect(chosen.storedName == "cycling" && chosen.missingName == nil)
  }
}
