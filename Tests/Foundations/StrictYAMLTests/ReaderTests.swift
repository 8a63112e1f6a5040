// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import Testing

@Suite("Reading configuration")
struct ReaderTests {
  @Test("required and optional keys of every kind are read")
  func readsKeys() throws {
    let form = MappingForm(keys: [
      .init("name", .text(), required: true, "a name"),
      .init("count", .integer(0...Int.max), "a count"),
      .init("share", .range(0...1), "a share"),
      .init("strict", .boolean, "a flag"),
      .init("box", .list(.number(atLeast: -180)), "a box"),
      .init("nothing", .text(), "what is null"),
      .init("absent", .integer(0...9), "what is not there"),
    ])
    try read(
      """
      name: no
      count: 12
      share: 0.25
      strict: true
      box: [1, 2, 3, 4]
      nothing: ~
      """, form
    ) { top in
      #expect(top.value("name")?.text() == "no")
      #expect(top.value("count")?.integer() == 12)
      #expect(top.value("share")?.number() == 0.25)
      #expect(top.value("strict")?.boolean() == true)
      #expect(top.value("box")?.numbers(count: 4) == [1, 2, 3, 4])
      #expect(top.has("nothing") && top.value("nothing") == nil)
      #expect(!top.has("absent") && top.value("absent") == nil)
    }
  }

  @Test("a table keeps the order of the file and the positions of its keys")
  func readsTables() throws {
    let form = MappingForm(keys: [.init("surface", .table(.number(atLeast: 0)), "a table")])
    let entries = try read("surface:\n  gravel: 1.1\n  rock: 2\n", form) {
      $0.value("surface")?.mapping()?.all() ?? []
    }
    #expect(entries.map(\.key.text) == ["gravel", "rock"])
    #expect(entries.map { $0.value.number() } == [1.1, 2])
    #expect(entries.last?.key.line == 3 && entries.last?.key.column == 3)
  }

  @Test("all problems of a file are in one error, in the order of the file")
  func collectsProblems() {
    let form = MappingForm(keys: [
      .init("name", .text(), required: true, "a name"),
      .init("regions", .list(.text()), required: true, "regions"),
      .init("share", .range(0...1), required: true, "a share"),
      .init("strict", .boolean, required: true, "a flag"),
      .init("sources", .table(.text()), required: true, "sources"),
      .init("url", .text(), "what is needed without a source"),
    ])
    let error = #expect(throws: CairnError.self) {
      try read("regoins: []\nname: [1]\nshare: 1.5\nextra: 1\nstrict: yes\n", form) { top in
        _ = top.value("name")?.text()
        _ = top.value("regions")?.list()
        _ = top.value("share")?.number()
        _ = top.value("strict")?.boolean()
        if top.value("sources") == nil { _ = top.required("url") }
      }
    }
    #expect(
      error?.description == """
        f.yaml:1:1: unknown key “regoins” (did you mean “regions”?)
        f.yaml:1:1: “url” is missing in the file
        f.yaml:1:1: “sources” is missing in the file
        f.yaml:2:7: “name” must be text, not a list
        f.yaml:3:8: “share” must be from 0 to 1, not 1.5
        f.yaml:4:1: unknown key “extra” (the file takes name, regions, share, sources, strict, url)
        f.yaml:5:9: “strict” must be true or false, not “yes”
        """)
    #expect(error?.exitCode == .configuration)
  }

  private static let number = MappingForm(keys: [.init("n", .number(atLeast: -1000), "a number")])

  @Test(
    "a number must be a finite decimal without quotes",
    arguments: ["\"1\"", "nan", "inf", "0x10", "1_000", "1e999", "1,5", "~x", "[1]", ".inf"])
  func refusesNumbers(text: String) {
    #expect(throws: CairnError.self) {
      try read("n: \(text)", Self.number) { $0.value("n")?.number() }
    }
  }

  @Test("numbers in their usual forms are read", arguments: ["1", "-1", "+1.5", "1e3", ".5"])
  func readsNumbers(text: String) throws {
    #expect(try read("n: \(text)", Self.number) { $0.value("n")?.number() } == Double(text))
  }

  @Test(
    "the error of an invalid value says what is expected",
    arguments: [
      ("n: -1", "f.yaml:1:4: “n” must be at least 0, not -1"),
      ("n: 1.5", "f.yaml:1:4: “n” must be a whole number, not “1.5”"),
      ("n:", "f.yaml:1:1: “n” has no value in the file"),
    ])
  func describesValues(text: String, expected: String) {
    let form = MappingForm(keys: [.init("n", .integer(0...Int.max), required: true, "a number")])
    let error = #expect(throws: CairnError.self) {
      try read(text, form) { $0.value("n")?.integer() }
    }
    #expect(error?.description == expected)
  }

  @Test("a misspelled choice gets a suggestion")
  func suggestsChoices() {
    let form = MappingForm(keys: [.init("mode", .choice(["hiking", "cycling"]), "a mode")])
    let error = #expect(throws: CairnError.self) {
      try read("mode: hikking", form) { $0.value("mode")?.choice() }
    }
    #expect(
      error?.description
        == "f.yaml:1:7: “mode” must be one of hiking, cycling, not “hikking” "
        + "(did you mean hiking?)")
  }

  private static let name = MappingForm(keys: [.init("name", .text(), required: true, "a name")])

  @Test("a text must be one line without control characters")
  func refusesControlCharacters() {
    for text in ["\"a\\nb\"", "\"a\\0b\"", "\"\"", "|\n  a\n  b\n"] {
      #expect(throws: CairnError.self) {
        try read("name: \(text)", Self.name) { $0.value("name")?.text() }
      }
    }
  }

  @Test("a list in place of a mapping is one problem, not many")
  func reportsWrongTop() {
    let error = #expect(throws: CairnError.self) {
      try read("- 1", Self.name) { $0.value("name")?.text() }
    }
    #expect(
      error?.description == "f.yaml:1:1: the file must be a mapping (key: value), not a list")
  }

  /// A mapping with values of all kinds.
  private static let form = MappingForm(keys: [
    .init("name", .text(), required: true, "a name"),
    .init("size", .integer(1...Int.max), required: true, "a size"),
    .init("share", .range(0...1), "a share"),
    .init("limit", .either([.integer(0...6), .choice(["none"])]), "a limit"),
    .init("grade", .choice(["easy", "hard"], synonyms: ["T1"]), "a grade"),
    .init("box", .list(.range(-180...180), atLeast: 4, atMost: 4), "a box"),
    .init(
      "part", .mapping(MappingForm(keys: [.init("depth", .range(0...9), "a depth")])), "a part"),
    .init("words", .table(.range(1...2)), "a table"),
  ])

  private func readByForm(_ text: String) throws {
    try read(text, Self.form) { top in
      _ = top.value("name")?.text()
      _ = top.value("size")?.integer()
      _ = top.value("share")?.number()
      if let limit = top.value("limit"), limit.word == nil { _ = limit.integer() }
      _ = top.value("grade")?.choice()
      _ = top.value("box")?.list(of: "numbers")?.compactMap { $0.number() }
      if let part = top.value("part")?.mapping() {
        _ = part.value("depth")?.number()
        part.finish()
      }
      _ = top.value("words")?.mapping()?.all().compactMap { $0.value.number() }
    }
  }

  @Test("a form says which keys there are, which are required, and what they may have")
  func readsByForm() throws {
    try readByForm("{ name: a, size: 9, limit: none, grade: T1, box: [1, 2, 3, 4] }")
    let error = #expect(throws: CairnError.self) {
      try readByForm(
        """
        nam: a
        share: 2
        limit: 7
        grade: hrad
        box: [1, 200, 3, 4]
        part: { dept: 1, depth: 10 }
        words: { a: 3 }
        """)
    }
    #expect(
      error?.description == """
        f.yaml:1:1: unknown key “nam” (did you mean “name”?)
        f.yaml:1:1: “size” is missing in the file
        f.yaml:2:8: “share” must be from 0 to 1, not 2
        f.yaml:3:8: “limit” must be from 0 to 6, not 7
        f.yaml:4:8: “grade” must be one of easy, hard, not “hrad” (did you mean hard?)
        f.yaml:5:10: value 2 of “box” must be from -180 to 180, not 200
        f.yaml:6:9: unknown key “dept” (“part” takes depth)
        f.yaml:6:25: “depth” must be from 0 to 9, not 10
        f.yaml:7:13: “a” must be from 1 to 2, not 3
        """)
    let counted = #expect(throws: CairnError.self) {
      try readByForm("{ name: a, size: 0, box: [] }")
    }
    #expect(
      counted?.description == """
        f.yaml:1:18: “size” must be at least 1, not 0
        f.yaml:1:26: “box” must have 4 numbers, not 0
        """)
  }

  @Test("a thousand problems are counted, not listed")
  func limitsList() throws {
    let problems = YAMLProblems(file: "f.yaml")
    for line in 1...1000 { problems.add("wrong", line: line, column: 1) }
    let error = #expect(throws: CairnError.self) { try problems.check() }
    #expect(error?.further.count == 50)
    #expect(error?.further.last?.description == "and 950 more problems")
  }
}

/// Reads a text with `body` and then checks for problems.
private func read<Result>(
  _ text: String, _ form: MappingForm, _ body: (MappingReader) throws -> Result
) throws -> Result {
  let problems = YAMLProblems(file: "f.yaml")
  let top = MappingReader(try parse(text), called: "the file", problems, form)
  let result = try body(top)
  top.finish()
  try problems.check()
  return result
}
