// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase

/// Opens a routing database, or that of a bundle's folder, runs `body` with it and closes it. Errors of the library are thrown as
/// errors of a command; see ``DatabaseExtent/commandError(_:at:_:)``.
func withStore<Result>(
  _ path: String, _ choice: RouteChoice? = nil,
  _ body: (RoutingStore) throws -> Result
) throws(CairnError) -> Result {
  let path = try routingPath(path)
  let store = RoutingStore(path: path)
  do throws(RoutingError) {
    try store.open()
  } catch {
    throw error.ofCommand(at: path)
  }
  defer { store.close() }
  do { return try body(store) } catch let error as RoutingError {
    throw DatabaseExtent(store).commandError(error, at: path, choice)
  } catch { throw asCairnError(error) }
}

/// Where a database has data, to say why nothing is near a point.
struct DatabaseExtent {
  private let box: BoundingBox?

  /// Reads the bounding box of an open database; an old database may have none.
  init(_ store: RoutingStore) {
    box = (try? store.metadata())?[RoutingMetadataKey.boundingBox].flatMap {
      BoundingBox(commandLine: $0)
    }
  }

  /// Whether a point is known to lie outside.
  func excludes(_ point: Coordinate) -> Bool { box.map { !$0.contains(point) } ?? false }

  /// The point with latitude and longitude swapped, if it lies inside only then.
  func swapped(_ point: Coordinate) -> Coordinate? {
    let other = Coordinate(latitude: point.longitude, longitude: point.latitude)
    guard let box, !box.contains(point), other.isValid, box.contains(other) else { return nil }
    return other
  }

  /// The description of an error; of a point that lies outside the database it says so.
  func description(_ error: RoutingError) -> String {
    guard case .noNearbyNode(let point, _) = error, let box, excludes(point) else {
      return error.description
    }
    if swapped(point) != nil {
      return error.description + ": latitude and longitude look swapped"
    }
    return error.description + ": the point lies outside the database, which covers "
      + "\(box.south),\(box.west) to \(box.north),\(box.east)"
  }

  /// An error of the library as an error of a command, with a hint where `--strict` or swapped
  /// coordinates may be the reason.
  func commandError(_ error: RoutingError, at path: String, _ choice: RouteChoice? = nil)
    -> CairnError
  {
    var result = error.ofCommand(at: path)
    result.message = description(error)
    switch error {
    case .noNearbyNode(let point, _):
      result.hint = swapped(point).map {
        "latitude comes first: did you mean \($0.latitude),\($0.longitude)?"
      }
    case .noRouteFound, .viaPointNotReachable, .noRoundTripFound:
      if choice?.preferences.isStrict == true {
        result.hint = "without --strict, a route may go against the preferences"
      }
    default: break
    }
    return result
  }
}
