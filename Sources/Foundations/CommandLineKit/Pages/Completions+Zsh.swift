// SPDX-License-Identifier: Apache-2.0

extension Completions {
  /// For zsh 5 and later, as a file `_PROGRAM` in a folder of `fpath`.
  var zsh: String {
    var lines = [
      "#compdef \(program)", "# zsh completion, written by \(program) --completion zsh", "",
      "\(function)() {",
    ]
    if commands.contains(where: { !$0.name.isEmpty }) {
      lines += ["  local command=$words[2]", "  if (( CURRENT == 2 )); then"]
      lines += zshWords(firstWords, indent: "    ") + ["    return", "  fi", "  case $command in"]
      for group in groups {
        let seconds = secondWords(of: group)
        let isCommand = commands.contains { $0.name == group }
        lines += ["    \(group))", "      if (( CURRENT == 3 )); then"]
        lines += zshWords(seconds, indent: "        ")
        if !isCommand { lines.append("        return") }
        lines += [
          "      fi",
          "      if [[ $words[3] == (\(seconds.map(\.word).joined(separator: "|"))) ]]; then",
          "        command=\"$command $words[3]\"", "        shift words",
          "        (( CURRENT-- ))",
          "      fi", "      ;;",
        ]
      }
      lines += ["  esac", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
      for (name, definition) in commands {
        lines += ["    '\(name)')"] + zshArguments(definition, indent: "      ") + ["      ;;"]
      }
      lines.append("  esac")
    } else if let definition = commands.first?.definition {
      lines += zshArguments(definition, indent: "  ")
    }
    return (lines + ["}", "", "\(function) \"$@\""]).joined(separator: "\n") + "\n"
  }

  private func zshWords(_ words: [(word: String, summary: String)], indent: String) -> [String] {
    ["\(indent)local -a choices=("]
      + words.map { "\(indent)  '\($0.word):\(Self.zshText($0.summary))'" }
      + ["\(indent))", "\(indent)_describe command choices"]
  }

  private func zshArguments(_ definition: CommandDefinition, indent: String) -> [String] {
    let specs = definition.allOptions.map { option -> String in
      let all = option.spellings
      let text = "[\(Self.zshText(option.help))]"
      let value =
        option.value.map { ":\(Self.zshText($0)):" + (option.takesPath ? "_files" : " ") } ?? ""
      if option.repeats {
        return all.map { "'*\($0)\(text)\(value)'" }.joined(separator: " ")
      }
      guard all.count > 1 else { return "'\(all[0])\(text)\(value)'" }
      return "'(\(all.joined(separator: " ")))'{\(all.joined(separator: ","))}'\(text)\(value)'"
    }
    let lines = specs + (definition.positionals.isEmpty ? [] : ["'*:file:_files'"])
    return ["\(indent)_arguments \\"]
      + lines.enumerated().map { index, line in
        "\(indent)  \(line)" + (index == lines.count - 1 ? "" : " \\")
      }
  }

  /// Text within quotes, with brackets and colons escaped.
  private static func zshText(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "'\\''").replacing("[", with: "\\[")
      .replacing("]", with: "\\]").replacing(":", with: "\\:")
  }
}
