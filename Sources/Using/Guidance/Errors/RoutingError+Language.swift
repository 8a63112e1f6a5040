// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases
import CairnRouting

extension RoutingError {
  /// What went wrong, as a sentence for the user of an app.
  public func errorDescription(in language: Language) -> String? {
    switch self {
    case .profileNotAvailable(let name, _): language.statement(.noCosts, ["name": name])
    case .noNearbyNode(let point, let radius):
      language.statement(
        .noWayNear,
        [
          "distance": language.length(metres: radius),
          "place": "\(point.latitude),\(point.longitude)",
        ])
    case .viaPointNotReachable(let index, _):
      language.statement(.viaNotReached, ["number": "\(index + 1)"])
    default: errorDescription.map(language.term)
    }
  }

  /// The cause; nil if ``errorDescription(in:)`` already states it. Problems with a file are
  /// described in English.
  public func failureReason(in language: Language) -> String? {
    switch self {
    case .profileNotAvailable(_, let available):
      available.isEmpty
        ? nil : language.statement(.hasCosts, ["list": available.joined(separator: ", ")])
    case .noRouteFound(let explored, let closest, let obstacles):
      language.statement(
        .nearestReached,
        ["count": grouped(explored), "distance": language.length(metres: closest)])
        + (obstacles.sentence(in: language).map { " " + $0 } ?? "")
    case .viaPointNotReachable(_, let obstacles): obstacles.sentence(in: language)
    case .noRoundTripFound(let reached):
      language.statement(.noWayBack, ["count": grouped(reached)])
    default: failureReason.map(language.term)
    }
  }

  /// A suggested remedy; nil if there is none.
  public func recoverySuggestion(in language: Language) -> String? {
    guard case .profileNotAvailable = self else { return recoverySuggestion.map(language.term) }
    return likelyProfile.map { language.sentence(.didYouMean, ["name": $0]) }
  }
}

extension RouteObstacle {
  /// The obstacle as part of a sentence, such as `a wall, node 101`.
  public func description(in language: Language) -> String {
    switch self {
    case .barrier(let kind, let node): Self.place(kind, node, language)
    case .timedBarrier(let kind, let node, let hazard):
      Self.because(Self.place(kind, node, language), hazard, language)
    case .closedWay(let way, let mode): Self.way(way, mode, .closedTo, language)
    case .dangerousWay(let way, let mode, let hazard):
      Self.because(Self.way(way, mode, .closedTo, language), hazard, language)
    case .otherDirection(let way, let mode): Self.way(way, mode, .otherWayOnly, language)
    }
  }

  private static func place(_ kind: String?, _ node: Int64, _ language: Language) -> String {
    let english = barrier(kind)
    let words = String((kind ?? "").map { $0 == "_" ? " " : $0 })
    let known = language == .english ? english : language.table.terms[english]
    return language.text(
      .atNode,
      ["what": known ?? language.text(.barrierOf, ["kind": words]), "number": "\(node)"])
  }

  private static func way(
    _ way: Int64?, _ mode: RoutingMode, _ phrase: Phrase, _ language: Language
  ) -> String {
    let name = way.map { language.text(.wayNumber, ["number": "\($0)"]) }
    return language.text(
      phrase,
      [
        "way": name ?? language.text(.someWay),
        "people": language.text(mode == .hiking ? .walkers : .cyclists),
      ])
  }

  /// Appends a hazard, such as `no bridge any more (bridge=collapsed)`.
  private static func because(_ what: String, _ hazard: String, _ language: Language) -> String {
    let end = hazard.firstRange(of: " (")?.lowerBound ?? hazard.endIndex
    return language.text(
      .because, ["what": what, "why": language.warning(String(hazard[..<end])) + hazard[end...]])
  }
}

extension [RouteObstacle] {
  /// The obstacles as a sentence; nil if there are none.
  fileprivate func sentence(in language: Language) -> String? {
    guard !isEmpty else { return nil }
    let list =
      prefix(Self.mostListed).map { $0.description(in: language) }
      + (count > Self.mostListed ? [language.text(.andMore)] : [])
    return language.statement(.inBetween, ["list": list.joined(separator: "; ")])
  }
}

extension PlannedRouteStore.Failure {
  /// What went wrong, as a sentence for the user of an app.
  public func errorDescription(in language: Language) -> String? {
    errorDescription.map(language.term)
  }

  /// The id that does not exist, or the path and, in English, why it failed.
  public func failureReason(in language: Language) -> String? {
    guard case .notFound(let id) = self else { return failureReason }
    return language.text(.noSuchRoute, ["name": id.uuidString])
  }
}
