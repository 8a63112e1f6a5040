// SPDX-License-Identifier: Apache-2.0

/// One step of a route, as a list or a card of directions shows it.
public struct RouteStep: Hashable, Sendable {
  /// What to do: a sentence without a full stop.
  public var instruction: String
  /// Metres to where it is to be done: from the previous step, or, of the step that is ahead, from
  /// where one is.
  public var distance: Double
  /// What kind of turn it is.
  public var maneuverType: TurnDirection
  /// Where it is to be done.
  public var coordinate: Coordinate

  /// The step of an instruction.
  ///
  /// - Parameters:
  ///   - distance: Metres to it; nil for those from the instruction before it.
  ///   - language: The language that it is told in.
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
