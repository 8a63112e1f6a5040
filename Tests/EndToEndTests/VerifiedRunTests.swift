// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

/// A manifest of two regions of the sample, whose inputs are copies that may be changed.
private struct PublishedSample {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["valley.osm.pbf", "valley.mbtiles"] {
      try folder.write(bytesOfFile("\(packageRoot)/sample-data/\(name)"), to: name)
    }
    try FileManager.default.createDirectory(
      atPath: folder.file("updates"), withIntermediateDirectories: true)
    try folder.write("cairn-profile: 1\nname: mine\nbased-on: hiking\n", to: "mine.yaml")
    try folder.write("#!/bin/sh\ncp \"$2\" \"$1\"\n", to: "own.sh")
    try folder.write("style\n", to: "style")
    try folder.write(
      """
      cairn: 1
      name: valley
      output: out
      sources: { valley: { pbf: valley.osm.pbf, changes: updates } }
      elevation: [{ hgt: \(packageRoot)/sample-data/hgt }]
      profiles: [mine.yaml]
      tiles: [trails]
      defaults: { source: valley, checks: { max-drift: 0.1 }, base-map: valley.mbtiles }
      stages:
        - name: own
          after: build-graph
          command: [sh, "\(folder.file("own.sh"))", "{output}", "{style}"]
          inputs: { style: style }
          outputs: ["{region}.own"]
      regions:
        - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
        - { id: east, name: East, bbox: [10.10, 47.00, 10.20, 47.10] }
      """, to: "m.yaml")
  }

  func change(_ old: String, to new: String, in name: String = "m.yaml") throws {
    let text = String(decoding: try folder.read(name), as: UTF8.self)
    guard text.contains(old) else { throw TestFailure("\(name) has no “\(old)”") }
    try folder.write(text.replacing(old, with: new), to: name)
  }

  func cairn(_ words: [String]) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  func run(_ words: String..., ending status: Int32 = 0) throws -> ProcessResult {
    let result = try cairn(["run", folder.file("m.yaml")] + words)
    guard result.status == status else {
      throw TestFailure("run ended with \(result.status): \(result.stdout)\(result.stderr)")
    }
    return result
  }

  func json(_ name: String) throws -> [String: Any] {
    try jsonObject(String(decoding: folder.read(name), as: UTF8.self))
  }

  /// Runs again and is killed when it is about to give the index its name: right after the exchange
  /// of the bundle.
  func runKilledBeforeTheIndex() throws {
    let command = [
      "-f", "-q", "-o", folder.file("calls.txt"), "-P",
      folder.file("out/.cairn/staging/index.json"),
      "-e", "trace=/^rename", "-e", "inject=/^rename:signal=SIGKILL",
      "\(Executables.folder)/cairn", "run", folder.file("m.yaml"), "-q", "--regions", "west",
    ]
    let result = try runProcess("strace", command, environment: Executables.environment)
    guard result.status == 128 + 9 else { throw TestFailure("not killed: \(result.stderr)") }
  }

  func verification() throws -> ProcessResult {
    try cairn(["bundle", "verify", folder.file("out")])
  }

  func expectIntact(_ run: Comment, _ location: SourceLocation = #_sourceLocation) throws {
    let result = try verification()
    #expect(
      result.status == 0, "after \(run): \(result.stdout)\(result.stderr)",
      sourceLocation: location)
  }
}

@Suite("What a run publishes verifies, whatever the run was")
struct VerifiedRunTests {
  /// A path near the western border of the sample, at a time.
  private func change(_ time: String, atLongitude longitude: String = "10.00") -> String {
    """
    <osmChange version="0.6"><create>
    <node id="90000001" version="1" timestamp="\(time)" lat="47.05" lon="\(longitude)2"/>
    <node id="90000002" version="1" timestamp="\(time)" lat="47.051" lon="\(longitude)3"/>
    <way id="90000003" version="1" timestamp="\(time)"><nd ref="90000001"/>
    <nd ref="90000002"/><tag k="highway" v="path"/></way></create></osmChange>
    """
  }

  @Test("runs of every kind, one after the other")
  func everyKind() throws {
    let sample = try PublishedSample()
    let folder = sample.folder
    _ = try sample.run()
    try sample.expectIntact("the first build")
    #expect(try sample.run().stdout.contains("nothing to do"))
    try sample.expectIntact("a run with nothing to do")

    try folder.write("cairn-profile: 1\nname: mine\nbased-on: cycling\n", to: "mine.yaml")
    let published = try folder.read("out/west/west.routing.db")
    _ = try sample.run(ending: 1)
    #expect(try folder.read("out/west/west.routing.db") == published)
    try sample.expectIntact("a drift that was refused")
    _ = try sample.run("--accept-drift", "all")
    #expect(try folder.read("out/west/west.routing.db") != published)
    try sample.expectIntact("a changed profile")

    try folder.write(change("2027-03-04T05:06:07Z"), to: "updates/1.osc")
    _ = try sample.run()
    try sample.expectIntact("changes of a source")
    try folder.write(change("2027-03-05T05:06:07Z"), to: "updates/2.osc")
    try sample.runKilledBeforeTheIndex()
    let record = try sample.json("out/west/bundle.json")
    #expect(record["dataTimestamp"] as? String == "2027-03-05T05:06:07Z")
    let behind = try sample.verification()
    #expect(behind.status == 65)
    #expect(behind.stdout.contains("a run was interrupted"), "\(behind.stdout)")
    #expect(behind.stdout.contains("index.json: does not match the published bundles of west"))
    #expect(behind.stdout.split(separator: "\n").count { $0.hasSuffix(": intact") } == 2)
    let status = try sample.cairn(["status", folder.file("m.yaml"), "--regions", "west"])
    #expect(status.status == 1)
    #expect(
      status.stdout.contains("index.json does not match the published bundle"), "\(status.stdout)")
    _ = try sample.run()
    try sample.expectIntact("a run after one that was killed before the index")

    #expect(try sample.cairn(["rollback", folder.file("m.yaml"), "west"]).status == 0)
    try sample.expectIntact("a rollback")
    _ = try sample.run()
    try sample.expectIntact("a run that holds back what was rolled back")
    #expect(try sample.cairn(["rollback", folder.file("m.yaml"), "west", "--undo"]).status == 0)
    _ = try sample.run()
    try sample.expectIntact("a rollback that was undone")

    try folder.write(Array(folder.read("valley.osm.pbf").dropLast(1000)), to: "valley.osm.pbf")
    try sample.change("name: West", to: "name: Far West")
    _ = try sample.run(ending: 1)
    try sample.expectIntact("a failure of regions that were renamed")
    try folder.write(bytesOfFile("\(packageRoot)/sample-data/valley.osm.pbf"), to: "valley.osm.pbf")
    try FileManager.default.removeItem(atPath: folder.file("updates/2.osc"))
    _ = try sample.run()
    try sample.expectIntact("a changed source")

    try sample.change(
      "name: East", to: "name: East, variants: [{ name: bike, profiles: [cycling] }]")
    _ = try sample.run()
    #expect(FileManager.default.fileExists(atPath: folder.file("out/east/east.bike.routing.db")))
    try sample.expectIntact("a variant")

    let map = try folder.read("valley.mbtiles")
    try FileManager.default.removeItem(atPath: folder.file("valley.mbtiles"))
    try folder.write(map, to: "valley.mbtiles")
    try changeDatabase(
      folder.file("valley.mbtiles"), ["UPDATE metadata SET value = 'Other' WHERE name = 'name'"])
    try folder.write("another style\n", to: "style")
    _ = try sample.run()
    #expect(try folder.read("out/west/west.own") == Array("another style\n".utf8))
    try sample.expectIntact("another base map and input of a stage")

    try sample.change("  - { id: east", to: "  - { id: orient")
    _ = try sample.run()
    try sample.expectIntact("a run without a region that left")
    _ = try sample.cairn(["gc", folder.file("m.yaml")])
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/east")))
    try sample.expectIntact("gc")
    _ = try sample.run("--force")
    try sample.expectIntact("a run by force")
  }

  @Test("a kill right after the first of all bundles is told, and the next run mends it")
  func killedAtFirst() throws {
    let sample = try PublishedSample()
    try sample.runKilledBeforeTheIndex()
    #expect(!FileManager.default.fileExists(atPath: sample.folder.file("out/index.json")))
    let behind = try sample.verification()
    #expect(behind.status == 65)
    #expect(
      behind.stdout.contains("does not match the published bundles of west: a run was interrupted"))
    #expect(try sample.cairn(["bundle", "verify", sample.folder.file("out/west")]).status == 0)
    // Whatever the next run is about.
    _ = try sample.run("--regions", "east")
    try sample.expectIntact("a run of another region")
    let regions = try #require(try sample.json("out/index.json")["regions"] as? [[String: Any]])
    #expect(regions.map { $0["id"] as? String } == ["west", "east"])
  }

  @Test("a bundle is as old as the last change that reaches it, and its record names them")
  func dates() throws {
    let sample = try PublishedSample()
    let folder = sample.folder
    // Changes further in the east would be near the other region, too. The base map has none of that.
    try sample.change("bbox: [10.00,", to: "bbox: [9.50,")
    try sample.change(", base-map: valley.mbtiles }", to: " }")
    _ = try sample.run()
    let before = try sample.json("out/east/bundle.json")
    try folder.write(
      change("2027-03-04T05:06:07Z", atLongitude: "9.50"), to: "updates/1.osc")
    _ = try sample.run()
    let bundle = try sample.json("out/west/bundle.json")
    #expect(bundle["dataTimestamp"] as? String == "2027-03-04T05:06:07Z")
    let source = try #require(bundle["source"] as? [String: Any])
    let changes = try #require(source["changes"] as? [[String: Any]])
    #expect(source["name"] as? String == "valley.osm.pbf")
    #expect(source["sha256"] as? String == (try SHA256Digest.ofFile(folder.file("valley.osm.pbf"))))
    #expect(changes.map { $0["name"] as? String } == ["1.osc"])
    let digest = try SHA256Digest.ofFile(folder.file("updates/1.osc"))
    #expect(changes.map { $0["sha256"] as? String } == [digest])
    let time = try Date("2027-03-04T05:06:07Z", strategy: .iso8601)
    #expect(
      try sample.json("out/west/region.json")["createdAt"] as? Double
        == time.timeIntervalSinceReferenceDate)
    let index = try #require(try sample.json("out/index.json")["regions"] as? [[String: Any]])
    #expect(index.first?["dataTimestamp"] as? String == "2027-03-04T05:06:07Z")
    let status = try jsonObject(
      sample.cairn(["status", folder.file("m.yaml"), "--json"]).stdout)
    let west = try #require((status["regions"] as? [[String: Any]])?.first)
    #expect(west["dataTimestamp"] as? String == "2027-03-04T05:06:07Z")
    let age = try #require(west["dataAgeSeconds"] as? Double)
    #expect(abs(age - max(0, -time.timeIntervalSinceNow)) < 3600)
    let table = try sample.cairn(["status", folder.file("m.yaml")]).stdout
    #expect(table.contains("2027-03-04"), "\(table)")
    try sample.expectIntact("changes")
    // The other region, which no change reaches, says what it said before.
    #expect(NSDictionary(dictionary: try sample.json("out/east/bundle.json")).isEqual(to: before))
  }

  private static let earlier = sharedData("andorra-2013.osm.pbf")
  private static let later = sharedData("andorra.osm.pbf")
  private static let hasOsmium = FileManager.default.isExecutableFile(atPath: "/usr/bin/osmium")

  @Test(
    "an extract of 2013 with the changes up to 2020 is of 2020",
    .enabled(
      if: earlier != nil && later != nil && hasOsmium, "needs osmium-tool and ../shared/data"))
  func sevenYears() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try #require(Self.earlier), try #require(Self.later))
    let changes = folder.file("changes.osc.gz")
    let derived = try runProcess(
      "osmium", ["derive-changes", "--no-progress", old, new, "-o", changes])
    try #require(derived.status == 0, "\(derived.stderr)")
    let manifest = try folder.write(
      """
      cairn: 1
      name: years
      output: out
      sources: { andorra: { pbf: \(old), changes: \(changes) } }
      elevation: none
      profiles: [hiking]
      regions:
        - { id: andorra, name: Andorra, source: andorra, bbox: [1.40, 42.42, 1.79, 42.66] }
      """, to: "m.yaml")
    try Executables.succeed("cairn", ["run", manifest, "-q"])
    try Executables.succeed("cairn", ["bundle", "verify", folder.file("out")])
    let bundle = try jsonObject(
      String(decoding: folder.read("out/andorra/bundle.json"), as: UTF8.self))
    #expect((bundle["dataTimestamp"] as? String)?.hasPrefix("2020-05-01T") == true)
    #expect(try Executables.run("cairn", ["status", manifest]).stdout.contains("2020-05-01"))
  }
}
