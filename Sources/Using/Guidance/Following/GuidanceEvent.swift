// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What somebody who follows a route should be told, and when and where that was.
public struct GuidanceEvent: Hashable, Sendable {
  /// What there is to say.
  public enum Kind: Hashable, Sendable {
    /// An instruction is near, by its index in the route's `turnInstructions`.
    case approaching(instruction: Int)
    /// An instruction is to be followed now.
    case atTurn(instruction: Int)
    /// What follows an instruction within some metres is to be done now: by the index of the
    /// instruction, and in its ``TurnInstruction/then``. It was announced together with it.
    case atFollowingTurn(instruction: Int, then: Int)
    /// The route was left, or one began away from it.
    case offRoute
    /// The route was reached again.
    case backOnRoute
    /// The route is being walked backwards.
    case reversed
    /// The route is being walked forwards again.
    case forward
    /// The end of the route was reached.
    case arrived
  }

  /// What there is to say.
  public var kind: Kind
  /// The time of the fix that led to it.
  public var time: Date
  /// The position of that fix.
  public var coordinate: Coordinate
  /// Metres from the start of the route to where one is on it; off the route, to where one left it.
  public var distanceAlongRoute: Double
  /// Metres of the fix from the route.
  public var distanceFromRoute: Double
  /// The direction from the fix to the nearest point of the route, in degrees clockwise from north,
  /// 0..<360; with ``Kind/offRoute`` only, nil otherwise.
  public var bearingToRoute: Double?

  /// Makes an event.
  public init(
    kind: Kind, time: Date, coordinate: Coordinate, distanceAlongRoute: Double,
    distanceFromRoute: Double, bearingToRoute: Double? = nil
  ) {
    self.kind = kind
    self.time = time
    self.coordinate = coordinate
    self.distanceAlongRoute = distanceAlongRoute
    self.distanceFromRoute = distanceFromRoute
    self.bearingToRoute = bearingToRoute
  }
}
