// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

extension SpokenCue {
  /// The cue and text of a route's event. Nil if there is nothing to play: at the start, for an
  /// unknown instruction, and at the route's end, where the arrival is an event of its own.
  init?(_ event: GuidanceEvent, of route: PlannedRoute?, in language: Language) {
    switch event.kind {
    case .approaching(let index):
      self.init(
        cue: .approaching, text: HapticCue.approaching.text(in: language), instruction: index)
      guard let instruction = Self.instruction(index, of: route) else { return }
      let ahead = instruction.cumulativeDistance - event.distanceAlongRoute
      text = Self.sentence(instruction, ahead: ahead, language)
    case .atTurn(let index):
      guard let instruction = Self.instruction(index, of: route),
        let cue = HapticCue(instruction.direction)
      else { return nil }
      self.init(cue: cue, text: instruction.text(in: language), instruction: index)
    case .atFollowingTurn(let index, let part):
      guard let instruction = Self.instruction(index, of: route),
        instruction.then.indices.contains(part),
        let cue = HapticCue(instruction.then[part].direction)
      else { return nil }
      self.init(cue: cue, text: instruction.then[part].text(in: language), instruction: index)
    case .offRoute:
      self.init(cue: .offRoute, text: Self.offRouteText(event, language))
    case .backOnRoute:
      self.init(cue: .backOnRoute, text: HapticCue.backOnRoute.text(in: language))
    case .reversed: self.init(cue: .uTurn, text: language.sentence(.wayBack))
    case .forward: self.init(cue: .backOnRoute, text: language.sentence(.rightWay))
    case .arrived: self.init(cue: .arrived, text: HapticCue.arrived.text(in: language))
    }
  }

  private static func instruction(_ index: Int, of route: PlannedRoute?) -> TurnInstruction? {
    guard let route, route.turnInstructions.indices.contains(index) else { return nil }
    return route.turnInstructions[index]
  }

  /// “In 90 m, turn left onto Dorfstraße”; without the distance if it adds nothing.
  private static func sentence(
    _ instruction: TurnInstruction, ahead: Double, _ language: Language
  ) -> String {
    let tens = (ahead / 10).rounded() * 10
    guard tens >= 10, tens < 1_000_000 else { return instruction.text(in: language) }
    return language.sentence(
      .ahead, ["distance": language.length(metres: tens), "rest": instruction.part(in: language)])
  }

  /// “Off the route, which is 62 m to the northeast”.
  private static func offRouteText(_ event: GuidanceEvent, _ language: Language) -> String {
    let away = event.distanceFromRoute
    guard away >= 1, away < 1_000_000 else { return language.sentence(.offRoute) }
    let distance = language.length(metres: away)
    guard let bearing = event.bearingToRoute else {
      return language.sentence(.offRouteAway, ["distance": distance])
    }
    let lying = language.lying(Language.compassPoint(bearing))
    return language.sentence(.offRouteLying, ["distance": distance, "lying": lying])
  }
}
