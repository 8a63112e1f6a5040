// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnPhrases
import CommandLineKit
import Glibc

/// The language that a command answers in.
package enum LanguageChoice {
  /// The option.
  package static let option = CommandDefinition.Option.option(
    "language", "CODE",
    help:
      "language of the text: \(codes.chained(by: ", ")) (default: by LANG on a terminal, "
      + "en elsewhere)")

  private static let codes = Language.allCases.map(\.rawValue)

  /// Reads `--language`. Throws 64 for an unknown language, and together with a flag for output
  /// other than text, which is the same in all languages.
  package static func language(_ arguments: Arguments, unless flag: String) throws(CairnError)
    -> Language
  {
    try language(arguments, other: arguments.has(flag) ? "--\(flag)" : nil)
  }

  /// Reads `--language` of a command with `--format`; see ``language(_:unless:)``.
  package static func language(_ arguments: Arguments, isText: Bool) throws(CairnError) -> Language
  {
    let format = arguments.value("format") ?? ""
    return try language(arguments, other: isText ? nil : "--format \(format)")
  }

  /// The language of notes on stderr next to a text: that of the text if it was requested, or if
  /// stderr is a terminal, too.
  package static func ofNotes(_ arguments: Arguments, _ language: Language) -> Language {
    arguments.has("language") || Console.isTerminal ? language : .english
  }

  private static func language(_ arguments: Arguments, other: String?) throws(CairnError)
    -> Language
  {
    let chosen = try arguments.choice("language", of: codes).flatMap { Language(rawValue: $0) }
    guard let other else {
      let isForTerminal = Console.writesToTerminal && arguments.outputFile == nil
      return chosen
        ?? (isForTerminal ? usual { getenv($0).map { String(cString: $0) } } : .english)
    }
    guard chosen == nil else {
      throw arguments.usageError("--language and \(other) cannot be combined")
    }
    return .english
  }

  /// The language of an environment, by `LC_ALL`, `LC_MESSAGES` or `LANG`.
  package static func usual(_ variable: (String) -> String?) -> Language {
    let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(variable)
    return values.first { !$0.isEmpty }.flatMap { Language(tag: $0) } ?? .english
  }
}
