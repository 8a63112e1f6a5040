// SPDX-License-Identifier: Apache-2.0

/// Shell completion scripts for a program.
package struct Completions {
  /// A shell.
  package enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
  }

  /// The program, such as `cairn`.
  let program: String
  /// Its commands of one or two words with their definitions; a single empty name for a program
  /// without commands.
  let commands: [(name: String, definition: CommandDefinition)]

  /// The completions of a program with commands.
  package init(
    program: String, commands: [(name: String, definition: CommandDefinition)]
  ) {
    self.program = program
    self.commands = commands
  }

  /// The completions of a program without commands.
  package init(_ definition: CommandDefinition) {
    self.init(program: definition.name, commands: [("", definition)])
  }

  /// The script for a shell.
  package func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The shell of `--completion SHELL`; nil for all other words.
  package static func shell(_ words: [String]) -> Shell? {
    guard words.count == 2, words[0] == "--completion" else { return nil }
    return Shell(rawValue: words[1])
  }

  /// The name of the shell function for a program.
  var function: String { "_" + program.replacing("-", with: "_") }

  /// The possible first words after the program name, with the summaries of commands.
  var firstWords: [(word: String, summary: String)] {
    var words: [(word: String, summary: String)] = []
    for (name, definition) in commands {
      let parts = name.split(separator: " ")
      guard let first = parts.first.map(String.init) else { continue }
      if let known = words.firstIndex(where: { $0.word == first }) {
        if parts.count == 1 { words[known].summary = definition.summary }
      } else {
        let others = commands.filter { $0.name.hasPrefix(first + " ") }
          .map { String($0.name.dropFirst(first.count + 1)) }
        let summary =
          parts.count == 1 ? definition.summary : "\(others.joined(separator: ", "))"
        words.append((first, summary))
      }
    }
    return words
  }

  /// The possible second words after a first one, with their summaries.
  func secondWords(of first: String) -> [(word: String, summary: String)] {
    commands.filter { $0.name.hasPrefix(first + " ") }
      .map { (String($0.name.dropFirst(first.count + 1)), $0.definition.summary) }
  }

  /// The first words that require or allow a second one.
  var groups: [String] {
    firstWords.map(\.word).filter { !secondWords(of: $0).isEmpty }
  }
}

extension CommandDefinition {
  /// The output for the installation: `--man`, its manual page, or `--completion SHELL`; nil for
  /// all other words.
  func generatedPage(_ words: [String]) -> String? {
    if words == ["--man"] { return manPage }
    guard let shell = Completions.shell(words), !name.contains(" ") else { return nil }
    return Completions(self).script(for: shell)
  }

  /// All options, including the common ones.
  var allOptions: [Option] { options + Self.commonOptions }
}

extension CommandDefinition.Option {
  /// Prefixes of placeholders for files and folders, such as `FILE.places.db`.
  private static let paths = ["FILE", "DIR", "FOLDER", "PATH", "DB", "MANIFEST", "PROFILE"]

  /// Whether its value is a file or folder.
  var takesPath: Bool {
    value.map { value in Self.paths.contains { value.hasPrefix($0) } } ?? false
  }

  /// `-o --output`, as typed.
  var spellings: [String] { (letter.map { ["-\($0)"] } ?? []) + ["--\(name)"] }
}
