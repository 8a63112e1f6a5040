// SPDX-License-Identifier: Apache-2.0

extension CommandDefinition {
  /// The errors of the definition itself; empty for a valid one. A test checks this for every
  /// command, so that the parser need not.
  package var problems: [String] {
    var problems: [String] = []
    let all = options + Self.commonOptions
    for name in Self.repeated(all.map(\.name)) { problems.append("--\(name) appears twice") }
    for letter in Self.repeated(all.compactMap(\.letter)) {
      problems.append("-\(letter) appears twice")
    }
    for option in all {
      if option.name.isEmpty || option.name.hasPrefix("-") || option.name.contains("=") {
        problems.append("“\(option.name)” cannot be the name of an option")
      }
      if option.help.isEmpty || option.help.hasSuffix(".") {
        problems.append("the help of --\(option.name) must be a sentence without a full stop")
      }
    }
    for (index, positional) in positionals.enumerated() {
      if positional.repeats, index < positionals.count - 1 {
        problems.append("\(positional.name) repeats but is not the last argument")
      }
      if positional.isRequired, positionals.prefix(index).contains(where: { !$0.isRequired }) {
        problems.append("\(positional.name) is required but follows an optional argument")
      }
    }
    if summary.isEmpty || summary.hasSuffix(".") {
      problems.append("the summary must be a sentence without a full stop")
    }
    return problems
  }

  private static func repeated<Name: Hashable>(_ names: [Name]) -> [Name] {
    var seen: Set<Name> = []
    return names.filter { !seen.insert($0).inserted }
  }
}
