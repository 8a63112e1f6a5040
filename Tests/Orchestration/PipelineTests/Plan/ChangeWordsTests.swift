// SPDX-License-Identifier: Apache-2.0
import Foundation
import Manifests
import ResultStore
import RunSupport
import TestSupport
import Testing

@testable import Pipeline
@testable import Planning

@Suite("Why something runs, in words of the manifest")
struct ChangeWordsTests {
  /// Why the first action of west that is not up to date would run.
  private func reason(_ world: World, sourceDateEpoch: String? = nil) throws -> String? {
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: ["west"])
    var options = Orchestrator.Options(
      programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1)
    options.sourceDateEpoch = sourceDateEpoch
    return Forecaster(plan, options).lines().first
  }

  @Test(
    "an edit of the manifest is told by its key, with the value now and the one before",
    arguments: [
      (
        "[10.00, 47.00, 10.10", "[10.01, 47.00, 10.10",
        "decode-pbf: bbox: now 10.01,47.0,10.1,47.1 (was 10.0,47.0,10.1,47.1)", "decode-pbf: bbox"
      ),
      (
        "profiles: [hiking, mine.yaml]", "profiles: [hiking]",
        "compute-costs: profiles: now hiking (was hiking, mine.yaml)",
        "compute-costs: profiles: now hiking, mine.yaml (was hiking)"
      ),
      (
        "profiles: [hiking, mine.yaml]", "profiles: [mine.yaml, hiking]",
        "compute-costs: profiles: now mine.yaml, hiking (was hiking, mine.yaml)",
        "compute-costs: profiles: now hiking, mine.yaml"
      ),
      (
        "elevation: [{ hgt: hgt }]", "elevation: none", "build-graph: elevation: now none",
        "build-graph: elevation: now from sample-elevation"
      ),
      (
        "elevation: [{ hgt: hgt }]", "elevation: [{ hgt: hgt }, { hgt: more }]",
        "sample-elevation: elevation: now folder 1, folder 2 (was folder 1)",
        "sample-elevation: elevation: now folder 1 (was folder 1, folder 2)"
      ),
      (
        "elevation: [{ hgt: hgt }]",
        "elevation: { sources: [{ hgt: hgt }], smoothing-metres: 30, step-metres: 9 }",
        "sample-elevation: smoothing-metres: now 30.0; step-metres: now 9.0",
        "sample-elevation: smoothing-metres: no longer set (was 30.0); "
          + "step-metres: no longer set (was 9.0)"
      ),
      (
        "defaults: {", "defaults: { date: 2026-07-15, island-threshold-km: 5,",
        "compute-costs: date: now 2026-07-15; island-threshold-km: now 5.0",
        "compute-costs: date: no longer set (was 2026-07-15); "
          + "island-threshold-km: no longer set (was 5.0)"
      ),
      (
        "name: West", "name: Wild West", "compute-costs: name: now Wild West (was West)",
        "compute-costs: name: now West (was Wild West)"
      ),
      (
        "profiles: [hiking", "routable-highways: [path, track]\nprofiles: [hiking",
        "decode-pbf: routable-highways: now path,track",
        "decode-pbf: routable-highways: no longer set (was path,track)"
      ),
      (
        "pbf: valley.osm.pbf", "pbf: other.osm.pbf",
        "decode-pbf: source: now other.osm.pbf (was valley.osm.pbf)",
        "decode-pbf: source: now valley.osm.pbf (was other.osm.pbf)"
      ),
      (
        "pbf: valley.osm.pbf", "pbf: valley.osm.pbf, changes: [day.osc]",
        "decode-pbf: changes: now entry 1", "decode-pbf: changes: no longer set (was entry 1)"
      ),
    ])
  func edits(old: String, new: String, there: String, back: String) throws {
    let world = try World()
    try world.folder.write("first line\nsecond line\n", to: "other.osm.pbf")
    try world.folder.write("<osmChange/>", to: "day.osc")
    try FileManager.default.createDirectory(
      atPath: world.folder.file("more"), withIntermediateDirectories: true)
    try world.run(regions: ["west"])
    try world.change(old, to: new)
    #expect(try reason(world) == "west: would \(there)")
    #expect(try world.run(regions: ["west"]).failures.isEmpty)
    // The way back is told alike, once its results are gone.
    try FileManager.default.removeItem(atPath: world.folder.file("out/.cairn/attempts"))
    try world.change(new, to: old)
    for key in try lostKeys(world) {
      try FileManager.default.removeItem(atPath: world.folder.file("out/.cairn/actions/\(key)"))
    }
    let reason = try #require(try reason(world))
    #expect(reason.hasPrefix("west: would \(back)"), "\(reason)")
  }

  /// The results of the first run of west that the second one did not use.
  private func lostKeys(_ world: World) throws -> [String] {
    let latest = try FileManager.default.contentsOfDirectory(
      atPath: world.folder.file("out/.cairn/latest")
    ).filter { $0.hasPrefix("west.") }
    let used = try latest.map { try world.text("out/.cairn/latest/\($0)").prefix { $0 != "\n" } }
    return try FileManager.default.contentsOfDirectory(
      atPath: world.folder.file("out/.cairn/actions")
    ).filter { !used.contains(Substring($0)) }
  }

  @Test(
    "an edit that only publishing feels is told by its key, too, or by the file that comes or goes")
  func published() throws {
    let world = try World()
    try world.change("waypoints: false\n", to: "")
    try world.run(regions: ["west"])
    try world.change("search: false\n", to: "search: false\nwaypoints: false\n")
    #expect(try reason(world) == "west: would publish: west.waypoints.db is gone")
    try world.change(
      "id: west, name", to: "id: west, uuid: 01234567-89AB-CDEF-0123-456789ABCDEF, name")
    let told = try #require(try reason(world))
    #expect(
      told.contains(
        #/^west: would publish: uuid: now 01234567-89AB-CDEF-0123-456789ABCDEF \(was [0-9A-F-]{36}\); /#
      ),
      "\(told)")
    #expect(told.hasSuffix("; west.waypoints.db is gone"))
  }

  @Test("what no manifest says is told by the name of a program, a stage or a variable")
  func others() throws {
    let world = try World()
    try world.run()
    #expect(
      try reason(world, sourceDateEpoch: "86400")
        == "west: would decode-pbf: SOURCE_DATE_EPOCH: now 86400")
    let script = try world.text("bin/cairn-decode-pbf")
    try world.writeExecutable(script + "\n# new\n", "cairn-decode-pbf")
    #expect(try reason(world) == "west: would decode-pbf: Cairn itself (stage decode-pbf) changed")
    try world.change("[10.00, 47.00, 10.10", to: "[10.01, 47.00, 10.10")
    #expect(
      try reason(world)
        == "west: would decode-pbf: bbox: now 10.01,47.0,10.1,47.1 (was 10.0,47.0,10.1,47.1); "
        + "Cairn itself (stage decode-pbf) changed")
  }

  @Test("every part of a key has a name that a user knows")
  func parts() throws {
    let world = try World()
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: ["west"])
    func changes(
      _ stage: Stage, _ old: [(String, String)], _ new: [(String, String)]
    ) throws -> [String] {
      func key(_ parts: [(String, String)]) -> ActionKey {
        ActionKey(parts.map { ActionKey.Component(name: $0.0, value: $0.1) })
      }
      let action = try #require(plan.actions.first { $0.stage == stage } ?? plan.actions.last)
      let like = Action(
        region: 0, stage: stage, arguments: action.arguments, dependencies: action.dependencies)
      return key(new).changes(since: key(old).components, of: like, in: plan).map(\.description)
    }
    let graph = ("arguments", "--input\n@0\n--trails\n@1\n--output\n@output")
    #expect(
      try changes(
        .buildGraph, [graph, ("input", "columns:1"), ("trails", "columns:2")],
        [graph, ("input", "columns:3"), ("trails", "columns:4")])
        == ["the result of sample-elevation changed", "the result of decode-pbf changed"])
    // The same words, called in another way or in another version.
    for (old, new) in [
      (("arguments", "--input\n@0"), ("arguments", "--input\n@0\n--json")),
      (("stage", "validate 1"), ("stage", "validate 2")),
      (("executable", "a"), ("executable", "b")),
    ] {
      #expect(
        try changes(.validate, [old, ("input", "1")], [new, ("input", "1")])
          == ["Cairn itself (stage validate) changed"])
    }
    let grid = Stage.gridElevation(tile: "N47E010", source: 1)
    let tile = (
      "arguments", "--tile\nN47E010\n--raster\n@0\n--resolution\n1\n--gdal\n3.6\n--hgt\n@1"
    )
    let finer = (
      "arguments", "--tile\nN47E010\n--raster\n@0\n--resolution\n0.5\n--gdal\n3.7\n--hgt\n@1"
    )
    #expect(
      try changes(
        grid, [tile, ("raster 1", "1"), ("next N47E011", "1")],
        [finer, ("raster 1", "2"), ("next N47E011", "2")])
        == [
          "resolution: now 0.5 (was 1)", "GDAL: now 3.7 (was 3.6)", "raster 1 changed",
          "tile N47E011 of the next elevation source changed",
        ])
    let sampled = ("arguments", "--input\n@0\n--hgt\n@1")
    #expect(
      try changes(
        .sampleElevation, [sampled, ("input", "1"), ("elevation 2 N47E010", "1")],
        [sampled, ("input", "1"), ("elevation 2 N47E010", "2")])
        == ["tile N47E010 of elevation source 2 changed"])
    #expect(
      try changes(
        .validate, [("arguments", "--input\n@0\n--json"), ("input", "1")],
        [("arguments", "--input\n@0\n--json\n--without-elevation"), ("input", "1")])
        == ["elevation: now none"])
    let sums = ["a", "b"].map { String(repeating: $0, count: 64) }
    #expect(
      try changes(
        .fetch(product: "x"), [("arguments", "--sha256\n\(sums[0])\n@output")],
        [("arguments", "--sha256\n\(sums[1])\n@output")])
        == ["sha256: now bbbbbbbbbbbb… (was aaaaaaaaaaaa…)"])
    #expect(
      try changes(
        .custom(name: "own", products: ["a"]),
        [
          ("outputs", "a"), ("arguments", "@0\n@joined [\"5 --in=\", \"2 @1\"]\n@@x"),
          ("program", "1"), ("input", "1"),
        ],
        [
          ("outputs", "a\nb"), ("arguments", "@0\n@joined [\"6 --out=\", \"7 @output\"]\n@2"),
          ("program", "1"), ("input", "1"), ("file style", "1"),
        ])
        == [
          "arguments of the command: now --out={output} style (was --in={input} @x)",
          "outputs: now a, b (was a)",
        ])
  }
}
