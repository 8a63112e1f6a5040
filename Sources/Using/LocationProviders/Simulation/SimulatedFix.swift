// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Tracks

/// A fix of a simulated walk, with the truth.
public struct SimulatedFix: Hashable, Sendable {
  /// What the receiver says.
  public var fix: LocationFix
  /// Where the walker really is.
  public var coordinate: Coordinate
  /// Metres along the route to there, or to where the walker left it.
  public var distanceAlongRoute: Double
  /// Metres to the nearest point of the route.
  public var distanceFromRoute: Double
  /// Seconds walked since the start, without pauses.
  public var secondsWalked: Double
  /// The index of the wrong turn that the walker is on; nil on the route.
  public var wrongTurn: Int?
  /// Whether a jump or a burst falsified the fix.
  public var isJump: Bool

  /// Whether the walker follows the route.
  public var isOnRoute: Bool { wrongTurn == nil }
}
