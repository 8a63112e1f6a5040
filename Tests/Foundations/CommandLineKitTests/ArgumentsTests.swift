// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import TestSupport
import Testing

/// A command that has one of everything.
let sampleDefinition = CommandDefinition(
  name: "cairn-sample", summary: "does nothing in many ways",
  discussion: """
    The first paragraph says what the command is good for, in a sentence that is longer than one \
    line.

    The second one says what else there is to know.
    """,
  positionals: [
    .init("MANIFEST", help: "what to do"),
    .init("REGION", repeats: true, required: false, help: "where to do it"),
  ],
  options: [
    .option("output", "FILE", letter: "o", required: true, help: "the file to write"),
    .option("from", "LAT,LON", help: "where to start"),
    .option("via", "LAT,LON", repeats: true, help: "a point on the way"),
    .option("jobs", "N", letter: "j", help: "how many at a time"),
    .option("format", "FORMAT", help: "text, json or geojson"),
    .option(
      "a-name-that-is-very-long-indeed", "VALUE",
      help: "a help text that needs more than one line, because the option has such a long name"),
    .flag("force", letter: "f", help: "do it all again"),
    .flag("quiet", letter: "q", help: "print nothing but errors"),
  ],
  examples: ["cairn-sample -o out.db sample.yaml"])

@Suite("Command lines")
struct ArgumentsTests {
  private func read(_ words: String...) throws -> Arguments {
    try Arguments(words, for: sampleDefinition)
  }

  @Test(
    "an option takes its value after a space, after = or after its letter",
    arguments: [
      ["--output", "a b"], ["--output=a b"], ["-o", "a b"], ["-oa b"], ["-fo", "a b"],
      ["-fqoa b"],
    ])
  func readsValues(words: [String]) throws {
    let arguments = try Arguments(words, for: sampleDefinition)
    #expect(arguments.value("output") == "a b")
    #expect(arguments.has("force") == words[0].hasPrefix("-f"))
    #expect(arguments.positionals.isEmpty)
  }

  @Test("negative coordinates are values and arguments, not options")
  func readsNegativeNumbers() throws {
    let arguments = try read(
      "--from", "-33.1,-70.2", "--via=-1,2", "--via", "-.5,3", "-1.5,2", "--jobs", "-4")
    #expect(arguments.value("from") == "-33.1,-70.2")
    #expect(arguments.all("via") == ["-1,2", "-.5,3"])
    #expect(arguments.positionals == ["-1.5,2"])
    #expect(arguments.value("jobs") == "-4")
  }

  @Test("a lone dash is an argument, and -- ends the options")
  func readsDashes() throws {
    #expect(
      try read("-", "--", "--output", "-f", "--").positionals == ["-", "--output", "-f", "--"])
    #expect(try read("--output", "-").value("output") == "-")
    #expect(try read("--output=--force").value("output") == "--force")
    #expect(try read("--output=a=b").value("output") == "a=b")
  }

  @Test(
    "anything outside the definition is a usage error that says what to do",
    arguments: [
      (["--ouput", "x"], "unknown option --ouput (did you mean --output?)"),
      (["--bogus"], "unknown option --bogus (see cairn-sample --help)"),
      (["--=x"], "unknown option -- (see cairn-sample --help)"),
      (["---force"], "unknown option ---force (did you mean --force?)"),
      (["-x"], "unknown option -x (see cairn-sample --help)"),
      (["-é"], "unknown option -é (see cairn-sample --help)"),
      (["-help"], "unknown option -e (did you mean --help?)"),
      (["--force=yes"], "--force takes no value (see cairn-sample --help)"),
      (["--output"], "--output needs a value: --output FILE (see cairn-sample --help)"),
      (["-o"], "--output needs a value: --output FILE (see cairn-sample --help)"),
      (["--output="], "--output needs a value: --output FILE (see cairn-sample --help)"),
      (["--output", ""], "--output needs a value: --output FILE (see cairn-sample --help)"),
      (
        ["--output", "--force", "x"],
        "--output needs a value, and --force looks like an option "
          + "(write --output=--force if this is the value)"
      ),
      (["--output", "a", "-o", "b"], "--output is given twice (see cairn-sample --help)"),
    ])
  func refusesNonsense(words: [String], message: String) {
    let error = expectError(.usage, .usage) { try Arguments(words, for: sampleDefinition) }
    #expect(error?.description == message)
  }

  @Test("flags may be given twice, repeatable options keep their order")
  func readsRepeats() throws {
    let arguments = try read("-f", "--force", "--via", "1,1", "--via", "2,2")
    #expect(arguments.has("force"))
    #expect(arguments.all("via") == ["1,1", "2,2"])
    #expect(arguments.all("from") == [])
  }

  @Test("a missing required argument is named, and surplus arguments are refused")
  func checksRequired() throws {
    func problem(_ words: String...) -> String? {
      expectError(.usage, .usage) {
        try Arguments(words, for: sampleDefinition).checkRequired()
      }?.message
    }
    #expect(problem("m") == "--output FILE is required")
    #expect(problem("--output", "x") == "MANIFEST is required: what to do")
    try read("--output", "x", "m").checkRequired()
    try read("--output", "x", "m", "r", "s").checkRequired()
    let plain = CommandDefinition(name: "cairn-plain", summary: "takes no words")
    let error = expectError(.usage, .usage) { try Arguments(["x"], for: plain).checkRequired() }
    #expect(error?.message == "unexpected argument “x”")
    expectError(.usage, .usage) { try read("m").required("output") }
  }

  @Test("integers must be within their range")
  func readsIntegers() throws {
    #expect(try read("-j4").integer("jobs", in: 1...8) == 4)
    #expect(try read().integer("jobs", in: 1...8) == nil)
    for text in ["0", "9", "-4", "4.0", "x", "4 ", "99999999999999999999", "٤"] {
      let error = expectError(.usage, .usage) {
        try read("--jobs", text).integer("jobs", in: 1...8)
      }
      #expect(error?.message == "--jobs takes a whole number from 1 to 8, not “\(text)”")
    }
  }

  @Test("decimal numbers must be within their range, which messages show without needless zeros")
  func readsNumbers() throws {
    #expect(try read("-j2.5").number("jobs", in: 1...8) == 2.5)
    #expect(try read("-j1e0").number("jobs", in: 1...8) == 1)
    #expect(try read().number("jobs", in: 1...8) == nil)
    for text in ["0.9", "8.01", "-4", "nan", "inf", "0x4", "4 ", "1e999", "4m"] {
      let error = expectError(.usage, .usage) {
        try read("--jobs", text).number("jobs", in: 1...8)
      }
      #expect(error?.message == "--jobs takes a number from 1 to 8, not “\(text)”")
    }
  }

  @Test("memory is a number of MiB, or a size with a unit")
  func readsMemory() throws {
    for (text, bytes) in [
      ("8000", 8000 << 20), ("1GB", 1_000_000_000), ("1.5 GiB", 3 << 29), ("1024KiB", 1 << 20),
    ] {
      #expect(try read("--jobs", text).memory("jobs") == bytes)
    }
    #expect(try read().memory("jobs") == nil)
    for text in ["0", "-4", "1 kB", "2 GB ", "2 gb", "GB", "1e3", "nan", "10000000 GB", "٤"] {
      expectError(.usage, .usage) { try read("--jobs", text).memory("jobs") }
    }
  }

  @Test("a choice must be one of its words")
  func readsChoices() throws {
    let formats = ["text", "json", "geojson"]
    #expect(try read("--format", "json").choice("format", of: formats) == "json")
    #expect(try read().choice("format", of: formats) == nil)
    let error = expectError(.usage, .usage) {
      try read("--format", "jsno").choice("format", of: formats)
    }
    #expect(
      error?.description
        == "--format takes text, json, geojson, not “jsno” (did you mean json?)")
  }

  @Test("no command line traps")
  func survivesRandomWords() {
    let pieces = [
      "-", "--", "=", "o", "output", "f", "via", "1", ",", ".", "é", " ", "", "\0", "help",
    ]
    for seed in UInt64(0)..<3_000 {
      var random = SeededGenerator(seed: seed)
      let words = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random))
          .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      do throws(CairnError) {
        let arguments = try Arguments(words, for: sampleDefinition)
        try arguments.checkRequired()
        #expect(arguments.value("output")?.isEmpty == false, "\(words)")
      } catch {
        #expect(error.exitCode == .usage, "\(words)")
      }
    }
  }
}
