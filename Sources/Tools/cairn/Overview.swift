// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit

extension Cairn {
  private static let summary =
    "build data for offline hiking apps from OpenStreetMap and elevation tiles"

  /// A page for the installation: `--man`, the manual page about all commands, or `--completion
  /// SHELL`, a script that completes them; nil for all other words.
  static func generatedPage(_ words: [String]) -> String? {
    if words == ["--man"] {
      return CommandDefinition.manPage(
        ofProgram: "cairn",
        summary,
        "Each stage is also an executable, such as cairn-decode-pbf. Coordinates are "
          + "LAT,LON; boxes are west,south,east,north.",
        commands: commands.map { ($0.name, $0.command.definition.summary) } + ExternalCommand.stages
          + ExternalCommand.others
      )
    }
    guard let shell = Completions.shell(words) else { return nil }
    return Completions(
      program: "cairn",
      commands: commands.map { ($0.name, $0.command.definition) }
        + (ExternalCommand.stages + ExternalCommand.others).map {
          ($0.0, CommandDefinition(name: "cairn \($0.0)", summary: $0.1))
        }
    ).script(for: shell)
  }

  /// The output of `cairn` without arguments, at most 80 columns wide.
  static var overview: String {
    let groups =
      commandGroups.map { group in
        section(group.title, group.commands.map { ($0.name, $0.command.definition.summary) })
      } + [
        section(
          "Stages, also separate executables (cairn-decode-pbf …)",
          ExternalCommand.stages),
        section(
          "Viewer, also a separate executable (cairn-serve)", ExternalCommand.others),
      ]
    let title = "cairn \(cairnVersion): \(summary)"
    return """
      \(wrapped(title, width: 80).joined(separator: "\n"))

      Usage: cairn COMMAND [options]

      \(groups.joined(separator: "\n"))
      Run cairn COMMAND --help for details. Coordinates are LAT,LON; boxes are
      west,south,east,north.

      """
  }

  /// The page of commands of two words that begin with one, such as `track`; nil if there are none,
  /// or if that one is a command itself.
  static func page(ofGroup first: String) -> String? {
    let members = commands.filter { $0.name.hasPrefix(first + " ") }
    guard !members.isEmpty, !commands.contains(where: { $0.name == first }) else { return nil }
    return """
      Usage: cairn \(first) COMMAND [options]

      \(section("Commands", members.map { ($0.name, $0.command.definition.summary) }))
      Run cairn \(first) COMMAND --help for details.

      """
  }

  private static func section(_ title: String, _ rows: [(name: String, summary: String)]) -> String
  {
    let column = 21
    let lines = rows.map { name, summary in
      "  " + name.padded(to: column - 2)
        + wrapped(summary, width: 80 - column).joined(separator: "\n" + "".padded(to: column))
        + "\n"
    }
    return title + ":\n" + lines.joined()
  }
}
