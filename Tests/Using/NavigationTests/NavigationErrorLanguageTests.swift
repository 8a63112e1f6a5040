// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnNavigation
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Errors of navigation in six languages")
struct NavigationErrorLanguageTests {
  private static let others = Language.allCases.filter { $0 != .english }
  private static let home = Coordinate(latitude: 47, longitude: 10)
  private static let line = DirectLine(from: home, to: moved(home, east: 0, north: 1200))
  private static let suggestions: [RouteSuggestion] = [
    .nearestReachable(place: home, metresFromDestination: 400), .largerRadius(metres: 2500),
    .otherProfile("family"), .missingData(around: home),
  ]
  private static let errors: [NavigationError] =
    [
      .illegal(.calculate, in: .calculating), .illegal(.calculate, in: .navigating(mode: .visual)),
      .illegal(.start(.visual), in: .navigating(mode: .visual)),
      .illegal(.start(.visual), in: .calculating), .illegal(.arrive, in: .idle),
      .invalidPlace(home), .noRoute(.viaPointNotReachable(index: 0), suggestions: []),
      .routingUnavailable(.databaseNotOpen, fallback: line), .unusableRoute, .cancelled,
    ] + PositionProblem.allCases.map { .noPosition($0) }
    + PositionProblem.allCases.map {
      .positionLost($0, last: LocationFix(coordinate: home, timestamp: start), ageSeconds: 3600)
    }
    + suggestions.map {
      .noRoute(.noRouteFound(exploredNodes: 2, closestApproachMetres: 9), suggestions: [$0])
    }

  private func texts(_ error: NavigationError, _ language: Language) -> [String?] {
    [
      error.errorDescription(in: language), error.failureReason(in: language),
      error.recoverySuggestion(in: language),
    ]
  }

  @Test("each text is told in each language", arguments: others)
  func complete(_ language: Language) {
    for error in Self.errors {
      #expect(
        texts(error, .english)
          == [error.errorDescription, error.failureReason, error.recoverySuggestion])
      for (text, english) in zip(texts(error, language), texts(error, .english)) {
        #expect((text == nil) == (english == nil), "\(error)")
        guard let text else { continue }
        #expect(text != english && text.hasSuffix(".") && !text.contains("{"), "\(text)")
      }
    }
  }

  @Test("the straight line and what may help")
  func samples() {
    #expect(
      Language.allCases.map { Self.line.text(in: $0) } == [
        "The destination lies 1.20 km to the north in a straight line; no way there is known.",
        "Das Ziel liegt 1,20 km nördlich, in Luftlinie; ein Weg dorthin ist nicht bekannt.",
        "La destination est à 1,20 km au nord à vol d’oiseau ; aucun chemin connu n’y mène.",
        "La destinazione si trova 1,20 km a nord in linea d’aria; nessuna via nota vi conduce.",
        "El destino está a 1,20 km al norte en línea recta; no se conoce ningún camino hasta allí.",
        "La destinació és a 1,20 km al nord en línia recta; no es coneix cap camí per arribar-hi.",
      ])
    #expect(
      Self.suggestions.map { $0.text(in: .spanish) } == [
        "Una ruta lleva hasta 400 m del destino.",
        "Existe una ruta si la salida y la llegada pueden estar hasta a 2,50 km de un camino.",
        "Con el perfil «family» hay una ruta.",
        "El lugar está fuera de la región: descarga la región en la que está.",
      ])
    let lost = NavigationError.positionLost(
      .permissionDenied, last: LocationFix(coordinate: Self.home, timestamp: start),
      ageSeconds: 180)
    #expect(
      [lost.errorDescription(in: .german), lost.recoverySuggestion(in: .german)] == [
        "Die letzte bekannte Position ist 3 min alt.",
        "Es in den Einstellungen erlauben oder den Start auf der Karte wählen, "
          + "oder bei der letzten Position beginnen.",
      ])
  }

  @Test("why there is no new route is told in the language of the navigation")
  func rerouting() throws {
    let planner = ToldPlanner.failing(.noRoundTripFound(reachedNodes: 1))
    let route = try ToldPlanner.straight.plan(
      PlanRequest(
        from: Self.home, to: moved(Self.home, east: 0, north: 900), name: "", createdAt: start))
    var config = NavigationConfig()
    config.language = .french
    let engine = NavigationEngine(planner: planner, config: config)
    try engine.startNavigation(route: route)
    for place in fixes(along: [Self.home, moved(Self.home, east: 300, north: 0)], from: 0) {
      _ = engine.updateProgress(location: place)
    }
    #expect(
      engine.rerouteNow() == .none(reason: "Il n’y a pas de boucle de cette longueur ici."))
    let request = RerouteRequest(
      original: route, destination: route.endCoordinate, via: [], start: Self.home, time: start)
    var none = ReroutingConfig()
    none.radiiMetres = []
    #expect(
      request.result(planner, config: none, in: .catalan)
        == .none(reason: "No s’ha indicat cap radi de cerca."))
  }
}
