// SPDX-License-Identifier: Apache-2.0

/// What an instruction asks the traveller to do.
public enum TurnDirection: String, Codable, Sendable, CaseIterable {
  /// Start the route.
  case start
  /// Go straight on.
  case straight
  /// Bear left.
  case slightLeft
  /// Turn left.
  case left
  /// Turn sharply left.
  case sharpLeft
  /// Bear right.
  case slightRight
  /// Turn right.
  case right
  /// Turn sharply right.
  case sharpRight
  /// Turn around.
  case uTurn
  /// Arrive at the destination.
  case arrive
}

/// The angles that separate turns, and the least distance between instructions.
public struct TurnInstructionConfig: Hashable, Sendable {
  /// The greatest change of direction that is “straight”, in degrees.
  public var straightThresholdDegrees = 15.0
  /// The greatest change of direction that is a slight turn, in degrees.
  public var slightTurnThresholdDegrees = 45.0
  /// The greatest change of direction that is a turn and not a sharp one, in degrees.
  public var normalTurnThresholdDegrees = 135.0
  /// The greatest change of direction that is a sharp turn and not a U-turn, in degrees.
  public var uTurnThresholdDegrees = 170.0
  /// An instruction closer to the previous one than this is merged into it, in metres.
  public var minimumInstructionSpacingMetres = 50.0
  /// The direction of travel is measured over this distance before and after a junction, in metres.
  public var bearingDistanceMetres = 20.0
  /// Whether “Continue onto …” is said where the route goes straight on from one named way to another.
  public var announcesNameChanges = true
  /// Whether each change of direction above ``straightThresholdDegrees`` is announced wherever
  /// two edges of the graph meet, and nothing else: by the angle between the last segment of the one
  /// and the first segment of the other, however short these are. Otherwise choices are announced, a
  /// roundabout is one, and a fork is one also where the route goes straight on. Of a line without a
  /// graph each bend above that threshold is announced, and otherwise only those above
  /// ``slightTurnThresholdDegrees``.
  public var announcesEveryTurn = false

  /// The default values.
  public init() {}

  /// The turn for a change of bearing in degrees, to the right where positive.
  public func direction(ofChange degrees: Double) -> TurnDirection {
    let change = BearingCalculator.normalizedChange(degrees)
    let isRight = change > 0
    switch abs(change) {
    case ...straightThresholdDegrees: return .straight
    case ...slightTurnThresholdDegrees: return isRight ? .slightRight : .slightLeft
    case ...normalTurnThresholdDegrees: return isRight ? .right : .left
    case ...uTurnThresholdDegrees: return isRight ? .sharpRight : .sharpLeft
    default: return .uTurn
    }
  }
}
