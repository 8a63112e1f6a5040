// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import CostModel
import Glibc
import Planning
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Manifest")
struct ManifestTests {
  static let good = """
    cairn: 1
    name: sample
    output: ../build/sample
    sources:
      valley: { pbf: data/valley.osm.pbf }
      plain: { overpass: /data/plain.osm.gz }
    elevation:
      - { hgt: data/hgt }
    profiles: [hiking, mine.yaml]
    defaults: { source: valley, checks: { min-edges: 50, elevation-coverage: 0.95 } }
    regions:
      - { id: west, name: Valley West, bbox: [10.00, 47.00, 10.10, 47.10] }
      - id: east
        name: Valley East
        source: plain
        polygon: east.geojson
        checks: { min-edges: 7, max-drift: 0.5 }
    """

  static let profileNames = CostProfile.builtIn.map(\.name).joined(separator: ", ")

  private func load(_ text: String) throws -> (Manifest, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try Manifest.load(folder.write(text, to: "m.yaml")), folder)
  }

  /// The lines of the error of a manifest, without the folder.
  private func problems(_ text: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "m.yaml")
    do {
      _ = try Manifest.load(path)
      return []
    } catch {
      #expect(error.exitCode == .configuration)
      return error.description.split(separator: "\n").map {
        String($0.replacing(folder.path + "/", with: ""))
      }
    }
  }

  @Test("every key of a manifest is read, with paths relative to its folder")
  func readsAll() throws {
    let (manifest, folder) = try load(Self.good)
    #expect(manifest.name == "sample")
    #expect(manifest.output == splitPath(folder.path).folder + "/build/sample")
    #expect(manifest.sources["valley"]?.path == folder.file("data/valley.osm.pbf"))
    #expect(manifest.sources["plain"]?.path == "/data/plain.osm.gz")
    #expect(manifest.sources["plain"]?.format == .overpass)
    #expect(manifest.elevation.map(\.path) == [folder.file("data/hgt")])
    #expect(
      manifest.profiles.map(\.kind) == [.builtIn("hiking"), .file(folder.file("mine.yaml"))])
    let west = manifest.regions[0]
    #expect(west.shape == .box(BoundingBox(west: 10, south: 47, east: 10.1, north: 47.1)))
    #expect(west.source == "valley")
    #expect(west.checks == .init(minEdges: 50, elevationCoverage: 0.95))
    let east = manifest.regions[1]
    #expect(east.shape == .polygon(path: folder.file("east.geojson")))
    #expect(east.source == "plain")
    #expect(east.checks == .init(minEdges: 7, elevationCoverage: 0.95, maxDrift: 0.5))
  }

  @Test(
    "a box across the antimeridian needs wraps: true where it is wider than 180° only",
    arguments: [
      "[176, -20, -178, -15]", "[10, -20, -170, -15]", "[-170, 50, 180, 60]",
      "[19, 41, -169, 82], wraps: true", "[1.79, 42, 1.40, 43], wraps: true",
      "[176, -20, -178, -15], wraps: false",
    ])
  func boxesAcross(_ box: String) throws {
    let text = Self.good.replacing("[10.00, 47.00, 10.10, 47.10]", with: box)
    let (manifest, _) = try load(text)
    let numbers = box.prefix { $0 != "]" }.dropFirst().split(separator: ",")
    #expect(
      manifest.regions.first?.shape
        == BoundingBox(commandLine: numbers.joined(separator: ",")).map(Manifest.Shape.box))
  }

  @Test("the island threshold is set for all regions or for one, and passed to the stage")
  func islandThreshold() throws {
    #expect(try load(Self.good).0.regions.allSatisfy { $0.islandThresholdKilometres == nil })
    let text = Self.good
      .replacing("source: valley,", with: "source: valley, island-threshold-km: 2.5,")
      .replacing("    source: plain\n", with: "    source: plain\n    island-threshold-km: 0\n")
    let manifest = try load(text).0
    #expect(manifest.regions.map(\.islandThresholdKilometres) == [2.5, 0])
    let plan = try Plan(manifest, selection: nil)
    let words = plan.actions.filter { $0.stage == .computeCosts }.map { Array($0.arguments) }
    #expect(words[0].contains(.word("--island-threshold")) && words[0].contains(.word("2.5")))
    #expect(words[1].contains(.word("0.0")))
    let wrong = Self.good
      .replacing("source: valley,", with: "source: valley, island-threshold-km: -1,")
    #expect(try problems(wrong).count == 1)
  }

  @Test("a region has a date of its own, that of the defaults or none")
  func readsDates() throws {
    let dated = Self.good.replacing("source: valley,", with: "source: valley, date: 2026-07-15,")
    let both = dated.replacing("source: plain", with: "date: \"2026-01-31\"\n    source: plain")
    #expect(try load(Self.good).0.regions.map(\.date) == [nil, nil])
    #expect(try load(dated).0.regions.map { $0.date?.description } == ["2026-07-15", "2026-07-15"])
    #expect(try load(both).0.regions.map(\.date) == [.init("2026-07-15"), .init("2026-01-31")])
  }

  @Test("elevation may be a mapping with options for its cleaning")
  func elevationOptions() throws {
    let text = Self.good.replacing(
      "  - { hgt: data/hgt }",
      with: "  sources: [{ hgt: data/hgt }]\n  smoothing-metres: 0\n  step-metres: 12.5")
    let (manifest, folder) = try load(text)
    #expect(manifest.elevation.map(\.path) == [folder.file("data/hgt")])
    #expect(manifest.elevationOptions == .init(smoothingMetres: 0, stepMetres: 12.5))
    #expect(try load(Self.good).0.elevationOptions == .init())
    let words = try Plan(manifest, selection: nil).actions
      .first { $0.stage == .sampleElevation }?.arguments
    let options = [Argument.word("--smoothing-metres"), .word("0.0"), .word("--step-metres")]
    #expect(words?.suffix(6).prefix(3) == options[...])
  }

  @Test("a manifest without profiles builds the default ones, and an empty list is refused")
  func defaultProfiles() throws {
    let without = Self.good.replacing("profiles: [hiking, mine.yaml]\n", with: "")
    #expect(
      try load(without).0.profiles.map(\.kind) == CostProfile.defaults.map { .builtIn($0.name) })
    #expect(CostProfile.defaults.map(\.name) == ["trail-hiking", "bike-touring"])
    let empty = Self.good.replacing("[hiking, mine.yaml]", with: "[]")
    #expect(try problems(empty) == ["m.yaml:9:11: “profiles” must list at least one profile"])
  }

  @Test("the sample manifest is valid")
  func readsSample() throws {
    let manifest = try Manifest.load("\(packageRoot)/pipelines/sample.yaml")
    #expect(manifest.regions.map(\.id) == ["valley-west", "valley-east"])
  }

  @Test("unknown keys anywhere are reported with a suggestion, all at once")
  func namesUnknownKeys() throws {
    let text = Self.good
      .replacing("regions:", with: "regoins:").replacing("min-edges: 50", with: "min-edge: 50")
      .replacing("pbf:", with: "pfb:").replacing("hgt: data", with: "hgtt: data")
    let found = try problems(text)
    #expect(
      found == [
        "m.yaml:5:3: source “valley” needs exactly one of pbf, overpass, url and overpass-api",
        "m.yaml:5:13: unknown key “pfb” (did you mean “pbf”?)",
        "m.yaml:8:7: unknown key “hgtt” (did you mean “hgt”?)",
        "m.yaml:10:39: unknown key “min-edge” (did you mean “min-edges”?)",
        "m.yaml:11:1: unknown key “regoins” (did you mean “regions”?)",
      ])
  }

  @Test(
    "an invalid value is reported with line and column",
    arguments: [
      ("cairn: 1", "cairn: 2", "1:8: “cairn” must be 1, the version that this build reads, not 2"),
      ("name: sample", "", "1:1: “name” is missing in the manifest"),
      (
        "[hiking", "[hikking",
        "9:12: value 1 of “profiles” is neither a built-in profile (\(Self.profileNames)) "
          + "nor the path of a .yaml file: “hikking” (did you mean hiking?)"
      ),
      (
        "source: plain", "source: plian",
        "15:13: “source” names an unknown source: “plian” (did you mean plain?)"
      ),
      (
        "source: valley", "source: vally",
        "10:21: “source” names an unknown source: “vally” (did you mean valley?)"
      ),
      ("47.00, 10.10, 47.10", "47.00, 10.10", "12:42: “bbox” must have 4 numbers, not 3"),
      (
        "47.00, 10.10, 47.10", "47.20, 10.10, 47.10",
        "12:42: “bbox” must be west, south, east, north in degrees, not 10.0,47.2,10.1,47.1 "
          + "(south is greater than north)"
      ),
      (
        "47.00, 10.10, 47.10", "147.20, 10.10, 47.10",
        "12:42: “bbox” must be west, south, east, north in degrees, not 10.0,147.2,10.1,47.1 "
          + "(latitude 147.2 is out of range, \u{2212}90 to 90)"
      ),
      (
        "[10.00, 47.00, 10.10, 47.10]", "[1.79, 42.42, 1.40, 42.66]",
        "12:42: “bbox” is 359.6° wide, as its west is greater than its east: it leads around the "
          + "world (did you mean [1.4, 42.42, 1.79, 42.66]? If not, add wraps: true)"
      ),
      (
        "47.10] }", "47.10], wraps: true }",
        "12:79: “wraps” works only with a box whose west is greater than its east (leave it out)"
      ),
      (
        "polygon: east.geojson", "polygon: east.geojson\n    wraps: true",
        "17:12: “wraps” works only with a bbox"
      ),
      ("id: east", "id: west", "13:9: region “west” appears twice, first on line 12"),
      (
        "id: east", "id: ../east",
        "13:9: “id” must consist of lower-case letters, digits and hyphens, at most 64, not “../east”"
      ),
      (
        "polygon: east.geojson", "bbox: [1, 2, 3, 4]\n    polygon: a.geojson",
        "13:5: a region needs either a bbox or a polygon"
      ),
      ("polygon: east.geojson", "", "13:5: a region needs a bbox or a polygon"),
      (
        "elevation-coverage: 0.95", "elevation-coverage: 95",
        "10:74: “elevation-coverage” must be from 0 to 1, not 95"
      ),
      (
        "source: valley,", "source: valley, date: 2026-02-30,",
        "10:35: “date” must be a calendar date, not “2026-02-30” "
          + "(write it as YYYY-MM-DD, such as 2026-07-15)"
      ),
      (
        "source: plain", "date: summer\n    source: plain",
        "15:11: “date” must be a calendar date, not “summer” "
          + "(write it as YYYY-MM-DD, such as 2026-07-15)"
      ),
      ("{ hgt: data/hgt }", "{}", "8:5: “hgt” is missing in value 1 of “elevation”"),
      (
        "  - { hgt: data/hgt }", "  sources: []",
        "8:12: “sources” must list at least one folder of tiles: - { hgt: FOLDER }"
      ),
      (
        "  - { hgt: data/hgt }", "  sources: [{ hgt: x }]\n  step-metres: 0",
        "9:16: “step-metres” must be from 1 to 10000, not 0"
      ),
      (
        "  - { hgt: data/hgt }", "  sources: [{ hgt: x }]\n  smoothing-metre: 30",
        "9:3: unknown key “smoothing-metre” (did you mean “smoothing-metres”?)"
      ),
      (
        "  - { hgt: data/hgt }", "  threshold-metres: 3",
        "8:3: “sources” is missing in “elevation”"
      ),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try problems(Self.good.replacing(good, with: bad))
    #expect(found == ["m.yaml:" + problem])
  }

  @Test("missing files are reported with line and column, and end with 66")
  func namesMissingFiles() throws {
    let (manifest, folder) = try load(Self.good)
    let error = #expect(throws: CairnError.self) {
      try manifest.checkFiles(regions: Array(manifest.regions.prefix(1)))
    }
    #expect(error?.exitCode == .noInput)
    let lines = error?.description.replacing(folder.path + "/", with: "")
    let advice = "does not exist (paths are relative to the manifest)"
    #expect(
      lines == """
        m.yaml:5:18: data/valley.osm.pbf \(advice)
        m.yaml:8:12: data/hgt \(advice)
        m.yaml:9:20: mine.yaml \(advice)
        """)
  }

  @Test("paths are simplified, except through a symbolic link")
  func simplifiesPaths() throws {
    let folder = try TemporaryFolder()
    try makeFolders(folder.file("a/b"))
    #expect(symlink("a/b", folder.file("link")) == 0)
    #expect(simplifiedPath(folder.file("a/./b/../../c")) == folder.file("c"))
    #expect(simplifiedPath(folder.file("link/../c")) == folder.file("link/../c"))
    #expect(simplifiedPath("../x/./y") == "../x/y")
    #expect(simplifiedPath("./.") == ".")
  }
}
