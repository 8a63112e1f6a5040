// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension CommandDefinition {
  /// The name of its page in the manual: `cairn-profile-show` for `cairn profile show`.
  package var pageName: String { name.split(separator: " ").joined(separator: "-") }

  /// Its manual page for section 1, in the macros of man(7). It has no date, so that the same
  /// version gives the same page.
  package var manPage: String {
    var lines = Self.manHead(pageName, summary)
    lines += [".SH SYNOPSIS", ".B \(Self.roff(name))"]
    for option in options where option.isRequired {
      lines.append(
        "\\fB\(Self.roff("--" + option.name))\\fR \\fI\(Self.roff(option.value ?? ""))\\fR"
          + (option.repeats ? "…" : ""))
    }
    if options.contains(where: { !$0.isRequired }) { lines.append("[\\fIoptions\\fR]") }
    for positional in positionals {
      let word = "\\fI\(Self.roff(positional.name))\\fR" + (positional.repeats ? "…" : "")
      lines.append(positional.isRequired ? word : "[\(word)]")
    }
    if !discussion.isEmpty { lines += [".SH DESCRIPTION"] + Self.paragraphs(discussion) }
    if !positionals.isEmpty {
      lines.append(".SH ARGUMENTS")
      for positional in positionals {
        lines += [".TP", "\\fI\(Self.roff(positional.name))\\fR", Self.line(positional.help + ".")]
      }
    }
    lines.append(".SH OPTIONS")
    for option in options + Self.commonOptions {
      let letter = option.letter.map { "\\fB\\-\($0)\\fR, " } ?? ""
      let value = option.value.map { " \\fI\(Self.roff($0))\\fR" } ?? ""
      lines += [
        ".TP", "\(letter)\\fB\(Self.roff("--" + option.name))\\fR\(value)",
        Self.line(option.help + (option.repeats ? "; may be repeated." : ".")),
      ]
    }
    if !examples.isEmpty {
      lines += [".SH EXAMPLES", ".nf"] + examples.map { Self.line($0) } + [".fi"]
    }
    lines += Self.manTail(name == "cairn" ? nil : "cairn")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of a program with subcommands: `commands` are their names and summaries.
  package static func manPage(
    ofProgram name: String, _ summary: String, _ discussion: String,
    commands: [(name: String, summary: String)]
  ) -> String {
    var lines = manHead(name, summary)
    lines += [".SH SYNOPSIS", ".B \(roff(name))", "\\fICOMMAND\\fR [\\fIoptions\\fR]"]
    lines += [".SH DESCRIPTION"] + paragraphs(discussion) + [".SH COMMANDS"]
    for command in commands {
      lines += [".TP", "\\fB\(roff(command.name))\\fR", line(command.summary + ".")]
    }
    let pages = commands.map { "\(name)-" + $0.name.split(separator: " ").joined(separator: "-") }
    lines += manTail(nil) + [".SH SEE ALSO"]
    lines += pages.map { ".BR \(roff($0)) (1)" + ($0 == pages.last ? "" : ",") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func manHead(_ page: String, _ summary: String) -> [String] {
    [
      ".\\\" Written by \(page.split(separator: "-").first ?? "cairn") --man.",
      ".TH \(roff(page.uppercased())) 1 \"\" \"cairn \(cairnVersion)\" \"Cairn\"", ".SH NAME",
      "\(roff(page)) \\- \(roff(summary))",
    ]
  }

  private static func manTail(_ other: String?) -> [String] {
    let codes: [(ExitCode, String)] = [
      (.success, "success"), (.usage, "a mistake on the command line"),
      (.dataError, "the data is invalid"), (.noInput, "a file is missing or cannot be read"),
      (.software, "a bug in Cairn"), (.cannotCreate, "a file cannot be written"),
      (.ioError, "reading or writing failed"),
      (.temporaryFailure, "a temporary failure, worth another attempt"),
      (.configuration, "a mistake in a manifest, a profile or a suite"),
    ]
    var lines = [".SH EXIT STATUS"]
    for (code, meaning) in codes { lines += [".TP", "\(code.rawValue)", meaning + "."] }
    if let other { lines += [".SH SEE ALSO", ".BR \(other) (1)"] }
    return lines
  }

  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(paragraph.isEmpty ? ".PP" : line(String(paragraph)))
    }
    return lines
  }

  /// A line of text, which must not look like a request.
  private static func line(_ text: String) -> String {
    let text = roff(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  /// Escapes the characters that roff interprets; hyphens stay hyphens.
  private static func roff(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("~", with: "\\(ti")
      .replacing("^", with: "\\(ha").replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
  }
}
