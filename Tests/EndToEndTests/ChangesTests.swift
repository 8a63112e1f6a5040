// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Changes applied to a source")
struct ChangesTests {
  private func manifest(in folder: TemporaryFolder) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.file("updates"), withIntermediateDirectories: true)
    let text = try String(contentsOfFile: "\(packageRoot)/pipelines/sample.yaml", encoding: .utf8)
      .replacingOccurrences(of: "../build/sample", with: folder.file("out"))
      .replacingOccurrences(
        of: "valley.osm.pbf }", with: "valley.osm.pbf, changes: \(folder.file("updates")) }"
      )
      // East of it changes would be near the other region, too. The base map has none of that.
      .replacingOccurrences(of: "bbox: [10.00,", with: "bbox: [9.50,")
      .replacingOccurrences(of: "  base-map: ../sample-data/valley.mbtiles\n", with: "")
      .replacingOccurrences(of: "../sample-data", with: "\(packageRoot)/sample-data")
    return try folder.write(text, to: "sample.yaml")
  }

  private func run(_ manifest: String) throws -> String {
    let result = try Executables.run(
      "cairn", ["run", manifest, "--explain", "--progress", "plain"])
    try #require(result.status == 0, "\(result.stderr)")
    return result.stdout + result.stderr
  }

  /// A new path at the western border of the western region.
  private let newPath = """
    <osmChange version="0.6"><create>
    <node id="90000001" version="1" timestamp="2026-11-22T10:00:00Z" lat="47.05" lon="9.502"/>
    <node id="90000002" version="1" timestamp="2026-11-22T10:00:00Z" lat="47.051" lon="9.503"/>
    <way id="90000003" version="1" timestamp="2026-11-22T10:00:00Z"><nd ref="90000001"/>
    <nd ref="90000002"/><tag k="highway" v="path"/></way></create></osmChange>
    """

  @Test("a region that no change reaches keeps its bundle, and only decoding is run for it")
  func untouchedRegion() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(in: folder)
    _ = try run(manifest)
    let east = folder.file("out/valley-east/")
    let names = try FileManager.default.contentsOfDirectory(atPath: east).sorted()
    let before = try names.map { try bytesOfFile(east + $0) }
    let west = try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db"))
    try folder.write(newPath, to: "updates/1.osc")
    let log = try run(manifest)
    #expect(log.contains("valley-east decode-pbf: changes 1 changed"), "\(log)")
    #expect(log.contains("valley-east sample-elevation: up to date"), "\(log)")
    #expect(log.contains("valley-east build-graph: up to date"), "\(log)")
    #expect(!log.contains("valley-west sample-elevation: up to date"), "\(log)")
    #expect(try names.map { try bytesOfFile(east + $0) } == before)
    #expect(try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db")) != west)
    #expect(try run(manifest).contains("nothing to do"))
  }

  /// The names that the extract of the eastern region has in the store.
  private func extracts(_ folder: TemporaryFolder) throws -> [String] {
    let actions = folder.file("out/.cairn/actions/")
    let key = try String(
      contentsOfFile: folder.file("out/.cairn/latest/valley-east.decode-pbf"), encoding: .utf8
    ).split(separator: "\n")[0]
    func inode(_ key: String) throws -> Int? {
      let path = "\(actions)\(key)/region.trails"
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    let own = try #require(try inode(String(key)))
    return try FileManager.default.contentsOfDirectory(atPath: actions)
      .filter { try inode($0) == own }
  }

  @Test("a region that no change reaches keeps its extract, as long as there is one")
  func keptExtract() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(in: folder)
    _ = try run(manifest)
    #expect(try extracts(folder).count == 1)
    try folder.write(newPath, to: "updates/1.osc")
    _ = try run(manifest)
    #expect(try extracts(folder).count == 2)
    // What was collected cannot be taken again, but what it was taken for can.
    let gc = try Executables.run("cairn", ["gc", manifest])
    try #require(gc.status == 0, "\(gc.stderr)")
    #expect(try extracts(folder).count == 1)
    try folder.write(
      newPath.replacingOccurrences(of: "47.05\"", with: "47.052\""), to: "updates/2.osc")
    _ = try run(manifest)
    let kept = try extracts(folder)
    #expect(kept.count == 2)
    for key in kept {
      try FileManager.default.removeItem(atPath: folder.file("out/.cairn/actions/\(key)"))
    }
    try folder.write(
      newPath.replacingOccurrences(of: "47.05\"", with: "47.053\""), to: "updates/3.osc")
    let log = try run(manifest)
    #expect(try extracts(folder).count == 1)
    #expect(log.contains("valley-east sample-elevation: up to date"), "\(log)")
    #expect(try run(manifest).contains("nothing to do"))
  }

  @Test("a damaged file of changes fails the regions of its source, with its name")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(in: folder)
    try folder.write("<osmChange><modify>", to: "updates/7.osc")
    let result = try Executables.run("cairn", ["run", manifest, "--progress", "plain"])
    #expect(result.status == 1)
    #expect(result.stderr.contains("updates/7.osc"), "\(result.stderr)")
  }

  @Test("changes of XML data are refused, and missing ones fail the regions of the source")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try folder.write(text.replacingOccurrences(of: "{ pbf:", with: "{ overpass:"), to: "xml.yaml")
    let xml = try Executables.run("cairn", ["manifest", "check", folder.file("xml.yaml")])
    #expect(xml.status == 78)
    #expect(xml.stderr.contains("only allowed for PBF data"), "\(xml.stderr)")
    try folder.write(
      text.replacingOccurrences(of: folder.file("updates"), with: folder.file("nowhere")),
      to: "missing.yaml")
    let missing = try Executables.run(
      "cairn", ["run", folder.file("missing.yaml"), "--progress", "plain"])
    #expect(missing.status == 1)
    #expect(missing.stderr.contains("nowhere: No such file"), "\(missing.stderr)")
  }
}
