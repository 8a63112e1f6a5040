// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Paranoid runs")
struct ParanoidRunTests {
  @Test("--paranoid finds a changed file that the cache takes for unchanged, and a damaged result")
  func paranoid() throws {
    let world = try World()
    try world.run(regions: ["west"])
    // The cache is made to take the new content for the old one.
    let cache = DigestCache(world.folder.file("out/.cairn/digests.json"))
    try world.folder.write("other first line\n", to: "valley.osm.pbf")
    cache.remember(
      SHA256Digest.ofText("first line\nsecond line\n"),
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
