// SPDX-License-Identifier: Apache-2.0

/// The direction of an instruction.
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
  /// The greatest change of direction for “straight”, in degrees.
  public var straightThresholdDegrees = 15.0
  /// The greatest change of direction for a slight turn, in degrees.
  public var slightTurnThresholdDegrees = 45.0
  /// The greatest change of direction for a normal turn, in degrees.
  public var normalTurnThresholdDegrees = 135.0
  /// The greatest change of direction for a sharp turn, in degrees; beyond it is a U-turn.
  public var uTurnThresholdDegrees = 170.0
  /// The least distance between two instructions, in metres; a closer one is merged into the
  /// previous one.
  public var minimumInstructionSpacingMetres = 50.0
  /// The distance before and after a junction over which the direction of travel is measured, in
  /// metres.
  public var bearingDistanceMetres = 20.0
  /// Whether “Continue onto …” announces a change of name straight ahead.
  public var announcesNameChanges = true
  /// Whether every change of direction above ``straightThresholdDegrees`` between two edges of the
  /// graph is announced, and nothing else. It is measured between the last segment of the one edge
  /// and the first of the other, however short these are.
  ///
  /// Otherwise choices are announced, a roundabout counts as one, and a fork is announced even
  /// straight ahead. On a line without a graph, each bend above that threshold is announced with
  /// this set, and otherwise only those above ``slightTurnThresholdDegrees``.
  public var announcesEveryTurn = false

  /// The default values.
  public init() {}

  /// The turn onto another way for a change of bearing in degrees, positive to the right: a hairpin
  /// is a sharp turn, since only who goes back on the same way turns around.
  func turn(ofChange degrees: Double) -> TurnDirection {
    let direction = direction(ofChange: degrees)
    guard direction == .uTurn else { return direction }
    return BearingCalculator.normalizedChange(degrees) > 0 ? .sharpRight : .sharpLeft
  }

  /// The turn for a change of bearing in degrees, positive to the right.
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
