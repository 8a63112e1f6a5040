// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import Testing

@Suite("Strict YAML")
struct DocumentTests {
  @Test("mappings, lists and scalars have their lines and columns")
  func readsPositions() throws {
    let node = try parse("name: sample # the demo\nboxes:\n  - [1, 2.5]\n  - \"3\"\n")
    guard case .mapping(let entries) = node.content else { throw Unexpected() }
    #expect(entries.map(\.key.text) == ["name", "boxes"])
    #expect(entries[0].value.content == .scalar("sample", isPlain: true))
    #expect(entries[0].value.line == 1 && entries[0].value.column == 7)
    guard case .sequence(let boxes) = entries[1].value.content else { throw Unexpected() }
    #expect(boxes[1].content == .scalar("3", isPlain: false))
    #expect(boxes[1].line == 4 && boxes[1].column == 5)
  }

  @Test("JSON is read by the same parser")
  func readsJSON() throws {
    let json = try parse("{\"a\": [1, true],\n\t\"b\": {\"c\": \"x\\/y\"}}")
    guard case .mapping(let entries) = json.content,
      case .mapping(let inner) = entries[1].value.content
    else { throw Unexpected() }
    #expect(inner[0].value.content == .scalar("x/y", isPlain: false))
  }

  @Test("a byte order mark is not part of the text")
  func skipsByteOrderMark() throws {
    let node = try YAMLDocument.parse([0xEF, 0xBB, 0xBF] + Array("a: 1".utf8), file: "f.yaml")
    guard case .mapping(let entries) = node.content else { throw Unexpected() }
    #expect(entries[0].key.text == "a" && entries[0].key.column == 1)
  }

  @Test(
    "anything outside the subset is refused with its line and column",
    arguments: [
      ("a: &x 1\n", "f.yaml:1:4: anchors are not allowed (&x) (repeat the value)"),
      ("a: &x [1]\n", "f.yaml:1:4: anchors are not allowed (&x) (repeat the value)"),
      ("a: 1\nb: *x\n", "f.yaml:2:4: aliases are not allowed (*x) (repeat the value)"),
      ("a: !!str 1\n", "f.yaml:1:4: tags are not allowed (tag:yaml.org,2002:str)"),
      ("a: !mine {b: 1}\n", "f.yaml:1:4: tags are not allowed (!mine)"),
      ("%TAG ! tag:x,2000:\n---\na: 1\n", "f.yaml:1:1: %TAG is not allowed"),
      ("a: 1\n---\nb: 2\n", "f.yaml:2:1: a second document begins here; only one is allowed"),
      ("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key “a” already appears on line 1"),
      ("[1]: 2\n", "f.yaml:1:1: a key must be one line of text"),
      ("{\"a\\nb\": 2}\n", "f.yaml:1:2: a key must be one line of text"),
      ("\"\": 2\n", "f.yaml:1:1: a key must be one line of text"),
      ("", "f.yaml:1:1: is empty: only whitespace and comments"),
      ("# only this\n", "f.yaml:2:1: is empty: only whitespace and comments"),
      (
        "a:\n\t- 1\n",
        "f.yaml:2:1: found character that cannot start any token, while scanning for the next "
          + "token (indent with spaces, not with tabs)"
      ),
      (
        "a: [1, 2\nb: 3\n",
        "f.yaml:2:2: did not find expected ',' or ']', while parsing a flow sequence"
      ),
      ("a: 1\u{1}\n", "f.yaml:1:5: control characters are not allowed"),
      (
        "ä: '\(String(repeating: "[", count: 3))'\nb: \(String(repeating: "[", count: 70))",
        "f.yaml:2:67: is nested more than 64 levels deep"
      ),
    ])
  func refuses(text: String, expected: String) {
    #expect(message(of: text) == expected)
  }

  @Test("text that is not UTF-8 is refused with its line and column")
  func refusesInvalidUTF8() {
    let error = #expect(throws: CairnError.self) {
      try YAMLDocument.parse(Array("a: 1\nb: ä".utf8) + [0xFF, 0x0A], file: "f.yaml")
    }
    #expect(error?.location == Location(file: "f.yaml", .line(2, column: 5)))
    #expect(error?.exitCode == .configuration)
  }

  @Test("a missing file is exit code 66")
  func refusesFiles() {
    let missing = #expect(throws: CairnError.self) { try YAMLDocument.parse(file: "/none.yaml") }
    #expect(missing?.exitCode == .noInput)
  }

  @Test("deep nesting of any kind is an error and does not crash")
  func refusesDeepNesting() {
    for text in ["[", "{a: ", "- ", "? "] {
      let error = #expect(throws: CairnError.self) {
        try parse(String(repeating: text, count: 20_000))
      }
      #expect(error?.exitCode == .configuration)
    }
  }
}

struct Unexpected: Error {}

func parse(_ text: String) throws -> YAMLNode {
  try YAMLDocument.parse(Array(text.utf8), file: "f.yaml")
}

/// The error of parsing a text as it is printed, or "" if there is none.
func message(of text: String) -> String {
  do {
    _ = try parse(text)
    return ""
  } catch { return "\(error)" }
}
