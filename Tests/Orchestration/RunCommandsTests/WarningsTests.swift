// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import CommandLineKit
import Execution
import Foundation
import Publishing
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline
@testable import RunCommands

@Suite("The warnings of a region")
struct WarningsTests {
  private func warnings(_ stage: String, _ kind: String, _ examples: [String]) -> BundleWarnings {
    BundleWarnings(kinds: [
      .init(stage: stage, kind: kind, count: examples.count, examples: examples)
    ])
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
    let odd = self.warnings(
      "build-graph", "odd-way", ["way 42: odd", "node 5 (odd)", "way 43: odd"])
    let warnings = try RegionWarnings(
      "west", published: odd, database: database(in: folder), limit: 20)
    #expect(
      warnings.text == """
        west: 3 warnings
          build-graph: 3 odd-way
            way 42: odd at 47.01000,10.02000
            node 5 (odd) at 47.01000,10.02000
            way 43: odd

        """)
    let few = try RegionWarnings("west", published: odd, database: "none", limit: 1)
    #expect(few.text.contains("way 42: odd\n    … and 2 more\n"))
  }

  @Test("a place that a text states is taken from it, and not written twice")
  func stated() throws {
    let steep = self.warnings(
      "sample-elevation", "too-steep",
      ["way 42 at 42.5,1.5: 14 m up in 9 m", "look at 3, 4 things"])
    let warnings = try RegionWarnings("west", published: steep, database: "none", limit: 20)
    #expect(warnings.text.contains("    way 42 at 42.5,1.5: 14 m up in 9 m\n"))
    let places = warnings.kinds?.first?.examples.map(\.coordinate?.latitude)
    #expect(places == [42.5, nil])
  }

  @Test("a region without warnings, without a bundle, or without a record says so")
  func none() throws {
    func text(_ published: BundleWarnings?, isPublished: Bool = true) throws -> String {
      try RegionWarnings(
        "west", published: published, isPublished: isPublished, database: "none", limit: 3
      ).text
    }
    #expect(try text(BundleWarnings()) == "west: no warnings\n")
    #expect(try text(nil, isPublished: false) == "west: not published\n")
    #expect(try text(nil) == "west: its warnings are not recorded; the next run does that\n")
  }

  /// A world whose stages warn, each region of its own way.
  private func warningWorld() throws -> World {
    let world = try World()
    try warn(world, count: 2)
    return world
  }

  private func warn(_ world: World, count: Int) throws {
    try world.before(
      .buildGraph,
      """
      cat "$input" > "$output"
      echo '{"stage":"build-graph","version":"1","input":{},"output":{},"warnings":[
        {"kind":"odd-way","count":\(count),"examples":["way 42: odd"]}],
        "wallSeconds":0,"cpuSeconds":0,"peakBytes":0}' > "$report"
      exit 0
      """)
  }

  /// What is told of a region by `cairn warnings`.
  private func text(_ world: World, _ id: String) throws -> String {
    try RegionWarnings(
      id, inOutput: world.folder.file("out"), database: "none", limit: 3
    ).text
  }

  private static let two = "  build-graph: 2 odd-way\n    way 42: odd\n    … and 1 more\n"

  @Test("whoever ran when, the warnings of what is published are told")
  func ofBundles() throws {
    let world = try warningWorld()
    let out = world.folder.file("out")
    #expect(try WarningRecords(ofOutput: out).published("west") == nil)
    try world.run(regions: ["west"])
    #expect(try text(world, "west") == "west: 2 warnings\n" + Self.two)
    #expect(try text(world, "east") == "east: not published\n")
    try world.run(regions: ["east"])
    let idle = try world.run()
    #expect(idle.isNothingToDo && idle.regions.map { $0.warnings?.total } == [2, 2])
    for id in ["west", "east"] { #expect(try text(world, id) == "\(id): 2 warnings\n" + Self.two) }
  }

  @Test("a run that was stopped changes no warning")
  func stopped() throws {
    let world = try warningWorld()
    try world.run()
    // The graphs are made again, and what follows is not.
    try world.before(.computeCosts, ": > \"$here/at-work\"; sleep 600")
    let interruption = Interruption()
    let watcher = Thread {
      while !pathExists(world.folder.file("bin/at-work")) { usleep(2000) }
      interruption.interrupt(SIGTERM)
    }
    watcher.start()
    let summary = try world.orchestrator(force: true, interruption: interruption).run()
    #expect(summary.exitCode == .temporaryFailure)
    #expect(try text(world, "west") == "west: 2 warnings\n" + Self.two)
    #expect(summary.regions.map { $0.warnings?.total } == [2, 2])
  }

  @Test("what is refused has its own warnings, and its figures are not among those published")
  func refused() throws {
    let world = try warningWorld()
    try world.run()
    try warn(world, count: 5)
    try world.folder.write("40", to: "bin/edges")
    let summary = try world.run(force: true)
    #expect(summary.failures.count == 2)
    #expect(summary.regions.map(\.edges) == [100, 100])
    #expect(summary.regions.map { $0.warnings?.total } == [2, 2])
    #expect(
      try text(world, "west") == "west: 2 warnings\n" + Self.two
        + "  the last run refused a bundle with 5 warnings\n    build-graph: 5 odd-way\n"
        + "      way 42: odd\n      … and 4 more\n")
    let status = RegionStatus(0, try world.forecaster(), [:])
    #expect(status.warnings?.total == 2)
    try world.folder.write("100", to: "bin/edges")
    try world.run(force: true)
    #expect(try text(world, "west").hasPrefix("west: 5 warnings\n  build-graph: 5 odd-way\n"))
    #expect(try !text(world, "west").contains("refused"))
  }

  @Test("after a rollback the warnings of the earlier bundle are told again")
  func rolledBack() throws {
    let world = try warningWorld()
    try world.run()
    try warn(world, count: 5)
    try world.folder.write("another line\n", to: "valley.osm.pbf")
    try world.run()
    #expect(try text(world, "west").hasPrefix("west: 5 warnings\n"))
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(RollbackCommand.self, [manifest, "west"]) == .success)
    #expect(try text(world, "west") == "west: 2 warnings\n" + Self.two)
    try world.run()
    #expect(try text(world, "west") == "west: 2 warnings\n" + Self.two)
  }

  @Test("a run records the warnings of bundles of an earlier version, and of a damaged record")
  func recordedAgain() throws {
    let world = try warningWorld()
    try world.run()
    let record = "out/.cairn/warnings/west.json"
    for damage in [nil, "", "{", "[]"] {
      if let damage {
        try world.folder.write(damage, to: record)
        expectError("damaged-record", .dataError) { try text(world, "west") }
      } else {
        try FileManager.default.removeItem(atPath: world.folder.file(record))
        #expect(try text(world, "west").contains("not recorded"))
      }
      #expect(try world.run().isNothingToDo)
      #expect(try text(world, "west") == "west: 2 warnings\n" + Self.two)
    }
  }

  @Test("the command needs a run, and knows the regions of its manifest")
  func command() throws {
    let world = try World()
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(WarningsCommand.self, [manifest]) == .noInput)
    try world.run()
    #expect(CommandRunner.run(WarningsCommand.self, [manifest, "none"]) == .usage)
  }
}
