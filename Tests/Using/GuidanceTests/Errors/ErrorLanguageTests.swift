// SPDX-License-Identifier: Apache-2.0
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import Foundation
import Testing

@testable import CairnGuidance

@Suite("Errors in six languages")
struct ErrorLanguageTests {
  private static let others = Language.allCases.filter { $0 != .english }
  private static let obstacles: [RouteObstacle] = [
    .barrier(kind: "wall", node: 101), .barrier(kind: nil, node: 102),
    .timedBarrier(kind: "lift_gate", node: 103, hazard: "open at times only (opening_hours=x)"),
    .closedWay(100, .hiking), .closedWay(nil, .cycling),
    .dangerousWay(101, .hiking, hazard: "no bridge any more (bridge=collapsed)"),
    .otherDirection(102, .cycling),
  ]
  private static let errors: [RoutingError] = [
    .databaseNotOpen, .databaseUnreadable("§"), .databaseLocked("§"), .databaseUnusable("§"),
    .databaseCorrupted("§"),
    .databasesDoNotFit("§"), .rulesNotAvailable("2026-12-24"),
    .profileNotAvailable("hikin", available: ["hiking"]),
    .profileNotAvailable("hiking", available: []),
    .noNearbyNode(Coordinate(latitude: 47, longitude: 10), radiusMetres: 1500),
    .noRouteFound(exploredNodes: 1234, closestApproachMetres: 700.4, obstacles: obstacles),
    .noRouteFound(exploredNodes: 1, closestApproachMetres: 700.4),
    .viaPointNotReachable(index: 1, obstacles: obstacles), .viaPointNotReachable(index: 0),
    .noRoundTripFound(reachedNodes: 12), .cancelled,
  ]

  private func texts(_ error: RoutingError, _ language: Language) -> [String?] {
    [
      error.errorDescription(in: language), error.failureReason(in: language),
      error.recoverySuggestion(in: language),
    ]
  }

  @Test("in English they are what Foundation shows")
  func english() {
    for error in Self.errors {
      #expect(
        texts(error, .english)
          == [error.errorDescription, error.failureReason, error.recoverySuggestion])
    }
    for obstacle in Self.obstacles {
      #expect(obstacle.description(in: .english) == obstacle.description)
    }
  }

  @Test("each text of an error is told in each language", arguments: others)
  func complete(_ language: Language) {
    for error in Self.errors {
      for (text, english) in zip(texts(error, language), texts(error, .english)) {
        #expect((text == nil) == (english == nil), "\(error)")
        // What is wrong with a file is for whoever made it.
        guard let text, english != "§" else { continue }
        #expect(text != english && !text.contains("{"), "\(language): \(text)")
        #expect(text.hasSuffix(".") || text.hasSuffix("?"), "\(text)")
      }
    }
    for obstacle in Self.obstacles {
      #expect(obstacle.description(in: language) != obstacle.description, "\(language)")
    }
    let failures: [PlannedRouteStore.Failure] = [
      .folder(path: "/a", reason: "x"), .file(path: "/a", reason: "x"), .notFound(UUID()),
    ]
    for failure in failures {
      #expect(failure.errorDescription(in: language) != failure.errorDescription)
      #expect(failure.errorDescription(in: .english) == failure.errorDescription)
      #expect(failure.failureReason(in: .english) == failure.failureReason)
    }
    #expect(failures[2].failureReason(in: language) != failures[2].failureReason)
  }

  @Test("why there is no route")
  func noRoute() {
    let error = RoutingError.noRouteFound(
      exploredNodes: 1234, closestApproachMetres: 1700, obstacles: [Self.obstacles[0]])
    #expect(
      Self.others.map { error.failureReason(in: $0) } == [
        "Der nächste erreichbare Punkt (von 1\u{A0}234) liegt 1\u{A0}700 m vom Ziel entfernt. "
          + "Dazwischen: eine Mauer, Knoten 101.",
        "Le point accessible le plus proche (sur 1\u{A0}234) est à 1\u{A0}700 m de la destination. "
          + "Entre les deux : un mur, nœud 101.",
        "Il punto raggiungibile più vicino (su 1\u{A0}234) è a 1\u{A0}700 m dalla destinazione. "
          + "In mezzo: un muro, nodo 101.",
        "El punto accesible más cercano (de 1\u{A0}234) está a 1\u{A0}700 m del destino. "
          + "Por medio: un muro, nodo 101.",
        "El punt accessible més proper (de 1\u{A0}234) és a 1\u{A0}700 m de la destinació. "
          + "Pel mig: un mur, node 101.",
      ])
  }

  @Test("what keeps a route from going on agrees in gender, and keeps its tag")
  func obstacles() {
    func texts(_ index: Int) -> [String] {
      Self.others.map { Self.obstacles[index].description(in: $0) }
    }
    #expect(
      texts(5) == [
        "Weg 101 ist für Wanderer gesperrt: keine Brücke mehr (bridge=collapsed)",
        "le chemin 101 est fermé aux randonneurs : le pont n’existe plus (bridge=collapsed)",
        "la via 101 è chiusa agli escursionisti: il ponte non c’è più (bridge=collapsed)",
        "el camino 101 está cerrado a los senderistas: el puente ya no existe (bridge=collapsed)",
        "el camí 101 està tancat als excursionistes: el pont ja no hi és (bridge=collapsed)",
      ])
    #expect(
      texts(6) == [
        "Weg 102 ist für Radfahrer nur in der Gegenrichtung offen",
        "le chemin 102 n’est ouvert aux cyclistes que dans l’autre sens",
        "la via 102 è aperta ai ciclisti solo nell’altra direzione",
        "el camino 102 solo está abierto a los ciclistas en el otro sentido",
        "el camí 102 només està obert als ciclistes en l’altre sentit",
      ])
    let turnstile = RouteObstacle.barrier(kind: "full-height_turnstile", node: 1)
    #expect(
      turnstile.description(in: .german) == "eine Sperre (full-height turnstile), Knoten 1")
  }
}
