// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import RunCommands
import RunSupport
import StrictYAML
import TestSupport
import Testing

@testable import Manifests

@Suite("The manifest's form and its JSON Schema")
struct ManifestFormTests {
  /// A manifest with a key that nobody knows in one of its mappings, and the form of that mapping.
  private static let probes: [(form: MappingForm, name: String, text: String)] = [
    (ManifestForm.manifest, "the manifest", "cairn: 1\nQ: 1\n"),
    (ManifestForm.source, "“a”", "sources: { a: { Q: 1 } }"),
    (ManifestForm.elevation, "“elevation”", "elevation: { Q: 1 }"),
    (ManifestForm.tiles, "value 1 of “elevation”", "elevation: [{ Q: 1 }]"),
    (ManifestForm.defaults, "“defaults”", "defaults: { Q: 1 }"),
    (ManifestForm.variant, "value 1 of “variants”", "defaults: { variants: [{ Q: 1 }] }"),
    (ManifestForm.checks, "“checks”", "defaults: { checks: { Q: 1 } }"),
    (ManifestForm.region, "value 1 of “regions”", "regions: [{ Q: 1 }]"),
    (ManifestForm.regionsFrom, "“regions-from”", "regions-from: { Q: 1 }"),
    (ManifestForm.stage, "value 1 of “stages”", "stages: [{ Q: 1 }]"),
    (ManifestForm.mapTiles, "“tiles”", "tiles: { Q: 1 }"),
    (ManifestForm.deltas, "“deltas”", "deltas: { keep: 3, Q: 1 }"),
    (ManifestForm.bundle, "“bundle”", "bundle: { Q: 1 }"),
    (ManifestForm.resources, "“validate”", "resources: { validate: { Q: 1 } }"),
  ]

  @Test("the keys that the reader knows are those of the form, in every mapping")
  func keysAreTheReaders() throws {
    for probe in Self.probes {
      let folder = try TemporaryFolder()
      let unknown = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"
      let path = try folder.write(probe.text.replacing("Q", with: unknown), to: "m.yaml")
      let error = #expect(throws: CairnError.self) { try Manifest.load(path) }
      let all = error.map { [$0] + $0.further } ?? []
      let hint = all.first { $0.message.contains(unknown) }?.hint
      let keys = probe.form.keys.map(\.name).sorted().joined(separator: ", ")
      #expect(hint == "\(probe.name) takes \(keys)")
    }
  }

  @Test("the test above covers every mapping of the form")
  func probesAreAll() {
    func count(_ value: MappingForm.Value) -> Set<String> {
      switch value {
      case .mapping(let form): all(form)
      case .list(let value, _, _), .table(let value, _): count(value)
      case .either(let values): values.map(count).reduce([]) { $0.union($1) }
      default: []
      }
    }
    func all(_ form: MappingForm) -> Set<String> {
      form.keys.map { count($0.value) }.reduce([form.keys.map(\.name).joined(separator: " ")]) {
        $0.union($1)
      }
    }
    let probed = Set(Self.probes.map { $0.form.keys.map(\.name).joined(separator: " ") })
    #expect(all(ManifestForm.manifest) == probed)
  }

  @Test("the schema accepts every manifest of the package, and those of the tests")
  func takesManifests() throws {
    let schema = try SchemaCheck(ManifestForm.schema)
    let pipelines = try FileManager.default.contentsOfDirectory(atPath: "\(packageRoot)/pipelines")
      .filter { $0.hasSuffix(".yaml") }
    #expect(!pipelines.isEmpty)
    for name in pipelines {
      let document = try YAMLDocument.parse(file: "\(packageRoot)/pipelines/\(name)")
      #expect(schema.problems(document) == [], "\(name)")
    }
    let plain = ManifestTests.good.replacing(
      "elevation:\n  - { hgt: data/hgt }", with: "elevation: none")
    let sources = [
      "copernicus-30", "{ sources: skadi, step-metres: 20 }",
      "[{ raster: dem/*.tif, resolution: 10 m }, { url: \"https://a/{lat-band}/{lon-band}.tif\" }]",
      "[{ preset: copernicus-30, mirror: \"http://localhost:81\", licence: L, attribution: A }]",
    ].map { FullManifest.good.replacing("[{ hgt: hgt }]", with: $0) }
    for text in [ManifestTests.good, FullManifest.good, Starter.manifest, plain] + sources {
      let document = try YAMLDocument.parse(Array(text.utf8), file: "m.yaml")
      #expect(schema.problems(document) == [])
    }
  }

  @Test(
    "the schema refuses what the reader refuses",
    arguments: [
      ("cairn: 1", "cairn: 2"), ("name: sample", "nam: sample"), ("pbf: data", "pfb: data"),
      ("pbf: data/valley.osm.pbf", "pbf: a, overpass: b"), ("pbf: data", "url: ftp://a/b.pbf #"),
      ("pbf: data/valley.osm.pbf", "url: http://a/b.pbf, max-age: 1 h"),
      ("pbf: data/valley.osm.pbf", "overpass-api: http://a/b, md5: true"),
      ("pbf: data/valley.osm.pbf", "overpass-api: http://a/b, max-age: soon"),
      ("- { hgt: data/hgt }", "- {}"),
      ("- { hgt: data/hgt }", "- { url: \"https://a/{tile}.png\" }"),
      ("- { hgt: data/hgt }", "- { hgt: a, url: \"https://a/{tile}.hgt\" }"),
      ("\n  - { hgt: data/hgt }", " nothing"),
      ("[hiking, mine.yaml]", "[]"),
      ("min-edges: 50", "min-edges: -1"), ("coverage: 0.95", "coverage: 95"),
      ("coverage: 0.95", "coverage: 0.95, max-drift: -0.1"),
      (
        "\n  - { hgt: data/hgt }",
        "\n  sources: [ { hgt: data/hgt } ]\n  smoothing-metres: 1001"
      ),
      ("id: west", "id: West"), ("10.10, 47.10]", "10.10]"),
      ("polygon: east.geojson", "bbox: [1, 2, 3, 4]\n    polygon: a"),
      ("polygon: east.geojson", "source: plain"),
      ("polygon: east.geojson", "polygon: east.geojson\n    wraps: true"),
    ])
  func refuses(good: String, bad: String) throws {
    let text = ManifestTests.good.replacing(good, with: bad)
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "m.yaml")
    #expect(throws: CairnError.self) { try Manifest.load(path) }
    guard let document = try? YAMLDocument.parse(Array(text.utf8), file: "m.yaml") else { return }
    #expect(try SchemaCheck(ManifestForm.schema).problems(document) != [])
  }

  @Test("every key has a description")
  func explainsKeys() {
    for key in Self.probes.flatMap(\.form.keys) { #expect(key.help.count > 10, "\(key.name)") }
  }
}
