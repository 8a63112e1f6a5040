// SPDX-License-Identifier: Apache-2.0

/// One command as data: its parser, its help page and its completions all come from here.
public struct CommandDefinition: Sendable {
  /// One option or flag, such as `--output FILE`.
  public struct Option: Sendable {
    /// The long name without its dashes.
    public let name: String
    /// The single letter, if it has one.
    public let letter: Character?
    /// What the value stands for, such as `FILE`; nil for a flag.
    public let value: String?
    /// Whether it may be given several times.
    public let repeats: Bool
    /// Whether the command cannot do without it.
    public let isRequired: Bool
    /// One sentence for the help page, in lower case, without a full stop.
    public let help: String

    /// An option with a value.
    public static func option(
      _ name: String, _ value: String, letter: Character? = nil, repeats: Bool = false,
      required: Bool = false, help: String
    ) -> Option {
      Option(
        name: name, letter: letter, value: value, repeats: repeats, isRequired: required,
        help: help)
    }

    /// A flag.
    public static func flag(_ name: String, letter: Character? = nil, help: String) -> Option {
      Option(
        name: name, letter: letter, value: nil, repeats: false, isRequired: false, help: help)
    }
  }

  /// A word without dashes, such as the manifest of `cairn run MANIFEST`.
  public struct Positional: Sendable {
    /// What it stands for, such as `MANIFEST`.
    public let name: String
    /// Whether the last one takes all that is left.
    public let repeats: Bool
    /// Whether the command cannot do without it.
    public let isRequired: Bool
    /// One sentence for the help page.
    public let help: String

    /// Describes a word.
    public init(_ name: String, repeats: Bool = false, required: Bool = true, help: String) {
      self.name = name
      self.repeats = repeats
      isRequired = required
      self.help = help
    }
  }

  /// The name as it is typed, such as `cairn run` or `cairn-decode-pbf`.
  public var name: String
  /// What it does, in one line.
  public var summary: String
  /// Paragraphs for the help page.
  public var discussion: String
  /// Words without dashes, in order.
  public var positionals: [Positional]
  /// Options, in the order of the help page.
  public var options: [Option]
  /// Command lines that work, each with a word on what it does.
  public var examples: [String]

  /// Describes a command.
  public init(
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

  /// What every command understands besides its own options.
  static let commonOptions: [Option] = [
    .flag("help", letter: "h", help: "show this page"),
    .flag("version", help: "show the version"),
  ]
}

/// The version of the product, as `--version` and every provenance say it.
public let cairnVersion = "0.1.0"
