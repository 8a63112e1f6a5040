// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("A manifest that uses every feature, with the real executables")
struct WholeManifestTests {
  private static let data = "\(packageRoot)/sample-data"

  private func write(in folder: TemporaryFolder) throws -> String {
    let source = "\(Self.data)/valley.osm.pbf"
    try folder.write(
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "park",
        "properties": {"name": "Park"}, "geometry": {"type": "Polygon", "coordinates":
        [[[10.10, 47.00], [10.20, 47.00], [10.20, 47.10], [10.10, 47.10], [10.10, 47.00]]]}}]}
      """, to: "parks.geojson")
    return try folder.write(
      """
      cairn: 1
      name: whole
      output: out
      sources:
        valley: { url: "file://\(source)", sha256: \(try SHA256Digest.ofFile(source)) }
      elevation: [{ hgt: "\(Self.data)/hgt" }]
      profiles: [hiking, cycling]
      defaults: { source: valley }
      regions:
        - { id: west, name: West, bbox: [10.00, 47.00, 10.10, 47.10] }
      regions-from: parks.geojson
      stages:
        - name: sums
          command: [sh, -c, 'sha256sum < "$0" > "$1"', "{input}", "{output}"]
          after: compute-costs
          outputs: ["{region}.sums"]
      """, to: "m.yaml")
  }

  private func cairn(_ arguments: String...) throws -> ProcessResult {
    try Executables.run("cairn", arguments)
  }

  @Test("the manifest is checked, fetched, built and published, and then every region is fresh")
  func whole() throws {
    let folder = try TemporaryFolder()
    let manifest = try write(in: folder)
    let check = try cairn("manifest", "check", "--data", manifest)
    #expect(check.stdout == "\(manifest): 2 regions, 1 source: valid\n", "\(check.stderr)")
    let anywhere = try folder.write(
      String(decoding: folder.read("m.yaml"), as: UTF8.self)
        .replacing("parks.geojson", with: folder.file("parks.geojson")), to: "anywhere.yaml")
    let piped = try Executables.run("cairn", ["manifest", "check", "-"], stdin: anywhere)
    #expect(piped.stdout == "stdin: 2 regions, 1 source: valid\n", "\(piped.stderr)")
    let wrong = try folder.write("cairn: 1\nname: [", to: "wrong.yaml")
    let refused = try Executables.run("cairn", ["manifest", "check", "-"], stdin: wrong)
    #expect(refused.status == 78)
    #expect(refused.stderr.contains("stdin:3:"), "\(refused.stderr)")
    #expect(try cairn("status", manifest).status == 1)

    let run = try cairn("run", "--explain", manifest)
    try #require(run.status == 0, "\(run.stderr)")
    #expect(run.stderr.contains("west decode-pbf: not built yet"))
    let park = folder.file("out/park")
    let digest = try SHA256Digest.ofFile(park + "/park.routing.db")
    #expect(try folder.read("out/park/park.sums") == Array("\(digest)  -\n".utf8))
    let bundle = try jsonObject(
      String(decoding: folder.read("out/park/bundle.json"), as: UTF8.self))
    let files = try #require(bundle["files"] as? [String: Any])
    #expect(
      files.keys.sorted() == [
        "park.places.db", "park.routing.db", "park.sums", "park.waypoints.db", "region.json",
      ])

    #expect(try cairn("explain-run", manifest, "park").status == 0)
    let status = try cairn("status", manifest, "--json", "--paranoid")
    #expect(status.status == 0, "\(status.stdout)")
    let regions = try jsonObject(status.stdout)["regions"] as? [[String: Any]]
    #expect(regions?.compactMap { $0["status"] as? String } == ["fresh", "fresh"])
  }

  @Test("a feature of a collection gives the same region as a file of its own")
  func featureIsAFile() throws {
    let folder = try TemporaryFolder()
    _ = try write(in: folder)
    let trails = try ["parks.geojson", "parks.geojson#1"].map { shape in
      let target = folder.file("t\(shape.count)")
      try Executables.succeed(
        "cairn-decode-pbf",
        ["--input", "\(Self.data)/valley.osm.pbf", "--region", "r=\(folder.file(shape))"]
          + ["--output-dir", target, "-q"])
      return try bytesOfFile(target + "/r.trails")
    }
    #expect(trails[0] == trails[1])
    let missing = try Executables.run(
      "cairn-decode-pbf",
      ["--input", "\(Self.data)/valley.osm.pbf", "--region"]
        + ["r=\(folder.file("parks.geojson#2"))", "--output-dir", folder.file("none"), "-q"])
    #expect(missing.status == 65)
    #expect(
      missing.stderr.contains("has 1 features, but no feature 2"), "\(missing.stderr)")
  }

  @Test("cairn doctor fails for a folder without executables")
  func doctor() throws {
    let folder = try TemporaryFolder()
    let result = try cairn("doctor", "--bin", folder.path)
    #expect(result.status == 1)
    #expect(result.stdout.contains("WRONG  cairn-decode-pbf"))
    #expect(result.stdout.contains("fix: "))
  }

  @Test("a run whose output pipe is closed keeps its exit code")
  func unread() throws {
    let folder = try TemporaryFolder()
    let manifest = try write(in: folder)
    let text = String(decoding: try folder.read("m.yaml"), as: UTF8.self)
    try folder.write(
      text.replacing("source: valley }", with: "source: valley, checks: { min-edges: 9999 } }"),
      to: "m.yaml")
    let code = folder.file("code")
    let script =
      "(sleep 0.3; \(Executables.folder)/cairn run \(manifest); echo $? > \(code)) | true"
    _ = try runProcess("bash", ["-c", "\(script); while [ ! -s \(code) ]; do sleep 0.05; done"])
    #expect(try folder.read("code") == Array("1\n".utf8))
  }
}
