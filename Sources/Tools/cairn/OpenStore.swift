// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase

/// Opens a routing database, runs `body` with it and closes it. Errors of the library are thrown as
/// errors of a command.
func withStore<Result>(_ path: String, _ body: (RoutingStore) throws(RoutingError) -> Result)
  throws(CairnError) -> Result
{
  let store = RoutingStore(path: path)
  do throws(RoutingError) {
    try store.open()
    defer { store.close() }
    return try body(store)
  } catch {
    throw error.ofCommand(at: path)
  }
}

extension Arguments {
  /// The value of a required option as a coordinate. Throws 64 for anything else.
  func coordinate(_ name: String) throws(CairnError) -> Coordinate {
    try coordinate(name, try required(name))
  }

  /// A value of an option as a coordinate. Throws 64 for anything else.
  func coordinate(_ name: String, _ text: String) throws(CairnError) -> Coordinate {
    guard let coordinate = Coordinate(commandLine: text) else {
      throw usageError(
        "--\(name) takes LAT,LON in degrees, such as 47.03,10.05, not “\(text)”")
    }
    return coordinate
  }
}
