// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy

/// The extent of a database, for explaining why nothing is near a point.
package struct DatabaseExtent: Sendable {
  private let box: BoundingBox?

  /// Reads the bounding box of an open database; an old database may have none.
  package init(_ store: RoutingStore) {
    box = (try? store.metadata())?[RoutingMetadataKey.boundingBox].flatMap {
      BoundingBox(commandLine: $0)
    }
  }

  /// Whether a point is known to lie outside.
  package func excludes(_ point: Coordinate) -> Bool { box.map { !$0.contains(point) } ?? false }

  /// The point with latitude and longitude swapped, if only that lies inside.
  package func swapped(_ point: Coordinate) -> Coordinate? {
    let other = Coordinate(latitude: point.longitude, longitude: point.latitude)
    guard let box, !box.contains(point), other.isValid, box.contains(other) else { return nil }
    return other
  }

  /// The description of an error; for a point outside the database it says so.
  package func description(_ error: RoutingError) -> String {
    guard case .noNearbyNode(let point, _) = error, let box, excludes(point) else {
      return error.description
    }
    if swapped(point) != nil {
      return error.description + ": latitude and longitude look swapped"
    }
    return error.description + ": the point lies outside the database, which covers "
      + [(box.south, box.west), (box.north, box.east)]
      .map { "\(shortDecimal($0, 5)),\(shortDecimal($1, 5))" }.joined(separator: " to ")
  }

  /// A library error as a command's error, with a hint if swapped coordinates or strict preferences
  /// may be the reason.
  package func commandError(_ error: RoutingError, at path: String, isStrict: Bool) -> CairnError {
    var result = error.ofCommand(at: path)
    result.message = description(error)
    switch error {
    case .noNearbyNode(let point, _):
      result.hint = swapped(point).map {
        "latitude comes first: did you mean \($0.latitude),\($0.longitude)?"
      }
    case .noRouteFound, .viaPointNotReachable, .noRoundTripFound:
      if isStrict {
        result.hint = "without --strict, a route may go against the preferences"
      }
    default: break
    }
    return result
  }
}
