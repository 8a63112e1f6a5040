// SPDX-License-Identifier: Apache-2.0

extension Completions {
  /// For bash 4 and later, without bash-completion.
  var bash: String {
    var lines = [
      "# bash completion for \(program), written by \(program) --completion bash",
      "\(function)() {",
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
      "  local options= paths= values=", "  COMPREPLY=()",
    ]
    if commands.contains(where: { !$0.name.isEmpty }) {
      let words = firstWords.map(\.word).joined(separator: " ")
      lines += [
        "  local command=${COMP_WORDS[1]} pair=\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\"",
        "  if ((COMP_CWORD == 1)); then",
        "    mapfile -t COMPREPLY < <(compgen -W '\(words) help --help --version' -- \"$cur\")",
        "    return", "  fi", "  if ((COMP_CWORD == 2)); then", "    case $command in",
      ]
      for group in groups {
        let seconds = secondWords(of: group).map(\.word).joined(separator: " ")
        lines += [
          "      \(group)) mapfile -t COMPREPLY < <(compgen -W '\(seconds)' -- \"$cur\")",
          "        ((${#COMPREPLY[@]})) && return ;;",
        ]
      }
      let pairs = commands.map(\.name).filter { $0.contains(" ") }
      lines += [
        "    esac", "  fi", "  case $pair in",
        "    \(pairs.map { "'\($0)'" }.joined(separator: "|"))) command=$pair ;;", "  esac",
        "  case $command in",
      ]
      for (name, definition) in commands {
        lines += ["    '\(name)')"] + bashLists(definition, indent: "      ") + ["      ;;"]
      }
      lines.append("  esac")
    } else if let definition = commands.first?.definition {
      lines += bashLists(definition, indent: "  ")
    }
    lines += [
      "  if [[ \" $paths \" == *\" $prev \"* ]]; then",
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")",
      "  elif [[ \" $values \" == *\" $prev \"* ]]; then", "    return",
      "  elif [[ $cur == -* ]]; then",
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")", "  else",
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")", "  fi", "}",
      "complete -o filenames -F \(function) \(program)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func bashLists(_ definition: CommandDefinition, indent: String) -> [String] {
    let options = definition.allOptions
    func list(_ name: String, _ isMember: (CommandDefinition.Option) -> Bool) -> String? {
      let words = options.filter(isMember).flatMap(\.spellings)
      return words.isEmpty ? nil : "\(indent)\(name)='\(words.joined(separator: " "))'"
    }
    return [
      list("options") { _ in true }, list("paths", \.takesPath),
      list("values") { $0.value != nil && !$0.takesPath },
    ].compactMap { $0 }
  }
}
