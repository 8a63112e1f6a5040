// SPDX-License-Identifier: Apache-2.0

/// A step of a route, as shown in a list or card of directions.
public struct RouteStep: Hashable, Sendable {
  /// The instruction, a sentence without a full stop.
  public var instruction: String
  /// Metres from the previous step; for the next step, from the current position.
  public var distance: Double
  /// The type of turn.
  public var maneuverType: TurnDirection
  /// The place of the step.
  public var coordinate: Coordinate

  /// Makes the step of an instruction.
  ///
  /// - Parameters:
  ///   - distance: Metres to it; nil for those from the previous instruction.
  ///   - language: The language of the instruction.
  public init(
    _ instruction: TurnInstruction, distance: Double? = nil, in language: Language = .english
  ) {
    self.instruction = instruction.text(in: language)
    self.distance = distance ?? instruction.distanceFromPrevious
    maneuverType = instruction.direction
    coordinate = instruction.coordinate
  }
}

extension PlannedRoute {
  /// The steps in the order of travel, in English.
  public var steps: [RouteStep] { steps(in: .english) }

  /// The steps in the order of travel.
  public func steps(in language: Language) -> [RouteStep] {
    turnInstructions.map { RouteStep($0, in: language) }
  }
}
