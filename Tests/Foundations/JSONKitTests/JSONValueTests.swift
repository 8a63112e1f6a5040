// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Foundation
import JSONKit
import Testing

@Suite("JSON")
struct JSONValueTests {
  private func text(_ value: some Encodable, pretty: Bool = false) throws -> String {
    String(decoding: try encodeJSON(value, pretty: pretty), as: UTF8.self)
  }

  private func decode(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }

  @Test("keys are sorted, the line ends with a line feed, slashes are not escaped")
  func writesSorted() throws {
    let value: JSONValue = .object([
      "b": 1, "a": [true, nil, "x/y", 1.5].asList, "c": .object(["z": .list([]), "y": 2]),
    ])
    #expect(
      try text(value) == #"{"a":[true,null,"x/y",1.5],"b":1,"c":{"y":2,"z":[]}}"# + "\n")
  }

  @Test("numbers that JSON cannot represent are written as null")
  func writesNoInfinities() throws {
    #expect(
      try text([JSONValue.number(.infinity), .number(.nan), .number(-.infinity)])
        == "[null,null,null]\n")
  }

  @Test("values survive being written and read")
  func roundTrips() throws {
    let value: JSONValue = .object([
      "large": .integer(.max), "small": .integer(.min), "number": 0.1, "text": "ä\n\"\\\u{1B}",
      "list": .list([.list([]), .object([:]), .null, false]),
    ])
    for pretty in [true, false] {
      #expect(try decode(try text(value, pretty: pretty)) == value)
    }
  }

  @Test("values are written as Foundation's encoder writes them")
  func writesAsFoundation() throws {
    let texts =
      (0..<0x180).compactMap { Unicode.Scalar($0).map { "a\(Character($0))b" } }
      + ["", "é", "e\u{301}", "日本", "a10", "a9", "B", "b", "_", "/", "\u{2028}"]
    let numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1.0 / 3, 1e-5, 1e15, 1e16, 1e17, -1e22, 123456.789, 0.0001,
      .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    let value: JSONValue = .object([
      "texts": .list(texts.map { .text($0) }), "numbers": .list(numbers.map { .number($0) }),
      "keys": .object(Dictionary(texts.map { ($0, .null) }) { first, _ in first }),
      "integers": .list([.min, -1, 0, .max].map { .integer($0) }),
      "flags": [true, false, nil].asList,
      "empty": .list([.list([]), .object([:]), .object(["": .list([.object([:])])])]),
    ])
    for pretty in [true, false] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
      let expected = String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
      #expect(try text(value, pretty: pretty) == expected)
    }
  }

  @Test("JSON nested very deeply is refused and does not exhaust the stack")
  func refusesDeepNesting() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep =
        String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
      #expect(throws: (any Error).self) { try decode(deep) }
    }
  }

  @Test("JSON nested a hundred levels deep is read")
  func readsModerateNesting() throws {
    let deep = String(repeating: "[", count: 100) + "1" + String(repeating: "]", count: 100)
    #expect(try text(try decode(deep)) == deep + "\n")
  }
}

extension [JSONValue?] {
  fileprivate var asList: JSONValue { .list(map { $0 ?? .null }) }
}
