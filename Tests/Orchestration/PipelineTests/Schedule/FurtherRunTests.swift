// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Fetched sources, stages of the user's and features in a run")
struct FurtherRunTests {
  /// A world whose regions have a further stage.
  private func worldWithStage(_ options: String = "") throws -> World {
    let world = try World()
    try world.writeExecutable(
      """
      #!/bin/sh
      here=${0%/*}; echo "own $*" >> "$here/calls"
      cat "$1" "$2" > "$3"; printf '%s|%s|%s\\n' "$4" "$5" "$6" >> "$3"
      """, "own.sh")
    try world.folder.write("style 1\n", to: "style")
    try world.change(
      "regions:",
      to: """
        stages:
          - name: own
            command: [bin/own.sh, "{input}", "{style}", "{output}", "{region}", "{bbox}", "{threads}"]
            after: build-graph
            inputs: { style: style }
            outputs: ["{region}.own"]
            \(options)
        regions:
        """)
    return world
  }

  @Test("a stage of the user's gets what it asks for, and what it writes joins the bundle")
  func ownStage() throws {
    let world = try worldWithStage()
    #expect(try world.run().failures.isEmpty)
    let lines = try world.text("out/west/west.own").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("first line"))
    #expect(lines[1] == "style 1")
    #expect(lines[2].hasPrefix("west|10.0,47.0,10.1,47.1|"))
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.files.keys.sorted() == ["region.json", "west.own", "west.routing.db"])
    #expect(
      bundle.files["west.own"]?.sha256
        == (try SHA256Digest.ofFile(world.folder.file("out/west/west.own"))))
  }

  @Test("it is redone when its program, its inputs or its input change, and not otherwise")
  func ownStageIsRedone() throws {
    let world = try worldWithStage()
    try world.run()
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
    try world.folder.write("style 2\n", to: "style")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast() == [
        "west: would own: input style changed", "west: would publish: after own",
      ])
    try world.run(regions: ["west"])
    #expect(world.calls == ["own"])
    #expect(try world.text("out/west/west.own").contains("style 2"))
    let script = try world.text("bin/own.sh")
    try world.writeExecutable(script + "\n# new\n", "own.sh")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would own: program changed")
    try world.change("\"{threads}\"", to: "more")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would own: arguments changed, program changed")
  }

  @Test("a region whose own stage fails, or writes nothing, keeps its last bundle")
  func ownStageFails() throws {
    let world = try worldWithStage()
    try world.run(regions: ["west"])
    let before = try world.publishedFiles
    try world.writeExecutable("#!/bin/sh\necho no such luck >&2\nexit 65\n", "own.sh")
    let failure = try world.run(regions: ["west"]).failures.first
    #expect(failure?.stage.rawValue == "own")
    #expect(failure?.message == "own ended with exit code 65 (bad input data)")
    #expect(failure?.lastLines == ["no such luck"])
    try world.writeExecutable("#!/bin/sh\n", "own.sh")
    #expect(
      try world.run(regions: ["west"]).failures.first?.message
        == "own: ended well but wrote no west.own")
    let after = try world.publishedFiles
    #expect(after["west/bundle.json"] == before["west/bundle.json"])
    #expect(after["west/west.own"] == before["west/west.own"])
  }

  @Test("a file that a stage no longer makes leaves the bundle")
  func ownStageIsRemoved() throws {
    let world = try worldWithStage()
    try world.run()
    let text = try world.text("m.yaml")
    let start = try #require(text.range(of: "stages:"))
    let end = try #require(text.range(of: "\nregions:"))
    try world.folder.write(
      String(text[..<start.lowerBound]) + String(text[end.lowerBound...].dropFirst()), to: "m.yaml")
    #expect(try world.run().failures.isEmpty)
    #expect(!pathExists(world.folder.file("out/west/west.own")))
    #expect(!world.events.contains { if case .note = $0 { true } else { false } })
  }

  private func fetchedWorld() throws -> (World, digest: String) {
    let world = try World()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    let url = "file://\(world.folder.file("valley.osm.pbf"))"
    try world.change("pbf: valley.osm.pbf", to: "url: \"\(url)\", sha256: \(digest)")
    return (world, digest)
  }

  @Test("a source is fetched once for all regions, and not again for another program or address")
  func fetches() throws {
    let (world, digest) = try fetchedWorld()
    #expect(try world.run().failures.isEmpty)
    #expect(world.calls.count { $0 == "fetch" } == 1)
    #expect(try world.text("out/west/west.routing.db").contains("first line"))
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.source == .init(name: "valley.osm.pbf", sha256: digest))
    try makeFolders(world.folder.file("elsewhere"))
    try world.folder.write("moved", to: "elsewhere/valley.osm.pbf")
    try world.change("/valley.osm.pbf\"", to: "/elsewhere/valley.osm.pbf\"")
    let script = try world.text("bin/cairn-fetch")
    try world.writeExecutable(script + "\n# new\n", "cairn-fetch")
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
  }

  @Test("the same data from a file and from a URL is decoded once")
  func fetchedOrNot() throws {
    let world = try World()
    try world.run()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    let url = "file://\(world.folder.file("valley.osm.pbf"))"
    try world.change("pbf: valley.osm.pbf", to: "url: \"\(url)\", sha256: \(digest)")
    try world.run()
    #expect(world.calls == ["fetch"])
  }

  private static func feature(_ id: String, _ east: Double) -> String {
    #"{"type": "Feature", "properties": {"id": "\#(id)"}, "geometry": {"type": "Polygon", "#
      + #""coordinates": [[[10, 47], [\#(east), 47], [\#(east), 48]]]}}"#
  }

  @Test("features are regions, and a change of one leaves the others alone")
  func features() throws {
    let world = try World()
    let text = try world.text("m.yaml").split(separator: "regions:")[0]
    try world.folder.write(text + "regions-from: parks.geojson\n", to: "m.yaml")
    func write(_ east: Double, _ comment: String = "") throws {
      let list = [Self.feature("a", 11), Self.feature("b", east)].joined(separator: ",\n")
      try world.folder.write(
        "{\(comment)\"type\": \"FeatureCollection\", \"features\": [\(list)]}", to: "parks.geojson")
    }
    try write(12)
    #expect(try world.run().regions.map(\.id) == ["a", "b"])
    #expect(try world.text("bin/calls").contains("parks.geojson#2"))
    let region = try jsonText(world.text("out/b/region.json"))
    #expect(region["bbox"] as? [Double] == [10, 47, 12, 48])
    try write(12, "\"name\": \"other\", ")
    #expect(try world.orchestrator().forecast() == ["a: up to date", "b: up to date"])
    try write(13)
    #expect(
      try world.orchestrator().forecast().prefix(2) == [
        "a: up to date", "b: would decode-pbf: polygon changed",
      ])
  }

  @Test("a polygon counts by its corners and not by the bytes of its file")
  func polygons() throws {
    let world = try World()
    try world.change("bbox: [10.00, 47.00, 10.10, 47.10]", to: "polygon: w.geojson")
    try world.folder.write(Self.feature("a", 11), to: "w.geojson")
    try world.run(regions: ["west"])
    try world.folder.write(
      Self.feature("a", 11).replacing(" ", with: "\n").replacing("47]", with: "47.0]"),
      to: "w.geojson")
    #expect(try world.orchestrator(regions: ["west"]).forecast() == ["west: up to date"])
    try world.folder.write(Self.feature("a", 11.5), to: "w.geojson")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would decode-pbf: polygon changed")
  }

  @Test("--paranoid finds a changed file whose times say nothing, and a damaged result")
  func paranoid() throws {
    let world = try World()
    try world.run(regions: ["west"])
    // What the cache would believe of another content.
    let cache = DigestCache(world.folder.file("out/.cairn/digests.json"))
    try world.folder.write("other first line\n", to: "valley.osm.pbf")
    cache.remember(
      try SHA256Digest.ofText("first line\nsecond line\n"),
      ofFile: world.folder.file("valley.osm.pbf"))
    try cache.save()
    #expect(try world.orchestrator(regions: ["west"]).forecast() == ["west: up to date"])
    let paranoid = try world.orchestrator(regions: ["west"], paranoid: true)
    #expect(paranoid.forecast().first == "west: would decode-pbf: source valley.osm.pbf changed")

    try world.folder.write("first line\nsecond line\n", to: "valley.osm.pbf")
    let key = try world.text("out/.cairn/latest/west.build-graph").prefix { $0 != "\n" }
    let path = "out/.cairn/actions/\(key)/region.graph"
    let damaged = try world.text(path).replacing("first", with: "FIRST")
    try world.folder.write(damaged, to: path)
    #expect(try world.orchestrator(regions: ["west"]).forecast() == ["west: up to date"])
    #expect(
      try world.orchestrator(regions: ["west"], paranoid: true).forecast().first
        == "west: would build-graph: its result is gone")
  }
}

/// A text of JSON as a dictionary.
func jsonText(_ text: String) throws -> [String: Any] {
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  guard let object = value as? [String: Any] else { throw TestFailure("no JSON object: \(text)") }
  return object
}
