// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A position on the line of a planned route.
public struct RoutePosition: Hashable, Sendable {
  /// The point on the line.
  public var coordinate: Coordinate
  /// The index in the route's coordinates of the point before it, never that of the last point; 0
  /// for a route of one point.
  public var segmentIndex: Int
  /// Metres from the start of the route to it, 0…`totalDistance`.
  public var distanceAlongRoute: Double
  /// Metres to the point that it was found for.
  public var distanceFromRoute: Double
}
