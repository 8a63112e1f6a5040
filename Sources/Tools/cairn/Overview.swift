// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Formatting

extension Cairn {
  /// What the installation asks for: `--man`, the page of the manual about all commands, or
  /// `--completion SHELL`, a script that completes them; nil for all other words.
  static func generatedPage(_ words: [String]) -> String? {
    if words == ["--man"] {
      return CommandDefinition.manPage(
        ofProgram: "cairn",
        "build data for offline hiking apps from OpenStreetMap and elevation tiles",
        "The stages are also available as separate executables, such as cairn-decode-pbf. Coordinates are "
          + "LAT,LON; boxes are west,south,east,north.",
        commands: commands.map { ($0.name, $0.command.definition.summary) } + ExternalCommand.stages
      )
    }
    guard let shell = Completions.shell(words) else { return nil }
    return Completions(
      program: "cairn",
      commands: commands.map { ($0.name, $0.command.definition) }
        + ExternalCommand.stages.map {
          ($0.0, CommandDefinition(name: "cairn \($0.0)", summary: $0.1))
        }
    ).script(for: shell)
  }

  /// What `cairn` prints without arguments.
  static var overview: String {
    let width = 20
    let rows = commands.map { ($0.name, $0.command.definition.summary) } + ExternalCommand.stages
    let lines = rows.map { name, summary in
      "  " + (name + " ").padded(to: width) + summary
    }
    let own = lines.prefix(commands.count).joined(separator: "\n")
    let stages = lines.dropFirst(commands.count).joined(separator: "\n")
    return """
      cairn \(cairnVersion): build data for offline hiking apps from OpenStreetMap and elevation tiles

      Usage: cairn COMMAND [options]

      \(own)

      Stages, also available as separate executables (cairn-decode-pbf …):
      \(stages)

      Run cairn COMMAND --help for details. Coordinates are LAT,LON; boxes are west,south,east,north.

      """
  }
}
