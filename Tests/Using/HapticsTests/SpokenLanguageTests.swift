// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnGuidance
import Testing

@testable import CairnHaptics

@Suite("What is said in six languages")
struct SpokenLanguageTests {
  private func texts(_ event: GuidanceEvent) -> [String] {
    var route = everyTurn
    route.turnInstructions[leftTurn].description = "Turn left"
    return Language.allCases.map { language in
      SpokenCue(event, of: route, in: language)?.text ?? ""
    }
  }

  @Test("a turn is announced with its distance")
  func ahead() {
    let along = Double(leftTurn) * 100 - 90
    #expect(
      texts(event(.approaching(instruction: leftTurn), at: 0, along: along)) == [
        "In 90 m, turn left", "In 90 m links abbiegen", "Dans 90 m, tournez à gauche",
        "Tra 90 m, svolta a sinistra", "En 90 m, gira a la izquierda",
        "D’aquí a 90 m, gira a l’esquerra",
      ])
  }

  @Test("off the route one hears where it is")
  func offRoute() {
    var event = event(.offRoute, at: 0, away: 62)
    event.bearingToRoute = 90
    #expect(
      texts(event) == [
        "Off the route, which is 62 m to the east",
        "Abseits der Route, sie liegt 62 m östlich",
        "Hors de l’itinéraire, qui se trouve à 62 m à l’est",
        "Fuori percorso: il percorso è 62 m a est",
        "Fuera de la ruta, que está a 62 m al este",
        "Fora de la ruta, que és a 62 m a l’est",
      ])
  }

  @Test("a timeline speaks the language of its configuration")
  func timeline() {
    var config = HapticTimelineConfig()
    config.language = .catalan
    var timeline = HapticTimeline(config: config)
    let outcome = timeline.update([event(.arrived, at: 0)], of: everyTurn, at: start)
    #expect(outcome.entries.map(\.text) == ["Has arribat a la destinació"])
  }
}
