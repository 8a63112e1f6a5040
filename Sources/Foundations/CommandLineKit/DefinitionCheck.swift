// SPDX-License-Identifier: Apache-2.0

extension CommandDefinition {
  /// What is wrong with the definition itself, in words; empty for a sound one. A test of every
  /// command asks for it, so that the parser need not.
  package var problems: [String] {
    var problems: [String] = []
    let all = options + Self.commonOptions
    for name in Self.repeated(all.map(\.name)) { problems.append("--\(name) is there twice") }
    for letter in Self.repeated(all.compactMap(\.letter)) {
      problems.append("-\(letter) is there twice")
    }
    for option in all {
      if option.name.isEmpty || option.name.hasPrefix("-") || option.name.contains("=") {
        problems.append("“\(option.name)” cannot be the name of an option")
      }
      if option.help.isEmpty || option.help.hasSuffix(".") {
        problems.append("the help of --\(option.name) is not a sentence without its full stop")
      }
    }
    for (place, positional) in positionals.enumerated() {
      if positional.repeats, place < positionals.count - 1 {
        problems.append("\(positional.name) repeats and is not the last word")
      }
      if positional.isRequired, positionals.prefix(place).contains(where: { !$0.isRequired }) {
        problems.append("\(positional.name) is required after a word that is not")
      }
    }
    if summary.isEmpty || summary.hasSuffix(".") {
      problems.append("the summary is not a sentence without its full stop")
    }
    return problems
  }

  private static func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
    var seen: Set<Name> = []
    return names.filter { !seen.insert($0).inserted }
  }
}
