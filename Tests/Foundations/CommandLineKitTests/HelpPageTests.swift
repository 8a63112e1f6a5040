// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Testing

@Suite("Help pages")
struct HelpPageTests {
  @Test("the page of a command looks as it is printed")
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
              --via LAT,LON                 a place on the way; may be repeated
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

  @Test("no line of a page but its examples is wider than 80 columns")
  func isEightyColumnsWide() {
    var definition = sampleDefinition
    definition.summary = Array(repeating: "word", count: 40).joined(separator: " ")
    definition.examples = []
    definition.options += (0..<10).map {
      .option("required-\($0)", "VALUE", required: true, help: "option number \($0)")
    }
    for line in definition.helpPage.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("a command without anything has a page of its own")
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

  @Test("a sound definition has no problems, and each slip is one")
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
        "--force is there twice", "--help is there twice", "-q is there twice",
        "“a=b” cannot be the name of an option",
        "the help of --dot is not a sentence without its full stop",
        "REGION repeats and is not the last word", "LAST is required after a word that is not",
        "the summary is not a sentence without its full stop",
      ])
  }
}
