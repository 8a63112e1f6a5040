// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import CostModel
import Elevation
import Glibc
import OSMInput
import PlaceIndex
import RoutingGraph
import RoutingPreparation
import SystemIO
import TrailTiles
import Validation
import WaypointCollection

/// All stages in one executable; the installation has links to it, and the name of the link selects
/// the stage.
@main
enum Stages {
  /// The stage with the name of an executable. A table would touch the code of all stages.
  static func stage(_ name: String) -> (any Command.Type)? {
    switch name {
    case "cairn-build-graph": BuildGraphCommand.self
    case "cairn-build-tiles": BuildTilesCommand.self
    case "cairn-collect-places": CollectPlacesCommand.self
    case "cairn-compute-costs": ComputeCostsCommand.self
    case "cairn-decode-pbf": DecodePBFCommand.self
    case "cairn-index-places": IndexPlacesCommand.self
    case "cairn-parse-overpass": ParseOverpassCommand.self
    case "cairn-prepare-routing": PrepareRoutingCommand.self
    case "cairn-sample-elevation": SampleElevationCommand.self
    case "cairn-validate": ValidateCommand.self
    default: nil
    }
  }

  static func main() {
    let name = splitPath(CommandLine.arguments.first ?? "").name
    if let stage = stage(name) { CommandRunner.main(stage) }
    Console.note(
      "\(printable(name)): error: holds all stages; start it by a link with the name of one, such as "
        + "cairn-validate")
    exit(ExitCode.usage.rawValue)
  }
}
