// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Foundation
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Remote sources in a run")
struct RemoteSourceTests {
  private func downloadWorld() throws -> (World, digest: String) {
    let world = try World()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    let url = "file://\(world.folder.file("valley.osm.pbf"))"
    try world.change("pbf: valley.osm.pbf", to: "url: \"\(url)\", sha256: \(digest)")
    return (world, digest)
  }

  @Test("a source is downloaded once for all regions, and not again with another program or URL")
  func fetches() throws {
    let (world, digest) = try downloadWorld()
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

  @Test("the same data is decoded once, whether it comes from a file or from a URL")
  func fetchedOrNot() throws {
    let world = try World()
    try world.run()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    let url = "file://\(world.folder.file("valley.osm.pbf"))"
    try world.change("pbf: valley.osm.pbf", to: "url: \"\(url)\", sha256: \(digest)")
    try world.run()
    #expect(world.calls == ["fetch"])
  }
}
