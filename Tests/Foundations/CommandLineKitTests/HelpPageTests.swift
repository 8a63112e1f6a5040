// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Testing

@Suite("Help pages")
struct HelpPageTests {
  @Test("the help page has summary, usage, discussion, arguments, options and examples")
  func snapshot() {
    #expect(
      sampleDefinition.helpPage == """
        cairn-sample: does nothing in many ways

        Usage: cairn-sample --output FILE [options] MANIFEST [REGION…]

        The first paragraph says what the command is good for, in a sentence that is
        longer than one line.

        The second one says what else there is to know.

          MANIFEST  what to do
          REGION    where to do it

        Options:
          -o, --output FILE                 the file to write
              --from LAT,LON                where to start
              --via LAT,LON                 a point on the way; may be repeated
          -j, --jobs N                      how many at a time
              --format FORMAT               text, json or geojson
              --a-name-that-is-very-long-indeed VALUE
                                            a help text that needs more than one line,
                                            because the option has such a long name
          -f, --force                       do it all again
          -q, --quiet                       print nothing but errors
          -h, --help                        show this page
              --version                     show the version

        Examples:
          cairn-sample -o out.db sample.yaml

        """)
  }

  @Test("no line of a help page is wider than 80 columns, except for examples")
  func isEightyColumnsWide() {
    var definition = sampleDefinition
    definition.summary = Array(repeating: "word", count: 40).joined(separator: " ")
    definition.examples = []
    definition.options += (0..<10).map {
      .option("required-\($0)", "VALUE", required: true, help: "option number \($0)")
    }
    for line in definition.helpPage.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("a command without arguments and options of its own has a help page")
  func smallestPage() {
    #expect(
      CommandDefinition(name: "cairn-plain", summary: "takes no words").helpPage == """
        cairn-plain: takes no words

        Usage: cairn-plain

        Options:
          -h, --help     show this page
              --version  show the version

        """)
  }

  @Test("a valid definition has no problems, and each mistake is one")
  func findsProblems() {
    #expect(sampleDefinition.problems.isEmpty)
    var definition = sampleDefinition
    definition.options += [
      .flag("force", help: "again"), .flag("other", letter: "q", help: "another"),
      .flag("help", help: "mine"), .flag("a=b", help: "odd"), .flag("dot", help: "ends so."),
    ]
    definition.positionals += [.init("LAST", help: "the last")]
    definition.summary = ""
    #expect(
      definition.problems == [
        "--force appears twice", "--help appears twice", "-q appears twice",
        "“a=b” cannot be the name of an option",
        "the help of --dot must be a sentence without a full stop",
        "REGION repeats but is not the last argument",
        "LAST is required but follows an optional argument",
        "the summary must be a sentence without a full stop",
      ])
  }
}
