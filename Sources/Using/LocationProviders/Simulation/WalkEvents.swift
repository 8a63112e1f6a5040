// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The events of a simulated walk, by metres along the route.
extension WalkSimulator {
  /// The walker leaves the route.
  public struct WrongTurn: Hashable, Sendable {
    /// Its position, in metres along the route.
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
    /// Its position, in metres along the route.
    public var distance: Double
    /// For how long.
    public var seconds: Double

    /// Makes a pause.
    public init(distance: Double, seconds: Double) {
      (self.distance, self.seconds) = (distance, seconds)
    }
  }

  /// The walker goes on without fixes.
  public struct Gap: Hashable, Sendable {
    /// Its start, in metres along the route.
    public var distance: Double
    /// How long it lasts.
    public var seconds: Double

    /// Makes a gap.
    public init(distance: Double, seconds: Double) {
      (self.distance, self.seconds) = (distance, seconds)
    }
  }

  /// Fixes are far from the walker.
  public struct Jump: Hashable, Sendable {
    /// Its start, in metres along the route.
    public var distance: Double
    /// How long it lasts.
    public var seconds: Double
    /// The offset of the fixes to the east and the north.
    public var east: Double
    /// See ``east``.
    public var north: Double

    /// Makes a jump.
    public init(distance: Double, seconds: Double, east: Double, north: Double) {
      (self.distance, self.seconds, self.east, self.north) = (distance, seconds, east, north)
    }
  }
}
