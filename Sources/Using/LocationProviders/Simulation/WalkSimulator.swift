// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Simulates a walk with a receiver along a planned route, with errors, wrong turns, pauses and
/// gaps. The same seed gives the same walk.
public struct WalkSimulator: Sendable {
  /// How fast the walker is.
  public enum Pace: Hashable, Sendable {
    /// Always as fast, in metres a second.
    case even(Double)
    /// The route's planned speed, slower uphill; wrong turns at 1.2 m/s.
    case planned
  }

  /// The most fixes of a walk.
  public static let mostFixes = 1_000_000

  /// How fast the walker is.
  public var pace = Pace.even(1.2)
  /// Seconds between fixes, at least a tenth.
  public var interval = 1.0
  /// How the receiver errs.
  public var noise = ReceiverNoise(deviationMetres: 5)
  /// The time of the first fix.
  public var start = Date(timeIntervalSince1970: 1_750_000_000)
  /// The start and end of the walk, in metres along the route.
  public var range: ClosedRange<Double>
  /// Seconds that the walker stays at the end.
  public var rest = 20.0
  /// The wrong turns.
  public var wrongTurns: [WrongTurn] = []
  /// The pauses.
  public var pauses: [Pause] = []
  /// The gaps without fixes.
  public var gaps: [Gap] = []
  /// The jumps of fixes.
  public var jumps: [Jump] = []

  let line: RouteLine
  private let effort: RemainingEffort

  /// Prepares a walk along a route; nil if the route has no valid point.
  public init?(_ route: PlannedRoute) {
    guard let line = RouteLine(route) else { return nil }
    self.line = line
    effort = RemainingEffort(route, lengthMetres: line.length)
    range = 0...line.length
  }

  /// Metres along the route.
  public var length: Double { line.length }

  /// The fixes of the walk.
  public func walk(seed: UInt64) -> [SimulatedFix] {
    var receiver = Receiver(self, seed: seed)
    var walker = Walker(self)
    repeat { receiver.hear(walker) } while receiver.count < Self.mostFixes && walker.goOn()
    return receiver.fixes
  }

  /// Metres a second at a position of the route.
  func speed(at metres: Double) -> Double {
    switch pace {
    case .even(let speed): return speed > 0.01 && speed.isFinite ? speed : Self.usualSpeed
    case .planned:
      let piece = 20.0
      guard let here = effort.seconds(from: metres),
        let ahead = effort.seconds(from: min(metres + piece, length)), here - ahead > 0
      else { return Self.usualSpeed }
      let speed = min(piece, length - metres) / (here - ahead)
      return min(max(speed, 0.1), 10)
    }
  }

  static let usualSpeed = 1.2

  var step: Double { interval >= 0.1 && interval.isFinite ? interval : 0.1 }
}

/// A fix of a simulated walk, with the truth.
public struct SimulatedFix: Hashable, Sendable {
  /// The fix.
  public var fix: LocationFix
  /// The walker's true position.
  public var coordinate: Coordinate
  /// Metres along the route to the walker, or to where the walker left it.
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
