// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import Charts
import CommandLineKit
import Foundation
import Pipeline
import SystemIO
import TestSupport
import Testing

@testable import Reports

@Suite("Pages of runs")
struct BuildPageTests {
  private static let key = String(repeating: "a", count: 64)
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for path in ["out/.cairn/runs/1", "out/.cairn/runs/2", "out/.cairn/actions/\(Self.key)"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(path), withIntermediateDirectories: true)
    }
  }

  /// Records a run of a region, and of one that failed if there is a reason.
  private func record(
    _ number: Int, edges: Int = 2000, start: String = #""start": 1.5,"#, failure: String? = nil
  ) throws {
    let failed = failure.map { _ in
      #", { "id": "east", "status": "failed", "seconds": 1, "stages": [] }"#
    }
    let failures = failure.map {
      #"{ "region": "east", "stage": "build-graph", "message": "\#($0)", "lastLines": ["one", "two"] }"#
    }
    try folder.write(
      """
      {
        "run": \(number), "manifest": "/data/alps.yaml", "started": "2026-05-01T12:00:00Z",
        "seconds": 90, "version": "0.1.0", "failures": [\(failures ?? "")],
        "regions": [
          { "id": "west", "status": "built", "seconds": 80, "edges": \(edges), "bytes": 4096,
            "stages": [
              { "stage": "build-graph", "seconds": 40, \(start) "peakBytes": 1048576,
                "key": "\(Self.key)" },
              { "stage": "validate", "seconds": 2, \(start)
                "key": "../../../etc" }
            ] }\(failed ?? "")
        ]
      }
      """, to: "out/.cairn/runs/\(number)/report.json")
  }

  private func recordStage() throws {
    let path = "out/.cairn/actions/\(Self.key)/"
    try folder.write(
      """
      { "checks": [
        { "rule": "orphans", "status": "warning", "count": 2, "details": ["node 7"] },
        { "rule": "isolated", "status": "info", "count": 2, "details": ["node 8"] },
        { "rule": "damage", "status": "error", "count": 1, "details": ["edge 9"] },
        { "rule": "kept", "status": "pass", "count": 0, "details": [] }
      ] }
      """, to: path + "validation.json")
  }

  private func page(_ number: Int? = nil) throws -> String {
    BuildPage(try RecordedRun(folder.file("out"), number: number)).page.html
  }

  /// Publishes a bundle and records its warnings.
  private func publish(warnings: Bool = true) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("out/west"), withIntermediateDirectories: true)
    let record = BundleRecord(
      id: "west", name: "West", generator: "cairn", licence: "", attribution: "",
      source: .init(name: "a.osm.pbf", sha256: "ef"), dataTimestamp: nil,
      counts: .init(nodes: 7, edges: 8, components: 1), elevationCoverage: 1, variants: nil,
      files: [:])
    let bytes = try encodeJSON(record)
    try folder.write(bytes, to: "out/west/bundle.json")
    guard warnings else { return }
    let digest = SHA256Digest()
    digest.update(bytes)
    try FileManager.default.createDirectory(
      atPath: folder.file("out/.cairn/warnings"), withIntermediateDirectories: true)
    try folder.write(
      """
      { "region": "west", "bundles": { "\(digest.finish())": { "drift": [], "kinds": [
        { "stage": "build-graph", "kind": "missing-node", "count": 3,
          "examples": ["way 12 lacks <b>a node</b>"] }
      ] } } }
      """, to: "out/.cairn/warnings/west.json")
  }

  @Test("a page shows the regions, a bar for each stage, warnings and findings, errors first")
  func whole() throws {
    try record(1)
    try recordStage()
    try publish()
    let page = try page()
    #expect(page.contains("Build of alps.yaml") && page.contains("✓ all regions published"))
    #expect(page.contains("✓ built") && page.contains("2 stages over time"))
    #expect(page.contains("missing-node"))
    #expect(page.contains("/way/12\"") && page.contains("&lt;b&gt;a node&lt;/b&gt;"))
    let (damage, isolated) = (page.range(of: "damage"), page.range(of: "isolated"))
    #expect(try #require(damage).lowerBound < #require(isolated).lowerBound)
    // A warning of the validator is among those of the bundle.
    #expect(!page.contains(">kept<") && !page.contains("orphans"))
    #expect(page.contains("There is no earlier run to compare with."))
    #expect(try self.page() == page)
  }

  @Test("regions are on a map with what became of them, also one across the antimeridian")
  func map() throws {
    func region(_ id: String, _ status: String) -> RecordedRun.Region {
      .init(id: id, status: status, isHeld: false, seconds: 1, stages: [], drift: [])
    }
    #expect(RegionsMap([]) == nil)
    let west = BoundingBox(west: 1, south: 42, east: 2, north: 43)
    let far = BoundingBox(west: 179, south: 42, east: -179, north: 43)
    let map = try #require(
      RegionsMap([
        (west, region("west<b>", "built"), "✓ built"), (far, region("far", "failed"), "✗ failed"),
      ]))
    var page = SVGText()
    map.add(to: &page)
    #expect(page.markup.contains(">west&lt;b&gt; ✓<") && page.markup.contains(">far ✗<"))
    #expect(page.markup.contains("region built") && page.markup.contains("region failed"))
    #expect(page.markup.split(separator: "<rect").count == 3)
  }

  @Test("the names on a map are large enough for its screen, and stay within their region")
  func names() throws {
    let box = BoundingBox(west: 10, south: 47, east: 10.4, north: 47.2)
    let frame = try #require(
      MapFrame(
        around: [
          [
            Coordinate(latitude: 47, longitude: 10), Coordinate(latitude: 47.2, longitude: 10.4),
          ]
        ], isTight: true))
    let (low, high) = (
      frame.position(Coordinate(latitude: 47.2, longitude: 10)),
      frame.position(Coordinate(latitude: 47, longitude: 10.4))
    )
    // Most of a tight frame is the region.
    #expect((high.x - low.x) / frame.width > 0.85 && (high.y - low.y) / frame.height > 0.65)
    let area = (x: low.x...high.x, y: low.y...high.y)
    let labels = [10.001, 10.2].map {
      PlaceLabel(
        kind: .settlement, name: "Unterarven Dorf",
        coordinate: Coordinate(latitude: 47.1, longitude: $0))
    }
    #expect(MapNames(labels, frame, in: [area]).names.map(\.isShown) == [false, true])
    let region = RecordedRun.Region(
      id: "west", status: "built", isHeld: false, seconds: 1, stages: [], drift: [])
    var page = SVGText()
    try #require(RegionsMap([(box, region, "✓ built")])).add(to: &page)
    let sizes = page.markup.components(separatedBy: " font-size=\"").dropFirst()
      .compactMap { Double($0.prefix { $0 != "\"" }) }
    // 12 pixels on a desktop and on a phone 340 pixels wide.
    #expect(sizes.count == 2)
    #expect(abs((sizes.last ?? 0) * 340 / frame.width - 12) < 0.1)
    #expect((sizes.first ?? 0) < (sizes.last ?? 0))
  }

  @Test("a run in which no stage began says so")
  func nothingRan() throws {
    try record(1, start: "")
    try record(2, start: "")
    let path = "out/.cairn/runs/2/report.json"
    let text = try String(contentsOfFile: folder.file(path), encoding: .utf8)
    try folder.write(
      text.replacing(#""seconds": 40,"#, with: "").replacing(#""seconds": 2,"#, with: ""), to: path)
    let page = try page(2)
    #expect(page.contains("No stage ran.") && !page.contains("when its stages began"))
    #expect(try self.page(1).contains("when its stages began"))
  }

  @Test("the page of a run without work has the warnings of what is published")
  func idle() throws {
    try record(1, start: "")
    #expect(try page().contains("There are none."))
    try publish(warnings: false)
    #expect(try page().contains("Those of west are not recorded; the next run does that."))
    try publish()
    try record(2, start: "")
    let path = "out/.cairn/runs/2/report.json"
    let text = try String(contentsOfFile: folder.file(path), encoding: .utf8)
    let stages = try #require(text.range(of: #""stages": ["#))
    let end = try #require(
      text.range(of: "]", options: .backwards, range: stages.upperBound..<text.endIndex))
    let last = try #require(text.range(of: "]", range: stages.upperBound..<end.lowerBound))
    try folder.write(
      text.replacingCharacters(in: stages.upperBound..<last.lowerBound, with: ""), to: path)
    let page = try page()
    #expect(page.contains("Everything existed already; no stage ran."))
    #expect(page.contains("missing-node") && page.contains(">3<"))
  }

  @Test("a run is compared with the one before, and failures show what happened")
  func twoRuns() throws {
    try record(1)
    try record(2, edges: 2500, failure: "way 5 is <broken>")
    let page = try page()
    #expect(page.contains("Compared with run 1") && page.contains("+25 %"))
    #expect(page.contains("✗ 1 region failed") && page.contains("✗ east: build-graph"))
    #expect(page.contains("is &lt;broken&gt;") && page.contains("<pre>one\ntwo</pre>"))
    #expect(try !self.page(1).contains("Compared with run"))
  }
}
