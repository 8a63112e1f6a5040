// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import CostModel
import Elevation
import OSMInput
import PlaceIndex
import RoutingGraph
import TrailTiles
import Validation
import WaypointCollection

/// All stages in one executable. The name by which it is started, that of a link to it, selects one;
/// by its own name, it lists them.
@main
enum Stages: String, CaseIterable {
  case decodePBF = "cairn-decode-pbf"
  case parseOverpass = "cairn-parse-overpass"
  case sampleElevation = "cairn-sample-elevation"
  case buildGraph = "cairn-build-graph"
  case computeCosts = "cairn-compute-costs"
  case collectPlaces = "cairn-collect-places"
  case indexPlaces = "cairn-index-places"
  case buildTiles = "cairn-build-tiles"
  case validate = "cairn-validate"

  private var command: any Command.Type {
    switch self {
    case .decodePBF: DecodePBFCommand.self
    case .parseOverpass: ParseOverpassCommand.self
    case .sampleElevation: SampleElevationCommand.self
    case .buildGraph: BuildGraphCommand.self
    case .computeCosts: ComputeCostsCommand.self
    case .collectPlaces: CollectPlacesCommand.self
    case .indexPlaces: IndexPlacesCommand.self
    case .buildTiles: BuildTilesCommand.self
    case .validate: ValidateCommand.self
    }
  }

  static func main() {
    CommandRunner.main(called: allCases.map(\.rawValue)) { Stages(rawValue: $0)?.command }
  }
}
