// SPDX-License-Identifier: Apache-2.0

/// What to do at a place of a route.
public enum TurnDirection: String, Codable, Sendable, CaseIterable {
  /// Begin.
  case start
  /// Go on as before.
  case straight
  /// Keep a little to the left.
  case slightLeft
  /// Turn left.
  case left
  /// Turn left and nearly back.
  case sharpLeft
  /// Keep a little to the right.
  case slightRight
  /// Turn right.
  case right
  /// Turn right and nearly back.
  case sharpRight
  /// Go back the way that one came.
  case uTurn
  /// The route ends.
  case arrive
}

/// From which angles on a change of direction counts, and how far apart instructions are.
public struct TurnInstructionConfig: Hashable, Sendable {
  /// Degrees below which a change of direction is none.
  public var straightThresholdDegrees = 15.0
  /// Degrees from which a slight turn is a turn.
  public var slightTurnThresholdDegrees = 45.0
  /// Degrees from which a turn is a sharp one.
  public var normalTurnThresholdDegrees = 135.0
  /// Degrees from which a sharp turn leads back.
  public var uTurnThresholdDegrees = 170.0
  /// Metres; what follows an instruction more closely becomes part of it.
  public var minimumInstructionSpacingMetres = 50.0
  /// Metres before and after a junction over which the direction of travel is taken.
  public var bearingDistanceMetres = 20.0

  /// The numbers above.
  public init() {}

  /// The direction of a change of bearing in degrees, to the right where positive.
  public func direction(ofChange degrees: Double) -> TurnDirection {
    let change = BearingCalculator.normalizedChange(degrees)
    let isRight = change > 0
    switch abs(change) {
    case ..<straightThresholdDegrees: return .straight
    case ..<slightTurnThresholdDegrees: return isRight ? .slightRight : .slightLeft
    case ..<normalTurnThresholdDegrees: return isRight ? .right : .left
    case ..<uTurnThresholdDegrees: return isRight ? .sharpRight : .sharpLeft
    default: return .uTurn
    }
  }
}
