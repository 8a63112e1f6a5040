// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Regions of a manifest that are features of a file")
struct ManifestFeatureTests {
  @Test("each feature of a file is a region, with the values of regions-from")
  func features() throws {
    let full = try FullManifest()
    let manifest = try full.load(FullManifest.good)
    #expect(manifest.regions.map(\.id) == ["east", "7"])
    #expect(manifest.regions.map(\.name) == ["East Park", "7"])
    #expect(
      manifest.regions[1].shape == .feature(path: full.folder.file("parks.geojson"), number: 2))
    #expect(
      manifest.regions[1].checks
        == .init(minEdges: 5, elevationCoverage: Manifest.Checks.standardCoverage, maxDrift: 1))
  }

  @Test("a manifest may have regions of its own besides features, but no id twice")
  func regionsAndFeatures() throws {
    let full = try FullManifest()
    let manifest = try full.load(
      ManifestTests.good + "\nregions-from: parks.geojson\n",
      parks: FullManifest.parks.replacing("\"code\"", with: "\"id\"")
        .replacing("east", with: "park"))
    #expect(manifest.regions.map(\.id) == ["west", "east", "park", "7"])
    #expect(manifest.regions.map(\.source) == ["valley", "plain", "valley", "valley"])
    let found = full.problems(
      ManifestTests.good + "\nregions-from: { file: parks.geojson, id: code }\n")
    #expect(found.count == 1)
    #expect(
      found.first?.contains("has the region “east” twice: in feature 1, and on line") == true)
  }

  @Test(
    "an invalid value of regions-from is reported with line and column",
    arguments: [
      ("id: code", "id: cod", "10:23: “file” has no property “cod” in feature 1"),
      ("file: parks", "file: park", "10:23: park.geojson: no such file"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(FullManifest.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }

  @Test(
    "a feature that cannot be a region is reported",
    arguments: [
      (
        "\"east\"", "\"East\"",
        "has an id in feature 1 that does not consist of lower-case letters"
      ),
      (
        "\"code\": 7", "\"code\": \"east\"",
        "has the region “east” twice: in feature 2, and as feature 1"
      ),
      ("\"FeatureCollection\"", "\"Feature\"", "parks.geojson: is"),
      ("]}", "", "parks.geojson: is"),
    ])
  func namesWrongFeatures(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(
      FullManifest.good, parks: FullManifest.parks.replacing(good, with: bad))
    #expect(found.count == 1)
    #expect(found.first?.contains(problem) == true, "\(found)")
  }
}
