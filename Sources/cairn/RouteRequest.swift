// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import StageKit

/// A question for a route, as the command line asks it.
struct RouteRequest {
  /// The options that ask for a route.
  static let options: [CommandDefinition.Option] = [
    .option("from", "LAT,LON", required: true, help: "where to start"),
    .option("to", "LAT,LON", required: true, help: "where to go"),
    .option("via", "LAT,LON", repeats: true, help: "where to pass, in order"),
    .option("mode", "MODE", help: "hiking or cycling (default hiking)"),
  ]

  let start: Coordinate
  let end: Coordinate
  let via: [Coordinate]
  let mode: RoutingMode

  /// Reads the options. Throws 64 for what is no coordinate or no mode.
  init(_ arguments: Arguments) throws(CairnError) {
    start = try arguments.coordinate("from")
    end = try arguments.coordinate("to")
    var via: [Coordinate] = []
    for text in arguments.all("via") { via.append(try arguments.coordinate("via", text)) }
    self.via = via
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
  }
}
