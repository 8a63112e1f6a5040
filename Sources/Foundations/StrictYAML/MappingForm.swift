// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import JSONKit

/// The format of a mapping in a file: its keys, their values and their purpose. A ``MappingReader``
/// reads files with it, and a JSON Schema for editors is derived from it.
package struct MappingForm: Sendable {
  /// The value of a key.
  package indirect enum Value: Sendable {
    case text(pattern: String? = nil)
    case boolean
    case integer(ClosedRange<Int>)
    case number(atLeast: Double)
    case range(ClosedRange<Double>)
    /// One of several words; accepted synonyms are not named in errors.
    case choice([String], synonyms: [String] = [])
    case list(Value, atLeast: Int = 0, atMost: Int? = nil)
    case mapping(MappingForm)
    /// A mapping with keys chosen by the author.
    case table(Value, keys: String? = nil)
    case either([Value])
  }

  /// A key.
  package struct Key: Sendable {
    package let name: String
    /// The allowed values.
    package let value: Value
    package let isRequired: Bool
    /// Its purpose.
    package let help: String

    /// Describes a key.
    package init(_ name: String, _ value: Value, required: Bool = false, _ help: String) {
      self.name = name
      self.value = value
      isRequired = required
      self.help = help
    }
  }

  /// Its keys.
  package let keys: [Key]
  /// Groups of keys of which one is required and, with `isOne`, excludes the others.
  package let alternatives: [[String]]
  package let isOne: Bool
  /// Keys required if another one is used.
  package let needs: [String: [String]]
  /// Whether it consists of several forms.
  package private(set) var isUnion = false

  /// Describes a mapping.
  package init(
    keys: [Key], alternatives: [[String]] = [], isOne: Bool = true, needs: [String: [String]] = [:]
  ) {
    (self.keys, self.alternatives) = (keys, alternatives)
    (self.isOne, self.needs) = (isOne, needs)
  }

  /// Describes a mapping with one of several forms, distinguished by their required keys. A key of
  /// several forms is described by the first of them.
  package init(oneOf forms: [MappingForm], needs: [String: [String]] = [:]) {
    var keys: [Key] = []
    for key in forms.flatMap(\.keys) where !keys.contains(where: { $0.name == key.name }) {
      keys.append(Key(key.name, key.value, key.help))
    }
    self.init(keys: keys, alternatives: forms.map(\.requiredKeys), needs: needs)
    isUnion = true
  }

  /// The names of the keys that are required.
  package var requiredKeys: [String] { keys.filter(\.isRequired).map(\.name) }

  /// The allowed values of a key; nil for an unknown key.
  package subscript(_ key: String) -> Value? { keys.first { $0.name == key }?.value }
}

// Queries of readers. A value of one of several kinds has the ranges, words and forms of all of
// them.
extension MappingForm.Value {
  private var kinds: [Self] {
    if case .either(let values) = self { return values.flatMap(\.kinds) }
    return [self]
  }

  /// The range of a number; nil if it is not a number.
  package var range: ClosedRange<Double>? {
    for case .range(let range) in kinds { return range }
    for case .number(let least) in kinds { return least...Double.greatestFiniteMagnitude }
    return nil
  }

  /// The range of an integer; nil if it is not an integer.
  package var integerRange: ClosedRange<Int>? {
    for case .integer(let range) in kinds { return range }
    return nil
  }

  /// The allowed words, and their synonyms.
  package var words: (named: [String], synonyms: [String]) {
    var words: (named: [String], synonyms: [String]) = ([], [])
    for case .choice(let named, let synonyms) in kinds {
      words.named += named
      words.synonyms += synonyms
    }
    return words
  }

  /// The values of a list and their number; nil if it is not a list.
  package var list: (value: Self, count: ClosedRange<Int>)? {
    for case .list(let value, let least, let most) in kinds {
      return (value, least...max(least, most ?? .max))
    }
    return nil
  }

  /// The keys of a mapping; nil if the author chooses them, or if it is not a mapping.
  package var mapping: MappingForm? {
    for case .mapping(let form) in kinds { return form }
    return nil
  }

  /// The values of keys chosen by the author; nil if it is not such a table.
  package var rows: Self? {
    for case .table(let value, _) in kinds { return value }
    return nil
  }
}

extension MappingForm {
  /// The JSON Schema (draft 2020-12) of a file with this mapping.
  package func schema(_ title: String, _ description: String) -> JSONValue {
    guard case .object(var schema) = json else { return .null }
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = .text(title)
    schema["description"] = .text(description)
    return .object(schema)
  }

  private var json: JSONValue {
    var object: [String: JSONValue] = [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.json) })),
    ]
    let required = keys.filter(\.isRequired).map { JSONValue.text($0.name) }
    if !required.isEmpty { object["required"] = .list(required) }
    if !alternatives.isEmpty {
      object[isOne ? "oneOf" : "anyOf"] = .list(
        alternatives.map { .object(["required": .list($0.map { .text($0) })]) })
    }
    if !needs.isEmpty {
      object["dependentRequired"] = .object(needs.mapValues { .list($0.map { .text($0) }) })
    }
    return .object(object)
  }
}

extension MappingForm.Key {
  fileprivate var json: JSONValue {
    guard case .object(var object) = value.json else { return .null }
    object["description"] = .text(help)
    return .object(object)
  }
}

extension MappingForm.Value {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let pattern):
      var object: [String: JSONValue] = ["type": "string", "minLength": 1]
      if let pattern { object["pattern"] = .text(pattern) }
      return .object(object)
    case .boolean: return .object(["type": "boolean"])
    case .integer(let range):
      var object: [String: JSONValue] = ["type": "integer", "minimum": .integer(range.lowerBound)]
      if range.upperBound < Int.max { object["maximum"] = .integer(range.upperBound) }
      return .object(object)
    case .number(let least):
      return .object(["type": "number", "minimum": .number(least)])
    case .range(let range):
      return .object([
        "type": "number", "minimum": .number(range.lowerBound),
        "maximum": .number(range.upperBound),
      ])
    case .choice(let words, let synonyms):
      return .object(["type": "string", "enum": .list((words + synonyms).map { .text($0) })])
    case .list(let value, let least, let most):
      var object: [String: JSONValue] = ["type": "array", "items": value.json]
      if least > 0 { object["minItems"] = .integer(least) }
      if let most { object["maxItems"] = .integer(most) }
      return .object(object)
    case .mapping(let form):
      return form.json
    case .table(let value, let keys):
      var object: [String: JSONValue] = ["type": "object", "additionalProperties": value.json]
      if let keys { object["propertyNames"] = .object(["pattern": .text(keys)]) }
      return .object(object)
    case .either(let values):
      return .object(["anyOf": .list(values.map(\.json))])
    }
  }
}
