// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension SpokenCue {
  /// What an event of a route is said as; nil where there is nothing to say by touch: at the start,
  /// at an instruction that the route does not have, and at its end, where the arrival is an event of
  /// its own.
  init?(_ event: GuidanceEvent, of route: PlannedRoute?) {
    switch event.kind {
    case .approaching(let index):
      self.init(cue: .approaching, text: HapticCue.approaching.text, instruction: index)
      guard let instruction = Self.instruction(index, of: route) else { return }
      let ahead = instruction.cumulativeDistance - event.distanceAlongRoute
      text = Self.sentence(instruction.description, ahead: ahead)
    case .atTurn(let index):
      guard let instruction = Self.instruction(index, of: route),
        let cue = HapticCue(instruction.direction)
      else { return nil }
      self.init(cue: cue, text: instruction.description, instruction: index)
    case .atFollowingTurn(let index, let part):
      guard let instruction = Self.instruction(index, of: route),
        instruction.then.indices.contains(part),
        let cue = HapticCue(instruction.then[part].direction)
      else { return nil }
      self.init(cue: cue, text: instruction.then[part].description, instruction: index)
    case .offRoute:
      self.init(cue: .offRoute, text: Self.offRouteText(event))
    case .backOnRoute: self.init(cue: .backOnRoute, text: HapticCue.backOnRoute.text)
    case .reversed:
      self.init(cue: .uTurn, text: "This is the way back: turn around to follow the route")
    case .forward: self.init(cue: .backOnRoute, text: "The right way again")
    case .arrived: self.init(cue: .arrived, text: HapticCue.arrived.text)
    }
  }

  private static func instruction(_ index: Int, of route: PlannedRoute?) -> TurnInstruction? {
    guard let route, route.turnInstructions.indices.contains(index) else { return nil }
    return route.turnInstructions[index]
  }

  /// “In 90 m, turn left onto Dorfstraße”; without the distance where it says nothing.
  private static func sentence(_ description: String, ahead: Double) -> String {
    let tens = (ahead / 10).rounded() * 10
    guard tens >= 10, tens < 1_000_000 else { return description }
    return "In \(metres(tens)), \(description.prefix(1).lowercased())\(description.dropFirst())"
  }

  /// “Off the route, which is 62 m to the northeast”.
  private static func offRouteText(_ event: GuidanceEvent) -> String {
    let away = event.distanceFromRoute
    guard away >= 1, away < 1_000_000 else { return HapticCue.offRoute.text }
    guard let bearing = event.bearingToRoute else {
      return "\(HapticCue.offRoute.text), \(metres(away)) away from it"
    }
    let direction = BearingCalculator.cardinalDirection(bearing)
    return "\(HapticCue.offRoute.text), which is \(metres(away)) to the \(direction)"
  }
}
