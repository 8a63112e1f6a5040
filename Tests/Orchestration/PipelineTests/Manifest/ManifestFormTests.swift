// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Foundation
import StrictYAML
import TestSupport
import Testing

@testable import Pipeline

@Suite("The manifest's form and its JSON Schema")
struct ManifestFormTests {
  /// A manifest with a key that nobody knows in one of its mappings, and the form of that mapping.
  private static let probes: [(form: ManifestForm, name: String, text: String)] = [
    (.manifest, "the manifest", "cairn: 1\nQ: 1\n"),
    (.source, "“a”", "sources: { a: { Q: 1 } }"),
    (.elevation, "“elevation”", "elevation: { Q: 1 }"),
    (.tiles, "value 1 of “elevation”", "elevation: [{ Q: 1 }]"),
    (.defaults, "“defaults”", "defaults: { Q: 1 }"),
    (.variant, "value 1 of “variants”", "defaults: { variants: [{ Q: 1 }] }"),
    (.checks, "“checks”", "defaults: { checks: { Q: 1 } }"),
    (.region, "value 1 of “regions”", "regions: [{ Q: 1 }]"),
    (.regionsFrom, "“regions-from”", "regions-from: { Q: 1 }"),
    (.stage, "value 1 of “stages”", "stages: [{ Q: 1 }]"),
    (.resources, "“validate”", "resources: { validate: { Q: 1 } }"),
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
    func count(_ value: ManifestForm.Value) -> Set<String> {
      switch value {
      case .mapping(let form): all(form)
      case .list(let value, _, _), .table(let value, _): count(value)
      case .either(let values): values.map(count).reduce([]) { $0.union($1) }
      default: []
      }
    }
    func all(_ form: ManifestForm) -> Set<String> {
      form.keys.map { count($0.value) }.reduce([form.keys.map(\.name).joined(separator: " ")]) {
        $0.union($1)
      }
    }
    let probed = Set(Self.probes.map { $0.form.keys.map(\.name).joined(separator: " ") })
    #expect(all(.manifest) == probed)
  }

  @Test("the schema accepts every manifest of the package, and those of the tests")
  func takesManifests() throws {
    let schema = try SchemaCheck()
    let pipelines = try FileManager.default.contentsOfDirectory(atPath: "\(packageRoot)/pipelines")
      .filter { $0.hasSuffix(".yaml") }
    #expect(!pipelines.isEmpty)
    for name in pipelines {
      let document = try YAMLDocument.parse(file: "\(packageRoot)/pipelines/\(name)")
      #expect(schema.problems(document) == [], "\(name)")
    }
    let plain = ManifestTests.good.replacing(
      "elevation:\n  - { hgt: data/hgt }", with: "elevation: none")
    for text in [ManifestTests.good, FullManifest.good, Starter.manifest, plain] {
      let document = try YAMLDocument.parse(Array(text.utf8), file: "m.yaml")
      #expect(schema.problems(document) == [])
    }
  }

  @Test(
    "the schema refuses what the reader refuses",
    arguments: [
      ("cairn: 1", "cairn: 2"), ("name: sample", "nam: sample"), ("pbf: data", "pfb: data"),
      ("pbf: data/valley.osm.pbf", "pbf: a, overpass: b"), ("pbf: data", "url: http://a/b.pbf #"),
      ("- { hgt: data/hgt }", "- {}"), ("\n  - { hgt: data/hgt }", " nothing"),
      ("[hiking, mine.yaml]", "[]"),
      ("min-edges: 50", "min-edges: -1"), ("coverage: 0.95", "coverage: 95"),
      ("id: west", "id: West"), ("10.10, 47.10]", "10.10]"),
      ("polygon: east.geojson", "bbox: [1, 2, 3, 4]\n    polygon: a"),
      ("polygon: east.geojson", "source: plain"),
    ])
  func refuses(good: String, bad: String) throws {
    let text = ManifestTests.good.replacing(good, with: bad)
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "m.yaml")
    #expect(throws: CairnError.self) { try Manifest.load(path) }
    guard let document = try? YAMLDocument.parse(Array(text.utf8), file: "m.yaml") else { return }
    #expect(try SchemaCheck().problems(document) != [])
  }

  @Test("every key has a description")
  func explainsKeys() {
    for key in Self.probes.flatMap(\.form.keys) { #expect(key.help.count > 10, "\(key.name)") }
  }
}

/// Checks documents by the schema, as far as it uses JSON Schema.
private struct SchemaCheck {
  private let schema: [String: JSONValue]

  init() throws {
    guard case .object(let schema) = ManifestForm.schema else { throw TestFailure("no schema") }
    self.schema = schema
  }

  func problems(_ document: YAMLNode) -> [String] { problems(document, schema, "") }

  private func problems(_ node: YAMLNode, _ schema: [String: JSONValue], _ path: String)
    -> [String]
  {
    var found: [String] = []
    for (keyword, value) in schema {
      switch (keyword, value, node.content) {
      case ("$schema", _, _), ("title", _, _), ("description", _, _): break
      case ("type", .text(let type), _):
        if !isOf(type, node) { found.append("\(path): is no \(type)") }
      case ("enum", .list(let words), .scalar(let text, _)):
        if !words.contains(.text(text)) { found.append("\(path): \(text)") }
      case ("pattern", .text(let pattern), .scalar(let text, _)):
        if text.range(of: pattern, options: .regularExpression) == nil {
          found.append("\(path): \(text) is not \(pattern)")
        }
      case ("minLength", .integer(let least), .scalar(let text, _)):
        if text.count < least { found.append("\(path): too short") }
      case ("minimum", _, .scalar(let text, _)):
        if let least = number(value), let number = Double(text), number < least {
          found.append("\(path): \(text) is too little")
        }
      case ("maximum", _, .scalar(let text, _)):
        if let most = number(value), let number = Double(text), number > most {
          found.append("\(path): \(text) is too much")
        }
      case ("minItems", .integer(let least), .sequence(let nodes)):
        if nodes.count < least { found.append("\(path): too few") }
      case ("maxItems", .integer(let most), .sequence(let nodes)):
        if nodes.count > most { found.append("\(path): too many") }
      case ("items", .object(let items), .sequence(let nodes)):
        for node in nodes { found += problems(node, items, path + "[]") }
      case ("required", .list(let keys), .mapping(let entries)):
        for case .text(let key) in keys where !entries.contains(where: { $0.key.text == key }) {
          found.append("\(path): no \(key)")
        }
      case ("dependentRequired", .object(let needs), .mapping(let entries)):
        for (key, needed) in needs where entries.contains(where: { $0.key.text == key }) {
          found += problems(node, ["required": needed], path)
        }
      case ("propertyNames", .object(let names), .mapping(let entries)):
        for entry in entries {
          let key = YAMLNode.text(entry.key.text)
          if let key { found += problems(key, names, path + "." + entry.key.text) }
        }
      case ("properties", .object(let known), .mapping(let entries)):
        for entry in entries {
          if case .object(let property)? = known[entry.key.text] {
            found += problems(entry.value, property, path + "." + entry.key.text)
          }
        }
      case ("additionalProperties", _, .mapping(let entries)):
        var known: [String: JSONValue] = [:]
        if case .object(let properties)? = schema["properties"] { known = properties }
        for entry in entries where known[entry.key.text] == nil {
          if case .object(let other) = value {
            found += problems(entry.value, other, path + "." + entry.key.text)
          } else {
            found.append("\(path): unknown \(entry.key.text)")
          }
        }
      case ("oneOf", .list(let schemas), _), ("anyOf", .list(let schemas), _):
        let fitting = schemas.count {
          if case .object(let schema) = $0 { problems(node, schema, path).isEmpty } else { false }
        }
        if fitting == 0 || keyword == "oneOf" && fitting > 1 {
          found.append("\(path): fits \(fitting) of \(keyword)")
        }
      case ("enum", _, _), ("pattern", _, _), ("minLength", _, _), ("minimum", _, _),
        ("maximum", _, _), ("minItems", _, _), ("maxItems", _, _), ("items", _, _),
        ("required", _, _), ("dependentRequired", _, _), ("propertyNames", _, _),
        ("properties", _, _), ("additionalProperties", _, _):
        break  // of another type, which "type" says
      default: found.append("\(path): this test does not know \(keyword)")
      }
    }
    return found
  }

  private func number(_ value: JSONValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  private func isOf(_ type: String, _ node: YAMLNode) -> Bool {
    switch (type, node.content) {
    case ("object", .mapping), ("array", .sequence): true
    case ("string", .scalar): !node.isNull
    case ("integer", .scalar(let text, isPlain: true)): Int(text) != nil
    case ("number", .scalar(let text, isPlain: true)): Double(text) != nil
    default: false
    }
  }
}

extension YAMLNode {
  /// A text as a node.
  fileprivate static func text(_ text: String) -> YAMLNode? {
    try? YAMLDocument.parse(Array("\"\(text)\"".utf8), file: "")
  }
}
