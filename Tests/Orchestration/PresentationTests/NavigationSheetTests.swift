// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnGuidance
import CairnNavigation
import CairnPhrases
import Foundation
import Presentation
import TestSupport
import Testing

@testable import CairnLocationProviders

@Suite("A walk as text")
struct NavigationSheetTests {
  /// A walk of 500 m along a straight route that is left for a while.
  private func walk(isLeft: Bool, isShort: Bool = false) throws -> NavigationRun {
    let home = Coordinate(latitude: 47, longitude: 10)
    let line = [home, home.moved(east: 500, north: 0)]
    let route = try #require(
      PlannedRoute(line: line.map { .init(coordinate: $0) }, name: "Weg", mode: .hiking))
    let steps = stride(from: 0.0, through: isShort ? 300 : 500, by: 5)
    let fixes = steps.enumerated().map { index, east in
      let isAway = isLeft && (150...300).contains(east)
      return LocationFix(
        coordinate: home.moved(east: east, north: isAway ? 90 : 0),
        timestamp: Date(timeIntervalSince1970: Double(index) * 4))
    }
    return try NavigationRun(route, fixes, NavigationConfig(), planner: nil)
  }

  private func texts(_ run: NavigationRun, _ evaluation: GuidanceEvaluation? = nil) -> [[String]] {
    Language.allCases.map { language in
      NavigationSheet(run, evaluation, in: language).text(columns: nil)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("the summary of a walk that arrives")
  func arrived() throws {
    let lines = texts(try walk(isLeft: false)).map { Array($0.suffix(5).dropLast()) }
    #expect(
      lines[0] == [
        "101 fixes in 7 min, arrived", "0 turns told, 1 announced before, 100 m ahead on average",
        "never off the route", "2 patterns felt",
      ])
    #expect(
      lines[1] == [
        "101 Positionen in 7 min, angekommen",
        "0 Anweisungen gegeben, 1 vorher angekündigt, im Mittel 100 m davor",
        "nie abseits der Route", "2 Vibrationen gespürt",
      ])
    #expect(
      lines[2] == [
        "101 positions en 7 min, destination atteinte",
        "0 indication donnée, 1 avec annonce préalable, à 100 m en moyenne",
        "jamais hors de l’itinéraire", "2 vibrations ressenties",
      ])
    for other in lines.dropFirst() { #expect(zip(other, lines[0]).allSatisfy { $0 != $1 }) }
  }

  @Test("the summary of a walk that is off the route and ends early, and what was not felt")
  func off() throws {
    let lines = texts(try walk(isLeft: true, isShort: true))
    #expect(lines[0].contains { $0.hasPrefix("off the route 1 time for ") })
    #expect(lines[4].contains { $0.hasPrefix("1 vez fuera de la ruta durante ") })
    #expect(lines[0].contains { $0.hasPrefix("61 fixes in 4 min, not arrived, ") })
    #expect(lines[3].contains { $0.hasPrefix("61 posizioni in 4 min, destinazione non ") })
    #expect(lines.allSatisfy { $0.count == lines[0].count })
    // All but the name, and what is empty.
    for other in lines.dropFirst() {
      for (text, english) in zip(other, lines[0]).dropFirst() where !english.isEmpty {
        #expect(text != english)
      }
    }
  }

  @Test("how well guidance served")
  func evaluated() throws {
    var evaluation = GuidanceEvaluation()
    (evaluation.turns, evaluation.missedTurns, evaluation.lateWarnings) = (12, 1, 2)
    (evaluation.falseAlarms, evaluation.falseReversals) = (3, 1)
    evaluation.wrongTurns = [
      .init(index: 0, farthestMetres: 140, delaySeconds: 45, metresWhenNoticed: 42),
      .init(index: 1, farthestMetres: 90, delaySeconds: 45),
      .init(index: 2, farthestMetres: 60),
    ]
    let lines = texts(try walk(isLeft: false), evaluation).map { Array($0.suffix(6).dropLast()) }
    #expect(
      lines[0] == [
        "Of 12 turns passed: 1 missed, 0 repeated, 0 told elsewhere, 2 announced late",
        "False alarms: 3, and 1 to turn around",
        "A wrong turn 140 m away was noticed after 45 s of walking, 42 m from the route",
        "A wrong turn 90 m away was noticed after 45 s of walking",
        "A wrong turn 60 m away was not noticed",
      ])
    #expect(
      lines[5] == [
        "De 12 girs: 1 omesos, 0 repetits, 0 indicats en un altre lloc, 2 anunciats tard",
        "Falses alarmes: 3, i 1 per fer mitja volta",
        "Un gir equivocat, fins a 140 m, es va detectar després de 45 s de marxa, "
          + "a 42 m de la ruta",
        "Un gir equivocat, fins a 90 m, es va detectar després de 45 s de marxa",
        "Un gir equivocat, fins a 60 m, no es va detectar",
      ])
    for other in lines.dropFirst() { #expect(zip(other, lines[0]).allSatisfy { $0 != $1 }) }
  }
}
