// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Manifest: fetched sources, features, stages of the user's, resources")
struct ManifestFurtherTests {
  static let digest = String(repeating: "0123456789abcdef", count: 4)
  static let good = """
    cairn: 1
    name: sample
    output: out
    sources:
      far: { url: "https://example.org/a/far.osm.pbf?x=1", sha256: \(digest), max-size: 2 GB }
      odd: { url: "file:///data/odd", sha256: \(digest.uppercased()), format: overpass }
    elevation: [{ hgt: hgt }]
    profiles: [hiking]
    defaults: { source: far, checks: { min-edges: 5 } }
    regions-from: { file: parks.geojson, id: code, name: title, checks: { max-drift: 1 } }
    stages:
      - name: contours
        command: [./contours.sh, "--in={input}", "{style}", "{output}"]
        after: sample-elevation
        inputs: { style: style.json }
        outputs: ["{region}.contours"]
      - { name: pack, command: [tar, "{output-dir}"], after: contours, outputs: [a, b] }
    resources:
      default: { threads: 2, time: 90 s }
      decode-pbf: { memory: 1.5 GiB, time: 2 h }
      contours: { memory: 100 MB }
    retries: 3
    """
  static let parks = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"code": "east", "title": "East Park"},
       "geometry": {"type": "Polygon", "coordinates": [[[10,47],[11,47],[11,48],[10,47]]]}},
      {"type": "Feature", "properties": {"code": 7, "title": null},
       "geometry": {"type": "Polygon", "coordinates": [[[12,47],[13,47],[13,48],[12,47]]]}}]}
    """

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load(_ text: String, parks: String = parks) throws(CairnError) -> Manifest {
    do {
      try folder.write(parks, to: "parks.geojson")
      return try Manifest.load(folder.write(text, to: "m.yaml"))
    } catch { throw error as? CairnError ?? CairnError("test", .software, "\(error)") }
  }

  private func problems(_ text: String, parks: String = parks) -> [String] {
    do throws(CairnError) {
      _ = try load(text, parks: parks)
      return []
    } catch {
      return error.description.split(separator: "\n").map {
        String($0.replacing(folder.path + "/", with: ""))
      }
    }
  }

  @Test("fetched sources, features, stages, resources and retries are read")
  func readsAll() throws {
    let manifest = try load(Self.good)
    let far = try #require(manifest.sources["far"])
    #expect(far.format == .pbf)
    #expect(far.isRemote)
    #expect(far.fileName == "far.osm.pbf")
    #expect(far.maximumBytes == 2_000_000_000)
    let odd = try #require(manifest.sources["odd"])
    #expect(odd.format == .overpass)
    #expect(odd.sha256 == Self.digest)
    #expect(odd.maximumBytes == 200_000_000_000)
    #expect(manifest.regions.map(\.id) == ["east", "7"])
    #expect(manifest.regions.map(\.name) == ["East Park", "7"])
    #expect(manifest.regions[1].shape == .feature(path: folder.file("parks.geojson"), number: 2))
    #expect(manifest.regions[1].checks == .init(minEdges: 5, maxDrift: 1))
    #expect(manifest.stages.map(\.name) == ["contours", "pack"])
    #expect(manifest.stages[0].inputs.map(\.path) == [folder.file("style.json")])
    #expect(
      manifest.resources(ofStage: "decode-pbf")
        == .init(threads: 2, memoryMiB: 1536, timeSeconds: 7200))
    #expect(manifest.resources(ofStage: "validate") == .init(threads: 2, timeSeconds: 90))
    #expect(manifest.resources(ofStage: "contours").memoryMiB == 96)
    #expect(manifest.retries == 3)
  }

  @Test("without them nothing is asked for, and regions may stand beside features")
  func defaults() throws {
    let manifest = try load(
      ManifestTests.good + "\nregions-from: parks.geojson\n",
      parks: Self.parks.replacing("\"code\"", with: "\"id\"").replacing("east", with: "park"))
    #expect(manifest.regions.map(\.id) == ["west", "east", "park", "7"])
    #expect(manifest.regions.map(\.source) == ["valley", "plain", "valley", "valley"])
    #expect(manifest.retries == 1)
    #expect(manifest.resources(ofStage: "validate") == .init())
    let found = problems(ManifestTests.good + "\nregions-from: { file: parks.geojson, id: code }\n")
    #expect(found.count == 1)
    #expect(
      found.first?.contains("the region “east” in feature 1, which is there already, on line")
        == true)
  }

  @Test(
    "a wrong value is named at its line and column",
    arguments: [
      ("https://example.org", "ftp://example.org", "5:15: “url” must be a URL that begins with"),
      ("sha256: 0123", "sha256: x123", "5:64: “sha256” must have 64 hexadecimal digits, not “x1"),
      (
        "sha256: \(digest), ", "",
        "5:3: source “far” needs the sha256 of what is at its url (cairn fetch"
      ),
      (", format: overpass", "", "6:15: “url” does not end in .pbf, .osm, .xml or one of"),
      ("max-size: 2 GB", "max-size: 2", "5:140: “max-size” must be a number with a unit (kB, KiB"),
      ("max-size: 2 GB", "pbf: a", "5:3: source “far” needs one of pbf, overpass and url"),
      ("id: code", "id: cod", "10:23: “file” has no property “cod” in feature 1"),
      ("file: parks", "file: park", "10:23: park.geojson: no such file"),
      ("name: contours", "name: validate", "12:11: “name” is taken by another stage: “validate”"),
      ("after: sample-elevation", "after: sample-elevatio", "14:12: “after” must be one of"),
      (
        "{style}\"", "{styl}\"",
        "13:46: value 3 of “command” has no meaning for {styl} (did you mean {style}?)"
      ),
      (
        "[\"{region}.contours\"]", "[\"{region}.routing.db\"]",
        "16:15: value 1 of “outputs” is taken by another file: “{region}.routing.db”"
      ),
      ("outputs: [a, b]", "outputs: [../a, b]", "17:78: value 1 of “outputs” must be the name of"),
      (", \"{output}\"]", "]", "13:14: “command” must say where its outputs go (add {output}"),
      (
        "{output-dir}", "{output}",
        "17:28: “command” has {output}, but there are several (use {output-dir}, their folder)"
      ),
      ("[./contours.sh", "[\"{input}\"", "13:15: value 1 of “command” must be the program"),
      ("memory: 100 MB", "memory: 100 kB", "21:23: “memory” is too little: “100 kB”"),
      ("contours: { memory", "contour: { memory", "21:3: unknown key “contour” (did you mean"),
      ("1.5 GiB", "1.5 gib", "20:25: “memory” must be a number with a unit"),
      ("2 h", "2000 d", "20:40: “time” is too much: “2000 d”"),
      ("threads: 2", "threads: 0", "19:23: “threads” must be from 1 to 256, not 0"),
      ("retries: 3", "retries: 11", "22:10: “retries” must be from 0 to 10, not 11"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = problems(Self.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }

  @Test(
    "a feature that cannot be a region is named",
    arguments: [
      ("\"east\"", "\"East\"", "has an id in feature 1 that is not of small letters"),
      (
        "\"code\": 7", "\"code\": \"east\"",
        "has the region “east” in feature 2, which is there already, as feature 1"
      ),
      ("\"FeatureCollection\"", "\"Feature\"", "parks.geojson: is not a FeatureCollection"),
      ("]}", "", "parks.geojson: is not GeoJSON"),
    ])
  func namesWrongFeatures(good: String, bad: String, problem: String) throws {
    let found = problems(Self.good, parks: Self.parks.replacing(good, with: bad))
    #expect(found.count == 1)
    #expect(found.first?.contains(problem) == true, "\(found)")
  }

  @Test("a program and the files of a stage that are not there are named")
  func namesMissingFiles() throws {
    let manifest = try load(Self.good)
    try makeFolders(folder.file("hgt"))
    let error = expectError(.cannotRead, .noInput) { try manifest.checkFiles(regions: []) }
    let lines = error?.description.replacing(folder.path + "/", with: "").split(separator: "\n")
    #expect(lines?.count == 2)
    #expect(lines?[0].hasPrefix("m.yaml:13:14: no program “./contours.sh” is there") == true)
    #expect(lines?[1].hasPrefix("m.yaml:15:22: style.json is not there") == true)
  }

  @Test("a command's words are taken apart at the places, and braces can be written")
  func takesWordsApart() {
    #expect(
      commandParts("a{input}b{x-1}") == [.text("a"), .place("input"), .text("b"), .place("x-1")])
    #expect(commandParts("{{input}") == [.text("{input}")])
    #expect(commandParts("{print $1} {} {") == [.text("{print $1} {} {")])
    #expect(commandParts("") == [])
  }
}
