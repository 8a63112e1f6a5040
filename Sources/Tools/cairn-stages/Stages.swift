// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import CostModel
import Diagnostics
import Elevation
import Formatting
import Glibc
import OSMInput
import PlaceIndex
import Places
import RoutingGraph
import RoutingPreparation
import SystemIO
import TrailTiles
import Validation

/// All stages in one executable, which the installation has links to: the name that it is started by
/// says which stage it is.
@main
enum Stages {
  /// The stages by the names of their executables.
  static let stages: [(name: String, command: any (Command & SendableMetatype).Type)] = [
    ("cairn-build-graph", BuildGraphCommand.self),
    ("cairn-build-tiles", BuildTilesCommand.self),
    ("cairn-collect-places", CollectPlacesCommand.self),
    ("cairn-compute-costs", ComputeCostsCommand.self),
    ("cairn-decode-pbf", DecodePBFCommand.self),
    ("cairn-index-places", IndexPlacesCommand.self),
    ("cairn-parse-overpass", ParseOverpassCommand.self),
    ("cairn-prepare-routing", PrepareRoutingCommand.self),
    ("cairn-sample-elevation", SampleElevationCommand.self),
    ("cairn-validate", ValidateCommand.self),
  ]

  static func main() {
    let name = splitPath(CommandLine.arguments.first ?? "").name
    if let stage = stages.first(where: { $0.name == name }) {
      CommandRunner.main(stage.command)
    }
    let names = stages.map(\.name).joined(separator: ", ")
    Console.note(
      "\(printable(name)): error: holds several stages and is started by a link with the name of one: \(names)"
    )
    exit(ExitCode.usage.rawValue)
  }
}
