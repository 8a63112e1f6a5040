// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Formatting

extension Cairn {
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
