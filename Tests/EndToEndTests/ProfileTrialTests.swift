// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Profiles that a command tries without building a database")
struct ProfileTrialTests {
  @Test(
    "routes by a profile tried on Andorra are those of a database that has it",
    .enabled(if: Andorra.isThere, "needs ../shared/data"))
  func sameRoutes() throws {
    let folder = try TemporaryFolder()
    let names = ["hiking", "mountain-hiking", "cycling"]
    let (all, few) = (try Andorra.database(names), try Andorra.database(["hiking"]))
    let list = try String(
      contentsOfFile: try #require(sharedData("andorra-pairs.txt")), encoding: .utf8)
    let lines = list.split(separator: "\n").prefix(100).map { line in
      let words = line.split(separator: " ")
      return "\(words[1]),\(words[0]),\(words[3]),\(words[2])\n"
    }
    let pairs = try folder.write(lines.joined(), to: "pairs.csv")
    for name in names.dropFirst() {
      let stored = try Executables.run("cairn", ["routes", "batch", all, pairs, "--profile", name])
      let tried = try Executables.run("cairn", ["routes", "batch", few, pairs, "--profile", name])
      #expect(stored.stdout.split(separator: "\n").count == 101)
      #expect(tried.stdout == stored.stdout)
      #expect(tried.stderr.contains("“\(name)” is not in the database; computing its costs"))
    }
  }

  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    A----B----C
    |         |
    D---------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path"]), .init("BC", tags: ["highway": "steps"]),
      .init("ADEC", tags: ["highway": "track", "surface": "gravel"]),
    ])
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder, profiles: ["hiking"])
  }

  private func point(_ letter: Character) throws -> String {
    let coordinate = try map.coordinate(letter)
    return "\(coordinate.latitude),\(coordinate.longitude)"
  }

  private func run(_ command: [String], _ words: String...) throws -> ProcessResult {
    try Executables.run(
      "cairn",
      command + [database, "--from", point("A")]
        + (command == ["isochrone"] ? ["--minutes", "3"] : ["--to", point("C")]) + words)
  }

  @Test("a changed number changes the route, and only then")
  func set() throws {
    let usual = try run(["route"], "--format", "json")
    let same = try run(["route"], "--format", "json", "--set", "highways.steps=1")
    let other = try run(["route"], "--format", "json", "--set", "highways.steps=50")
    #expect(usual.status == 0 && same.status == 0 && other.status == 0)
    #expect(
      try jsonObject(same.stdout)["coordinates"] as? [[Double]]
        == jsonObject(usual.stdout)["coordinates"] as? [[Double]])
    let (short, long) = (
      try jsonObject(usual.stdout)["totalDistance"] as? Double ?? 0,
      try jsonObject(other.stdout)["totalDistance"] as? Double ?? 0
    )
    #expect(short > 0 && long > short)
  }

  @Test("explanations, isochrones and instructions take a profile file, too")
  func commands() throws {
    let file = try folder.write(
      "cairn-profile: 1\nname: mine\nbased-on: hiking\nhighways: { steps: 50 }", to: "mine.yaml")
    let explained = try run(["explain"], "--profile", file)
    #expect(explained.status == 0, "\(explained.stderr)")
    #expect(explained.stdout.hasPrefix("mine: "))
    #expect(explained.stdout.contains("track"))
    // What differs from the cost that the route was found by would be said.
    #expect(!explained.stdout.contains("rebuild the database"))
    #expect(try run(["isochrone"], "--profile", file, "--set", "speed-kmh=9").status == 0)
    let text = try run(["route"], "--profile", file, "--instructions")
    #expect(text.status == 0, "\(text.stderr)")
  }

  @Test("what is wrong with a profile or a setting is said before the database is read")
  func wrong() throws {
    let setting = try run(["route"], "--set", "climb-factr=2")
    #expect(setting.status == 64)
    #expect(setting.stderr.contains("--set climb-factr=2: unknown key “climb-factr” (did you mean"))
    let file = try folder.write("cairn-profile: 1\nname: mine\nvehicle: car", to: "mine.yaml")
    let profile = try run(["route"], "--profile", file)
    #expect(profile.status == 78)
    #expect(profile.stderr.contains("mine.yaml:3:10: “vehicle” must be one of foot, bicycle"))
    #expect(try run(["route"], "--profile", "nowhere.yaml").status == 66)
    let unknown = try run(["route"], "--profile", "hikng")
    #expect(unknown.status == 64 || unknown.status == 1)
    #expect(unknown.stderr.contains("hikng"))
  }
}
