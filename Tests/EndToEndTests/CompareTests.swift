// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Profiles compared on the command line")
struct CompareTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    A----B----C
    |         |
    D---------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path"]), .init("BC", tags: ["highway": "steps"]),
      .init("ADEC", tags: ["highway": "track"]),
    ])

  init() throws { folder = try TemporaryFolder() }

  private func suite(_ rest: String) throws -> String {
    _ = try map.routingDatabase(in: folder)
    let (start, end) = (try map.coordinate("A"), try map.coordinate("C"))
    let text = """
      cairn-suite: 1
      name: stairs
      datasets: [ { database: map.routing.db } ]
      pairs:
        - { name: over, from: [\(start.latitude), \(start.longitude)], to: [\(end.latitude), \(end.longitude)] }

      """
    return try folder.write(text + rest, to: "suite.yaml")
  }

  private func compare(_ suite: String, _ rest: [String]) throws -> ProcessResult {
    try Executables.run("cairn", ["compare", "--suite", suite, "--base", "hiking"] + rest)
  }

  @Test("a broken threshold is named and ends with 1, a kept one with 0")
  func thresholds() throws {
    let settings = ["--set", "highways.steps=9"]
    let strict = try compare(try suite("thresholds: { changed-percent: 50 }\n"), settings)
    #expect(strict.status == 1)
    #expect(strict.stdout.contains("1 of 1") || strict.stdout.contains("100 %"))
    #expect(
      strict.stderr
        == "cairn compare: hiking highways.steps=9 breaks a threshold: routes changed: 100 %, at most "
        + "50 % (\(folder.file("suite.yaml")):6)\n")
    let lax = try compare(try suite("thresholds: { changed-percent: 100 }\n"), settings)
    #expect(lax.status == 0 && lax.stderr.isEmpty)
    let same = try compare(
      try suite("thresholds: { changed-percent: 0 }\n"), ["--candidate", "hiking"])
    #expect(same.status == 0)
    #expect(same.stdout.contains("nothing changes: all routes and their times are the same"))
  }

  @Test("an expectation that only the candidate breaks is named and ends with 1")
  func expectations() throws {
    let (start, end) = (try map.coordinate("A"), try map.coordinate("C"))
    let points =
      "from: [\(start.latitude), \(start.longitude)], to: [\(end.latitude), \(end.longitude)]"
    let expected = try suite(
      "expectations: [ { name: short, \(points), distance-km: [0.9, 1.1] } ]\n")
    let result = try compare(expected, ["--set", "highways.steps=9"])
    #expect(result.status == 1)
    #expect(
      result.stderr.contains(
        "breaks an expectation that the base keeps: short is 1.40 km long, not 0.90 km to 1.10 km"))
  }

  @Test("JSON begins with its version, GeoJSON has both versions, and no foreign file is replaced")
  func outputs() throws {
    let suite = try suite("")
    let path = folder.file("comparison.json")
    for _ in 0..<2 {
      let result = try compare(
        suite, ["--set", "highways.steps=9", "--format", "json", "--output", path])
      #expect(result.status == 0 && result.stdout.isEmpty, "\(result.stderr)")
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("{\"cairnComparison\":1,"))
    let lines = try compare(suite, ["--set", "highways.steps=9", "--format", "geojson"]).stdout
    let collection = try #require(
      try JSONSerialization.jsonObject(with: Data(lines.utf8)) as? [String: Any])
    let features = try #require(collection["features"] as? [[String: Any]])
    #expect(features.count == 2)
    let sides = features.compactMap { ($0["properties"] as? [String: Any])?["side"] as? String }
    #expect(sides == ["base", "candidate"])
    let foreign = try folder.write("mine", to: "mine.json")
    let refused = try compare(
      suite, ["--candidate", "hiking", "--format", "json", "--output", foreign])
    #expect(refused.status == 73)
    #expect(try String(contentsOfFile: foreign, encoding: .utf8) == "mine")
  }

  @Test("what is missing or wrong is told with the exit code that fits")
  func mistakes() throws {
    let suite = try suite("")
    #expect(try compare(suite, []).status == 64)
    #expect(try compare(suite, ["--candidate", "hikin"]).status == 78)
    #expect(try compare(suite, ["--set", "climb=9"]).status == 64)
    #expect(try compare(folder.file("none.yaml"), ["--candidate", "hiking"]).status == 66)
    let wrong = try folder.write("cairn-suite: 1\nnam: x\n", to: "wrong.yaml")
    let result = try compare(wrong, ["--candidate", "hiking"])
    #expect(result.status == 78)
    #expect(result.stderr.contains("wrong.yaml:2:1: unknown key “nam” (did you mean “name”?)"))
    let checked = try Executables.run("cairn", ["suite", "check", suite, wrong])
    #expect(checked.status == 78)
    #expect(checked.stdout == "\(suite): stairs, 1 dataset, 1 pair\n")
  }

  @Test("the suite of the sample runs on the sample's regions, and is kept by mountain-hiking")
  func sample() throws {
    let root = packageRoot + "/pipelines"
    let manifest = try String(contentsOfFile: root + "/sample.yaml", encoding: .utf8)
      .replacing("../build/sample", with: folder.file("out"))
      .replacing("../sample-data", with: packageRoot + "/sample-data")
      .replacing(", hillshade, slopes", with: "")
    try folder.write(manifest, to: "sample.yaml")
    try Executables.succeed(
      "cairn", ["run", folder.file("sample.yaml"), "--progress", "plain"])
    try FileManager.default.createDirectory(
      atPath: folder.file("tuning"), withIntermediateDirectories: true)
    for name in ["sample.yaml", "pairs.csv", "times.csv", "kraehenjoch.gpx"] {
      try folder.write(try bytesOfFile(root + "/tuning/" + name), to: "tuning/" + name)
    }
    let result = try compare(
      folder.file("tuning/sample.yaml"), ["--candidate", "mountain-hiking"])
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.contains("valley-west") && result.stdout.contains("valley-east"))
    #expect(!result.stdout.contains("no route:"))
    // A suite that names a region which was never built says what to do.
    try FileManager.default.removeItem(atPath: folder.file("out/valley-east"))
    let missing = try compare(
      folder.file("tuning/sample.yaml"), ["--candidate", "mountain-hiking"])
    #expect(missing.status == 66)
    #expect(missing.stderr.contains("build it: cairn run"))
  }

  @Test(
    "on Andorra, equal profiles change nothing, and the threads do not matter",
    .enabled(if: Andorra.isThere, "needs ../shared/data"))
  func andorraRoutes() throws {
    let database = try Andorra.database(["hiking"])
    let suite = try folder.write(
      """
      cairn-suite: 1
      name: andorra
      datasets: [ { id: andorra, database: \(database) } ]
      pairs: [ { draw: 300 } ]
      thresholds: { changed-percent: 0, lost-routes: 0 }
      """, to: "suite.yaml")
    let same = try compare(suite, ["--candidate", "hiking"])
    #expect(same.status == 0, "\(same.stderr)")
    let rest = ["--candidate", "mountain-hiking", "--format", "json"]
    let one = try compare(suite, rest + ["-j", "1"])
    #expect(one.status == 1)
    #expect(try compare(suite, rest + ["-j", "3"]).stdout == one.stdout)
  }
}
