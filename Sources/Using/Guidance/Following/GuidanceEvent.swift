// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An announcement for the walker, with its time and place.
public struct GuidanceEvent: Hashable, Sendable {
  /// The kind of announcement.
  public enum Kind: Hashable, Sendable {
    /// An instruction is near, by its index in the route's `turnInstructions`.
    case approaching(instruction: Int)
    /// An instruction is due now.
    case atTurn(instruction: Int)
    /// A step that closely follows an instruction is due now, by the index of the instruction and
    /// the index in its ``TurnInstruction/then``. It was announced together with it.
    case atFollowingTurn(instruction: Int, then: Int)
    /// The route was left, or guidance began away from it.
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

  /// The kind of announcement.
  public var kind: Kind
  /// The time of the fix that led to it.
  public var time: Date
  /// The position of that fix.
  public var coordinate: Coordinate
  /// Metres along the route from its start to the walker; off the route, to where it was left.
  public var distanceAlongRoute: Double
  /// Metres of the fix from the route.
  public var distanceFromRoute: Double
  /// The bearing from the fix to the nearest point of the route, in degrees clockwise from north,
  /// 0..<360; nil except for ``Kind/offRoute``.
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
