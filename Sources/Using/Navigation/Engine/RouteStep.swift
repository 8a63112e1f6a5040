// SPDX-License-Identifier: Apache-2.0

/// One step of a route, as a list or a card of directions shows it.
public struct RouteStep: Hashable, Sendable {
  /// What to do: a sentence in English without a full stop.
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
  /// - Parameter distance: Metres to it; nil for those from the instruction before it.
  public init(_ instruction: TurnInstruction, distance: Double? = nil) {
    self.instruction = instruction.description
    self.distance = distance ?? instruction.distanceFromPrevious
    maneuverType = instruction.direction
    coordinate = instruction.coordinate
  }
}

extension PlannedRoute {
  /// The steps in the order of travel.
  public var steps: [RouteStep] { turnInstructions.map { RouteStep($0) } }
}
