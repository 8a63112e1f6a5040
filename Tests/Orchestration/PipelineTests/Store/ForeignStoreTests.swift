// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Planning
import ResultStore
import RunCommands
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("A store that others have changed")
struct ForeignStoreTests {
  @Test("a report that was altered or removed is made again", arguments: ["{}", nil])
  func alteredReport(content: String?) throws {
    let world = try World()
    try world.run(regions: ["west"])
    let before = try world.publishedFiles
    let key = try world.text("out/.cairn/latest/west.decode-pbf").prefix { $0 != "\n" }
    let path = "out/.cairn/actions/\(key)/report.json"
    if let content {
      try world.folder.write(content, to: path)
    } else {
      try FileManager.default.removeItem(atPath: world.folder.file(path))
    }
    #expect(try world.run(regions: ["west"]).failures.isEmpty)
    #expect(world.calls == ["decode-pbf"])
    #expect(try world.publishedFiles == before)
  }

  @Test("a result of an older version, without the digest of its report, is used")
  func olderResult() throws {
    let world = try World()
    try world.run(regions: ["west"])
    let actions = world.folder.file("out/.cairn/actions")
    for key in try FileManager.default.contentsOfDirectory(atPath: actions) {
      let url = URL(fileURLWithPath: "\(actions)/\(key)/result.json")
      var record = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
      #expect(record.removeValue(forKey: "report") != nil)
      try JSONSerialization.data(withJSONObject: record).write(to: url)
    }
    #expect(try world.run(regions: ["west"]).isNothingToDo)
  }

  /// What is behind the links.
  private func victim(_ world: World) throws -> [String: [UInt8]] {
    let root = world.folder.file("victim")
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      files[name] = (try? world.folder.read("victim/" + name)) ?? []
    }
    return files
  }

  @Test("no link in the store is followed, whichever name of a run it has")
  func links() throws {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    let root = world.folder.file("out/.cairn/")
    try makeFolders(world.folder.file("victim/folder/1"))
    try makeFolders(world.folder.file("victim/empty"))
    for folder in ["victim/folder/", "victim/folder/1/"] {
      for name in ["bundle.json", "region.json", "west.routing.db"] {
        try world.folder.write(world.folder.read("out/west/" + name), to: folder + name)
      }
      try world.folder.write("{}", to: folder + "report.json")
      try world.folder.write("{}", to: folder + "result.json")
    }
    try world.folder.write("precious", to: "victim/file")
    let before = try victim(world)
    let names = [
      "digests.json.tmp", "history.json.tmp", "digests.json", "history.json",
      "latest/west.decode-pbf", "latest/west.decode-pbf.tmp", "staging/west", "staging/west.old",
      "staging/index.json", "attempts/west.decode-pbf.1.1", "attempts/west+.decode-pbf.1.1",
      "previous/west", "previous/west/1", "previous/west/2", "runs/1", "kept/west.1",
    ]
    for (round, name) in names.enumerated() {
      for target in ["file", "folder", "empty"] {
        let path = root + name
        try? makeFolders(splitPath(path).folder)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: world.folder.file("victim/" + target))
        try world.folder.write("round \(round) \(target)\n", to: "valley.osm.pbf")
        let summary = try? world.run(regions: ["west"])
        let store = ActionStore(root: world.folder.file("out/.cairn"))
        if let summary {
          _ = try? RunRecord(store: store).write(summary, manifest: "m.yaml", startTime: 0)
        }
        #expect(try victim(world) == before, "\(name) \(target)")
        unlink(path)
      }
    }
    #expect(try world.run().failures.isEmpty)
  }

  @Test(
    "a run refuses a lock or a folder of its own that is a link",
    arguments: [
      "lock", "attempts", "actions", "latest", "staging", "rejected", "runs", "downloads",
      "previous", "kept",
    ])
  func refusedLinks(name: String) throws {
    let world = try World()
    try world.run(regions: ["west"])
    let path = world.folder.file("out/.cairn/" + name)
    try? FileManager.default.removeItem(atPath: path)
    let target = name == "lock" ? "victim/file" : "victim"
    try makeFolders(world.folder.file("victim"))
    try world.folder.write("precious", to: "victim/file")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: world.folder.file(target))
    let before = try victim(world)
    let error = #expect(throws: CairnError.self) { try world.run(regions: ["west"]) }
    #expect(error?.exitCode == .cannotCreate)
    #expect(try victim(world) == before)
  }

  @Test("the password and the token of a URL are nowhere in the output, the index or the messages")
  func secrets() throws {
    let world = try World()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    let url = "https://user:pass-secret@example.org/valley.osm.pbf?token=query-secret"
    try world.change("pbf: valley.osm.pbf", to: "url: \"\(url)\", sha256: \(digest)")
    try world.before(.fetch(product: ""), "echo 'cairn-fetch: error: no such host' >&2; exit 66")
    let failed = try world.run()
    #expect(!failed.failures.isEmpty)
    try world.before(.fetch(product: ""), "url=file://$here/../valley.osm.pbf")
    #expect(try world.run().failures.isEmpty)
    let root = world.folder.file("out")
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      let text = (try? world.text("out/" + name)) ?? ""
      #expect(!text.contains("secret") && !name.contains("secret"), "\(name)")
    }
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: nil)
    let outlook = PlanOutlook(try world.forecaster(), OutputFolder(plan.manifest).history())
    let json = String(decoding: try encodeJSON(plan.json(outlook)), as: UTF8.self)
    let text = plan.text(outlook)
    #expect(!(text + plan.dot + plan.mermaid + json).contains("secret"))
    #expect(text.contains("https://example.org/valley.osm.pbf?…"))
    #expect(!failed.failureLines().joined().contains("secret"))
    #expect(!world.events.contains { "\($0)".contains("secret") })
  }

  @Test("the state of an unfinished download is removed with it")
  func partialState() throws {
    let world = try World()
    try world.run(regions: ["west"])
    let name = "out/.cairn/downloads/" + String(repeating: "a", count: 64) + ".part"
    try world.folder.write("half", to: name)
    try world.folder.write("state", to: name + ".state")
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: ["west"])
    let collector = try GarbageCollector(
      plan, OutputFolder(plan.manifest),
      Orchestrator.Options(
        programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1))
    let items = try collector.items()
    #expect(items.map(\.what) == ["an unfinished download", "an unfinished download"])
    _ = try collector.remove(items)
    #expect(!pathExists(world.folder.file(name)) && !pathExists(world.folder.file(name + ".state")))
  }
}
