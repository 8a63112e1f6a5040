// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Foundation
import StrictYAML

/// Checks documents by a JSON Schema, as far as those of the package go.
package struct SchemaCheck {
  private let schema: [String: JSONValue]

  package init(_ schema: JSONValue) throws {
    guard case .object(let schema) = schema else { throw TestFailure("no schema") }
    self.schema = schema
  }

  /// What is wrong with a document.
  package func problems(_ document: YAMLNode) -> [String] { problems(document, schema, "") }

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
        if let least = value.number, let number = Double(text), number < least {
          found.append("\(path): \(text) is too little")
        }
      case ("maximum", _, .scalar(let text, _)):
        if let most = value.number, let number = Double(text), number > most {
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

  private func isOf(_ type: String, _ node: YAMLNode) -> Bool {
    switch (type, node.content) {
    case ("object", .mapping), ("array", .sequence): true
    case ("string", .scalar): !node.isNull
    case ("boolean", .scalar(let text, isPlain: true)): ["true", "false"].contains(text)
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
