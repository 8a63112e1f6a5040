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

  /// Expects the bytes of Foundation's encoder.
  private func expectFoundation(_ value: some Encodable) throws {
    for pretty in [true, false] {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
      let expected = String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
      #expect(try text(value, pretty: pretty) == expected)
    }
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
    try expectFoundation(value)
  }

  /// A value that encodes itself in every way that there is.
  private struct Everything: Encodable {
    private enum Key: String, CodingKey { case own, other, list, keyed, late = "a late key" }
    private enum Other: String, CodingKey { case one, two = "zwei/2" }
    private struct Member: Encodable {
      var number = 1.5
      var whole = 3.0
      var integer: Int64 = -7
      var small: UInt8 = 200
      var text: String? = "täxt\u{1}"
      var nothing: String?
      var flag = true
      var names = ["b": 1, "a": 2]
      var numbered = [3: "c", 10: "j"]
      var nested: [[Int?]] = [[], [1, nil]]
      var date = Date(timeIntervalSinceReferenceDate: 12.25)
    }
    private struct Empty: Encodable {
      func encode(to encoder: any Encoder) {}
    }
    private enum Word: String, Encodable { case word }

    func encode(to encoder: any Encoder) throws {
      var own = encoder.container(keyedBy: Key.self)
      try own.encode([Member()], forKey: .own)
      try own.encode("first", forKey: .late)
      try own.encodeNil(forKey: .other)
      var list = own.nestedUnkeyedContainer(forKey: .list)
      try list.encode(Word.word)
      try list.encode(Empty())
      try list.encodeNil()
      try list.encode(JSONValue.object(["y": 1, "x": .null]))
      var deep = list.nestedContainer(keyedBy: Other.self)
      try deep.encode(UInt64(5), forKey: .two)
      try Member().encode(to: deep.superEncoder())
      var lists = list.nestedUnkeyedContainer()
      try lists.encode(lists.count)
      try Word.word.encode(to: lists.superEncoder())
      try Member().encode(to: own.superEncoder(forKey: .keyed))
      // What is encoded beside it is part of the same object.
      var other = encoder.container(keyedBy: Other.self)
      try other.encode(Optional<Int>.none, forKey: .one)
      try own.encode("last", forKey: .late)
    }
  }

  @Test("values that encode themselves are written as Foundation's encoder writes them")
  func encodesAsFoundation() throws {
    struct Sizes: Encodable {
      var float: Float = 0.1
      var large = UInt64.max
      var link = URL(string: "https://example.org/a?b")
      var data = Data([1, 2, 3])
      var decimal = Decimal(string: "1.10")
    }
    try expectFoundation(Everything())
    try expectFoundation(Sizes())
    try expectFoundation(["a": Everything(), "B": Everything()])
    try expectFoundation([1, nil, 3] as [Int?])
    try expectFoundation("text")
    try expectFoundation([Int]())
    #expect(throws: CairnError.self) { try text(["number": Double.infinity]) }
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

@Suite("Reading JSON")
struct JSONReaderTests {
  private func foundation(_ bytes: [UInt8]) -> JSONValue? {
    (try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))).map(rounded)
  }

  /// Numbers as exact as both readers say them.
  private func rounded(_ value: JSONValue) -> JSONValue {
    switch value {
    case .integer(let value) where abs(Double(value)) > 0x1p53: .number(Double(value))
    case .list(let values): .list(values.map(rounded))
    case .object(let values): .object(values.mapValues(rounded))
    default: value
    }
  }

  private static let texts = [
    "0", "-0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "1.0", "1e2", "1E+2", "1e-2", "-0.5", "1.7976931348623157e308", "5e-324",
    "12345678901234567890",
    "true", "false", "null", #""""#, #""a""#, #""ä日😀""#, #""\"\\\/\b\f\n\r\t""#,
    #""\u00e4\u20AC\uD83D\uDE00""#, "[]", "[ ]", "[1,2]", " [ 1 , [ 2 ] ] ", "{}", #"{"a":1}"#,
    #"{ "keys" : { "b" : [ {} , null ] } , "" : "" }"#, "\n\t\r 1 \n",
  ]
  private static let broken = [
    "", " ", "01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "0x1", "1e999", "-1e999", "NaN",
    "Infinity", "tru", "True", "nul", #"""#, #""a"#, "'a'", #""\x""#, #""\u12""#, #""\u12g4""#,
    #""\uD83D""#, #""\uD83Dx""#, #""\uD83D\u0041""#, #""\uDE00""#, "\"\n\"", "\"\u{1}\"",
    "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
    #"{a:1}"#, #"{"a":1 "b":2}"#, "{1:2}", "1 2", "[] []", "/* */ 1", "[1]x",
  ]

  @Test("what is well-formed is read as by Foundation's decoder", arguments: texts)
  func readsAsFoundation(_ text: String) throws {
    let bytes = Array(text.utf8)
    let value = try #require(JSONValue(json: bytes))
    #expect(rounded(value) == foundation(bytes))
  }

  @Test("what is not well-formed is refused", arguments: broken)
  func refusesBroken(_ text: String) {
    #expect(JSONValue(json: Array(text.utf8)) == nil)
  }

  @Test("text that is not UTF-8 is refused")
  func refusesOtherEncodings() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80]] {
      #expect(JSONValue(json: [0x22] + bytes + [0x22]) == nil)
    }
  }

  @Test("damaged JSON is refused or read, and read only as Foundation's decoder reads it")
  func readsDamaged() throws {
    let whole = try encodeJSON(
      JSONValue.list(Self.texts.compactMap { JSONValue(json: Array($0.utf8)) }))
    var random = SystemRandomNumberGenerator()
    let spare = Array(#" "\{}[]:,0.-eu1tfn"#.utf8) + [0x00, 0x80, 0xFF]
    // So few changes make no two keys of an object equal, of which Foundation's takes the first.
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = bytes.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = spare.randomElement(using: &random)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(spare.randomElement(using: &random)!, at: index)
        }
      }
      guard let value = JSONValue(json: bytes) else { continue }
      #expect(rounded(value) == foundation(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("a mark of UTF-8 at the beginning is no part of the text")
  func readsMark() {
    #expect(JSONValue(json: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == .list([1]))
    #expect(JSONValue(json: [0xEF, 0xBB, 0xBF]) == nil)
    #expect(JSONValue(json: Array("[1]".utf8) + [0xEF, 0xBB, 0xBF]) == nil)
  }

  @Test("integers are exact, and other large numbers remain numbers")
  func readsLargeNumbers() {
    #expect(JSONValue(json: Array("9223372036854775807".utf8)) == .integer(.max))
    #expect(JSONValue(json: Array("-9223372036854775808".utf8)) == .integer(.min))
    #expect(JSONValue(json: Array("9223372036854775808".utf8)) == .number(0x1p63))
    #expect(JSONValue(json: Array("9.007199254740992e15".utf8)) == .integer(1 << 53))
    #expect(JSONValue(json: Array("1e17".utf8)) == .number(1e17))
  }

  @Test("of equal keys the last one counts")
  func takesLast() {
    #expect(JSONValue(json: Array(#"{"a":1,"a":2}"#.utf8)) == .object(["a": 2]))
  }

  @Test("nesting is limited")
  func refusesDeepNesting() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func nested(_ depth: Int) -> [UInt8] {
        Array(
          (String(repeating: open, count: depth) + "1"
            + String(repeating: close, count: depth)).utf8)
      }
      #expect(JSONValue(json: nested(500)) != nil)
      #expect(JSONValue(json: nested(600)) == nil)
      #expect(JSONValue(json: nested(1_000_000)) == nil)
    }
  }

  @Test("values are read as what they are, or not at all")
  func readsTypes() {
    let object: [String: JSONValue] = ["a": 1, "b": .null, "c": "x", "d": 0.5]
    #expect(object.optional("a", \.integer) == .some(.some(1)))
    #expect(object.optional("b", \.integer) == .some(.none))
    #expect(object.optional("z", \.integer) == .some(.none))
    #expect(object.optional("c", \.integer) == .none)
    #expect(object.all(\.integer) == nil)
    #expect(object["a"]?.number == 1 && object["d"]?.number == 0.5 && object["c"]?.number == nil)
    #expect(JSONValue.list(["a", "b"]).texts == ["a", "b"])
    #expect(JSONValue.list(["a", 1]).texts == nil && JSONValue.text("a").texts == nil)
  }
}

extension [JSONValue?] {
  fileprivate var asList: JSONValue { .list(map { $0 ?? .null }) }
}
