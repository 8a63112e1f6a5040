// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

@Suite("Pages of the manual and completions")
struct PagesTests {
  private let definition = CommandDefinition(
    name: "cairn show", summary: "show what is there",
    discussion: "Shows \\ and '.\n.hidden lines, too.",
    positionals: [.init("FILE", repeats: true, help: "what to show")],
    options: [
      .option("output", "FILE.svg", letter: "o", required: true, help: "the picture"),
      .option("at", "LAT,LON", repeats: true, help: "a place [in degrees]: several don't hurt"),
      .flag("all", help: "everything"),
    ],
    examples: ["cairn show --at 47.1,10.2 a.db -o a.svg"])

  private var completions: Completions {
    let batch = CommandDefinition(
      name: "cairn show batch", summary: "show many", options: [.flag("quick", help: "in a hurry")])
    return Completions(
      program: "cairn",
      commands: [
        ("show", definition), ("show batch", batch),
        ("list all", CommandDefinition(name: "cairn list all", summary: "list everything")),
      ])
  }

  @Test("a page of the manual has all parts, and no line of text passes for a request")
  func manPage() {
    #expect(
      definition.manPage == #"""
        .\" Written by cairn --man.
        .TH CAIRN\-SHOW 1 "" "cairn \#(cairnVersion)" "Cairn"
        .SH NAME
        cairn\-show \- show what is there
        .SH SYNOPSIS
        .B cairn show
        \fB\-\-output\fR \fIFILE.svg\fR
        [\fIoptions\fR]
        \fIFILE\fR…
        .SH DESCRIPTION
        Shows \e and \(aq.
        \&.hidden lines, too.
        .SH ARGUMENTS
        .TP
        \fIFILE\fR
        what to show.
        .SH OPTIONS
        .TP
        \fB\-o\fR, \fB\-\-output\fR \fIFILE.svg\fR
        the picture.
        .TP
        \fB\-\-at\fR \fILAT,LON\fR
        a place [in degrees]: several don\(aqt hurt; may be repeated.
        .TP
        \fB\-\-all\fR
        everything.
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        show this page.
        .TP
        \fB\-\-version\fR
        show the version.
        .SH EXAMPLES
        .nf
        cairn show \-\-at 47.1,10.2 a.db \-o a.svg
        .fi
        .SH EXIT STATUS
        .TP
        0
        success.
        .TP
        64
        a mistake on the command line.
        .TP
        65
        the data is invalid.
        .TP
        66
        a file is missing or cannot be read.
        .TP
        70
        a bug in Cairn.
        .TP
        73
        a file cannot be written.
        .TP
        74
        reading or writing failed.
        .TP
        75
        a temporary failure, worth another attempt.
        .TP
        78
        a mistake in a manifest, a profile or a suite.
        .SH SEE ALSO
        .BR cairn (1)

        """#)
  }

  /// What bash offers for the last of some words.
  private func bash(_ words: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("", to: "hut.gpx")
    let script = try folder.write(
      completions.script(for: .bash) + """
        COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cairn
        printf '%s\\n' "${COMPREPLY[@]}"
        """, to: "complete.bash")
    let result = try runProcess("bash", [script], in: folder.path)
    #expect(result.status == 0 && result.stderr.isEmpty, "\(result.stderr)")
    return result.stdout.split(separator: "\n").map(String.init)
  }

  @Test("bash completes commands of one and two words, options, and files where they are wanted")
  func bashCompletes() throws {
    #expect(try bash(["cairn", "s"]) == ["show"])
    #expect(try bash(["cairn", "l"]) == ["list"])
    #expect(try bash(["cairn", "show", "b"]) == ["batch"])
    #expect(try bash(["cairn", "list", ""]) == ["all"])
    #expect(try bash(["cairn", "show", "--a"]) == ["--at", "--all"])
    #expect(try bash(["cairn", "show", "batch", "--q"]) == ["--quick"])
    #expect(try bash(["cairn", "show", "-o", "hu"]) == ["hut.gpx"])
    #expect(try bash(["cairn", "show", "--at", "hu"]) == [])
    #expect(try bash(["cairn", "show", "hu"]) == ["hut.gpx"])
  }

  @Test("each shell accepts its script", arguments: Completions.Shell.allCases)
  func syntax(shell: Completions.Shell) throws {
    let folder = try TemporaryFolder()
    let whole = try folder.write(completions.script(for: shell), to: "whole")
    var stage = definition
    stage.name = "cairn-show"
    let single = try folder.write(Completions(stage).script(for: shell), to: "single")
    guard ["/usr/bin/", "/bin/"].contains(where: { isExecutable($0 + shell.rawValue) }) else {
      return
    }
    for script in [whole, single] {
      let result = try runProcess(shell.rawValue, ["-n", script])
      #expect(result.status == 0, "\(result.stderr)")
    }
  }

  private func isExecutable(_ path: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path)
  }

  @Test("the scripts say what options are for, with their quotes intact")
  func descriptions() {
    #expect(
      completions.script(for: .zsh).contains(
        #"'*--at[a place \[in degrees\]\: several don'\''t hurt]:LAT,LON: '"#))
    #expect(
      completions.script(for: .zsh).contains(
        "'(-o --output)'{-o,--output}'[the picture]:FILE.svg:_files'"))
    #expect(
      completions.script(for: .fish).contains(
        #"-l at -x -d 'a place [in degrees]: several don\'t hurt'"#))
    #expect(completions.script(for: .fish).contains("-s o -l output -r -F -d 'the picture'"))
  }
}
