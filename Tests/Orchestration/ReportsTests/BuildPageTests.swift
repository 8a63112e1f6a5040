// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import Charts
import Foundation
import Pipeline
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
                "warnings": 3, "key": "\(Self.key)" },
              { "stage": "validate", "seconds": 2, \(start) "warnings": 0,
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
      { "stage": "cairn-build-graph", "version": "0.1.0", "input": {}, "output": {},
        "warnings": [
          { "kind": "missing-node", "count": 3, "examples": ["way 12 lacks <b>a node</b>"] }
        ], "wallSeconds": 40, "cpuSeconds": 39, "peakBytes": 1048576 }
      """, to: path + "report.json")
    try folder.write(
      """
      { "checks": [
        { "rule": "orphans", "status": "warning", "count": 2, "details": ["node 7"] },
        { "rule": "damage", "status": "error", "count": 1, "details": ["edge 9"] },
        { "rule": "kept", "status": "pass", "count": 0, "details": [] }
      ] }
      """, to: path + "validation.json")
  }

  private func page(_ number: Int? = nil) throws -> String {
    BuildPage(try RecordedRun(folder.file("out"), number: number)).page.html
  }

  @Test("a page shows the regions, a bar for each stage, warnings and findings, errors first")
  func whole() throws {
    try record(1)
    try recordStage()
    let page = try page()
    #expect(page.contains("Build of alps.yaml") && page.contains("✓ all regions published"))
    #expect(page.contains("✓ built") && page.contains("2 stages over time"))
    #expect(page.contains("missing-node"))
    #expect(page.contains("/way/12\"") && page.contains("&lt;b&gt;a node&lt;/b&gt;"))
    let (damage, orphans) = (page.range(of: "damage"), page.range(of: "orphans"))
    #expect(try #require(damage).lowerBound < #require(orphans).lowerBound)
    #expect(!page.contains(">kept<"))
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

  @Test("the results that a run refers to may be gone, and then the page says so")
  func gone() throws {
    try record(1, start: "")
    let page = try page()
    #expect(page.contains("There were 3, but their results are no longer kept."))
    #expect(page.contains("does not say when its stages began"))
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
