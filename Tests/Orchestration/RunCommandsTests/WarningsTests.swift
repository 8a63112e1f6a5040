// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import CommandLineKit
import Pipeline
import RunSupport
import TestSupport
import Testing

@testable import RunCommands

@Suite("The warnings of a region")
struct WarningsTests {
  private func region(_ stages: [RecordedRun.StageRun]) -> RecordedRun.Region {
    RecordedRun.Region(
      id: "west", status: "built", isHeld: false, seconds: 1, stages: stages, drift: [])
  }

  private func entries(_ kind: String, _ examples: [String]) -> [WarningTally.Entry] {
    var tally = WarningTally()
    for example in examples { tally.add(kind, example) }
    return tally.entries
  }

  /// A database with node 5 and way 42, which begins there.
  private func database(in folder: TemporaryFolder) throws -> String {
    let path = folder.file("west.routing.db")
    let database = try SQLiteConnection(path, .build)
    try database.execute("CREATE TABLE routing_nodes (id INTEGER PRIMARY KEY, latitude, longitude)")
    try database.execute(
      "CREATE TABLE routing_edges (id INTEGER PRIMARY KEY, from_node, osm_way_id)")
    try database.execute("INSERT INTO routing_nodes VALUES (5, 47.01, 10.02)")
    try database.execute("INSERT INTO routing_edges VALUES (1, 5, 42)")
    database.close()
    return path
  }

  @Test("they are listed by stage and kind, with the places of ways and nodes")
  func listed() throws {
    let folder = try TemporaryFolder()
    let stage = RecordedRun.StageRun(
      stage: "build-graph", warnings: 3,
      kinds: entries("odd-way", ["way 42: odd", "node 5 (odd)", "way 43: odd"]))
    let warnings = try RegionWarnings(
      "west", region([stage]), database: database(in: folder), limit: 20)
    #expect(
      warnings.text == """
        west: 3 warnings
          build-graph: 3 odd-way
            way 42: odd at 47.01000,10.02000
            node 5 (odd) at 47.01000,10.02000
            way 43: odd

        """)
    let few = try RegionWarnings("west", region([stage]), database: "none", limit: 1)
    #expect(few.text.contains("way 42: odd\n    … and 2 more\n"))
  }

  @Test("a place that a text states is taken from it, and not written twice")
  func stated() throws {
    let stage = RecordedRun.StageRun(
      stage: "sample-elevation", warnings: 1,
      kinds: entries("too-steep", ["way 42 at 42.5,1.5: 14 m up in 9 m", "look at 3, 4 things"]))
    let warnings = try RegionWarnings("west", region([stage]), database: "none", limit: 20)
    #expect(warnings.text.contains("    way 42 at 42.5,1.5: 14 m up in 9 m\n"))
    let places = warnings.kinds?.first?.examples.map(\.coordinate?.latitude)
    #expect(places == [42.5, nil])
  }

  @Test("a region without warnings, without a run, or whose results are gone says so")
  func none() throws {
    #expect(
      try RegionWarnings("west", region([]), database: "none", limit: 3).text
        == "west: no warnings\n")
    #expect(
      try RegionWarnings("west", nil, database: "none", limit: 3).text
        == "west: no recorded run built it\n")
    let gone = RecordedRun.StageRun(stage: "build-graph", warnings: 7)
    #expect(
      try RegionWarnings("west", region([gone]), database: "none", limit: 3).text
        == "west: 7 warnings\n  7 whose results are no longer kept\n")
  }

  @Test("the command finds the run that made the present results")
  func command() throws {
    let world = try World()
    expectError("no-run", .noInput) {
      try RecordedRun.newestRegions(ofOutput: world.folder.file("out"))
    }
    let bin = ["--bin", world.folder.file("bin"), "--quiet"]
    let manifest = world.folder.file("m.yaml")
    for _ in 0..<2 { #expect(CommandRunner.run(RunCommand.self, [manifest] + bin) == .success) }
    let regions = try RecordedRun.newestRegions(ofOutput: world.folder.file("out"))
    #expect(regions.keys.sorted() == ["east", "west"])
    #expect(regions["west"]?.stages.isEmpty == false)
    #expect(CommandRunner.run(WarningsCommand.self, [manifest, "none"]) == .usage)
  }
}
