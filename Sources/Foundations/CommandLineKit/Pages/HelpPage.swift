// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension CommandDefinition {
  /// The page that `--help` prints, wrapped at 80 columns except for the examples.
  package var helpPage: String {
    var lines = wrapped("\(name): \(summary)", width: 80) + [""] + usageLines
    if !discussion.isEmpty { lines += [""] + wrapped(discussion, width: 80) }
    if !positionals.isEmpty {
      lines += [""] + table(positionals.map { ($0.name, $0.help) })
    }
    let rows = (options + Self.commonOptions).map { (Self.spelling($0), Self.help($0)) }
    lines += ["", "Options:"] + table(rows)
    if !examples.isEmpty { lines += ["", "Examples:"] + examples.map { "  " + $0 } }
    return lines.joined(separator: "\n") + "\n"
  }

  private var usageLines: [String] {
    var words = ["Usage: \(name)"]
    for option in options where option.isRequired {
      words.append("--\(option.name) \(option.value ?? "")" + (option.repeats ? "…" : ""))
    }
    if options.contains(where: { !$0.isRequired }) { words.append("[options]") }
    for positional in positionals {
      let word = positional.name + (positional.repeats ? "…" : "")
      words.append(positional.isRequired ? word : "[\(word)]")
    }
    let lines = wrapped(words, width: 78)
    return lines.prefix(1) + lines.dropFirst().map { "  " + $0 }
  }

  private static func spelling(_ option: Option) -> String {
    let letter = option.letter.map { "-\($0), " } ?? "    "
    return letter + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
  }

  private static func help(_ option: Option) -> String {
    option.help + (option.repeats ? "; may be repeated" : "")
  }

  private func table(_ rows: [(String, String)]) -> [String] {
    let longest = rows.map(\.0.count).max() ?? 0
    let column = min(longest, 32)
    return rows.flatMap { left, right -> [String] in
      let text = wrapped(right, width: 76 - column)
      let indent = String(repeating: " ", count: column + 4)
      guard left.count <= column else { return ["  " + left] + text.map { indent + $0 } }
      let head = "  " + left.padded(to: column + 2) + (text.first ?? "")
      return [head] + text.dropFirst().map { indent + $0 }
    }
  }
}
