// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// What happens on a simulated walk, by metres along the route.
extension WalkSimulator {
  /// The walker leaves the route.
  public struct WrongTurn: Hashable, Sendable {
    /// Where, in metres along the route.
    public var distance: Double
    /// The way from there, without that point.
    public var line: [Coordinate]
    /// Whether the walker comes back the same way; otherwise the walk ends there.
    public var comesBack = true

    /// A wrong turn along a line.
    public init(distance: Double, line: [Coordinate], comesBack: Bool = true) {
      (self.distance, self.line, self.comesBack) = (distance, line, comesBack)
    }
  }

  /// The walker stands still.
  public struct Pause: Hashable, Sendable {
    /// Where, in metres along the route.
    public var distance: Double
    /// For how long.
    public var seconds: Double

    /// Makes a pause.
    public init(distance: Double, seconds: Double) {
      (self.distance, self.seconds) = (distance, seconds)
    }
  }

  /// The walker goes on, but there are no fixes.
  public struct Gap: Hashable, Sendable {
    /// Where it begins, in metres along the route.
    public var distance: Double
    /// How long it lasts.
    public var seconds: Double

    /// Makes a gap.
    public init(distance: Double, seconds: Double) {
      (self.distance, self.seconds) = (distance, seconds)
    }
  }

  /// Fixes are far from where the walker is.
  public struct Jump: Hashable, Sendable {
    /// Where that begins, in metres along the route.
    public var distance: Double
    /// How long it lasts.
    public var seconds: Double
    /// How far off they are, to the east and the north.
    public var east: Double
    /// See ``east``.
    public var north: Double

    /// Makes a jump.
    public init(distance: Double, seconds: Double, east: Double, north: Double) {
      (self.distance, self.seconds, self.east, self.north) = (distance, seconds, east, north)
    }
  }
}
