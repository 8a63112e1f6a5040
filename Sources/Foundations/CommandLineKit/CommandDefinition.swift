// SPDX-License-Identifier: Apache-2.0

/// A command as data, from which its parser and its help page are derived.
package struct CommandDefinition: Sendable {
  /// One option or flag, such as `--output FILE`.
  package struct Option: Sendable {
    /// The long name without its dashes.
    package let name: String
    /// The short form, such as `o` for `-o`, if any.
    package let letter: Character?
    /// The placeholder of the value, such as `FILE`; nil for a flag.
    package let value: String?
    /// Whether it may be given several times.
    package let repeats: Bool
    /// Whether the command requires it.
    package let isRequired: Bool
    /// One sentence for the help page, in lower case, without a full stop.
    package let help: String

    /// An option with a value. `--output` is `-o` in every command.
    package static func option(
      _ name: String, _ value: String, letter: Character? = nil, repeats: Bool = false,
      required: Bool = false, help: String
    ) -> Option {
      Option(
        name: name, letter: letter ?? (name == "output" ? "o" : nil), value: value,
        repeats: repeats, isRequired: required, help: help)
    }

    /// The same, not required.
    package var optional: Option {
      Option(
        name: name, letter: letter, value: value, repeats: repeats, isRequired: false, help: help)
    }

    /// A flag.
    package static func flag(_ name: String, letter: Character? = nil, help: String) -> Option {
      Option(
        name: name, letter: letter, value: nil, repeats: false, isRequired: false, help: help)
    }
  }

  /// A positional argument, such as the manifest of `cairn run MANIFEST`.
  package struct Positional: Sendable {
    /// The placeholder, such as `MANIFEST`.
    package let name: String
    /// Whether it takes all remaining arguments; only the last one may.
    package let repeats: Bool
    /// Whether the command requires it.
    package let isRequired: Bool
    /// One sentence for the help page.
    package let help: String

    /// Describes a positional argument.
    package init(_ name: String, repeats: Bool = false, required: Bool = true, help: String) {
      self.name = name
      self.repeats = repeats
      isRequired = required
      self.help = help
    }
  }

  /// The name as typed, such as `cairn run` or `cairn-decode-pbf`.
  package var name: String
  /// A one-line summary.
  package var summary: String
  /// Paragraphs for the help page.
  package var discussion: String
  /// The positional arguments, in order.
  package var positionals: [Positional]
  /// Options, in the order of the help page.
  package var options: [Option]
  /// Example command lines that run unchanged.
  package var examples: [String]

  /// Describes a command.
  package init(
    name: String, summary: String, discussion: String = "", positionals: [Positional] = [],
    options: [Option] = [], examples: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.positionals = positionals
    self.options = options
    self.examples = examples
  }

  /// The options common to all commands.
  static let commonOptions: [Option] = [
    .flag("help", letter: "h", help: "show this page"),
    .flag("version", help: "show the version"),
  ]
}
