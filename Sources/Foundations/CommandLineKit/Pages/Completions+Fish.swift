// SPDX-License-Identifier: Apache-2.0

extension Completions {
  /// For fish 3 and later, as a file `PROGRAM.fish`.
  var fish: String {
    var lines = ["# fish completion for \(program), written by \(program) --completion fish"]
    if commands.contains(where: { !$0.name.isEmpty }) {
      lines += [
        "function _\(function)_is", "  set -l words (commandline -opc)",
        "  set -l last (math 1 + (count $argv))", "  test (count $words) -ge $last",
        "  and test \"$words[2..$last]\" = \"$argv\"", "end",
      ]
      for (word, summary) in firstWords {
        lines.append(
          "complete -c \(program) -f -n __fish_use_subcommand -a \(word) -d '\(Self.fishText(summary))'"
        )
      }
      for group in groups {
        for (word, summary) in secondWords(of: group) {
          lines.append(
            "complete -c \(program) -f -n 'test (count (commandline -opc)) -eq 2; and _\(function)_is "
              + "\(group)' -a \(word) -d '\(Self.fishText(summary))'")
        }
      }
    }
    for (name, definition) in commands {
      let condition = name.isEmpty ? "" : " -n '_\(function)_is \(name)'"
      for option in definition.allOptions {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : option.takesPath ? " -r -F" : " -x"
        lines.append(
          "complete -c \(program)\(condition)\(letter) -l \(option.name)\(value) "
            + "-d '\(Self.fishText(option.help))'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fishText(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
