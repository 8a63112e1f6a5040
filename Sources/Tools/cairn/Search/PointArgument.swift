// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Geodesy
import Search

extension Arguments {
  /// The value of a required option as a point; see ``point(_:_:beside:)``.
  func point(_ name: String, beside database: String) throws(CairnError) -> Coordinate {
    try point(name, try required(name), beside: database)
  }

  /// A value of an option as a point: `LAT,LON`, or the name of a place in the database of places
  /// beside another one. A note on stderr says which place it is.
  ///
  /// Throws 64 for anything else: for a name that no place has, or several that are as good.
  ///
  /// - Parameter database: A database, or the folder of a bundle.
  func point(_ name: String, _ text: String, beside database: String) throws(CairnError)
    -> Coordinate
  {
    if let point = Coordinate(commandLine: text) { return point }
    let isName = text.contains(where: \.isLetter)
    guard isName, let places = placesBeside(database) else {
      throw usageError(
        "--\(name) takes LAT,LON in degrees, such as 47.03,10.05, not “\(text)”",
        hint: isName
          ? "a place can be named where a .places.db lies beside the database; "
            + "cairn index-places makes one"
          : Coordinate.problem(commandLine: text))
    }
    let choice: PlaceChoice
    do throws(SearchError) {
      choice = try PlaceChoice(text, SearchService(path: places))
    } catch { throw error.ofCommand(at: places) }
    guard let place = choice.place else {
      throw usageError("--\(name): \(choice.problem)", hint: choice.advice)
    }
    Console.note(
      "cairn: --\(name) is \(printable(PlaceChoice.text(place)))"
        + (choice.others.isEmpty
          ? ""
          : "; \(counted(choice.others.count, "lesser place")) of that name "
            + "\(choice.others.count == 1 ? "is" : "are") not meant"))
    return place.coordinate
  }
}

/// Which place a name on a command line means.
private struct PlaceChoice {
  /// A name means the most important of the places that have it, if it is more important by this.
  private static let clearMargin = 0.15
  /// Entries this near to each other are one place: a village and its stop.
  private static let samePlaceMetres = 150.0
  /// The most places that an error names.
  private static let mostNamed = 4

  private let name: String
  private let response: SearchResponse
  /// The places that the name may mean, the most important one first.
  private let candidates: [SearchResult]
  /// The place that it means; nil where there is none, or several are as good.
  let place: SearchResult?

  init(_ name: String, _ search: SearchService) throws(SearchError) {
    self.name = name
    let response = try search.search(name, limit: SearchService.maximumResults)
    self.response = response
    let best = [SearchMatch.exact, .prefix, .words].first { match in
      response.results.contains { $0.match == match }
    }
    var places: [SearchResult] = []
    let found = response.results.filter { $0.match == best && !$0.kind.isLine }
    for place in found.sorted(by: { $0.importance > $1.importance }) {
      let isKnown = places.contains {
        haversineDistance($0.coordinate, place.coordinate) < Self.samePlaceMetres
      }
      if !isKnown { places.append(place) }
    }
    let isClear =
      places.count == 1
      || places.count > 1 && best == .exact
        && places[0].importance - places[1].importance >= Self.clearMargin
    place = isClear ? places[0] : nil
    candidates = places
  }

  /// The other places of the name.
  var others: ArraySlice<SearchResult> { candidates.dropFirst() }

  /// Why it is no place.
  var problem: String {
    if candidates.count > 1 {
      return "\(counted(candidates.count, "place")) may be meant by “\(name)”"
    }
    if let line = response.results.first, line.match <= .words {
      return "“\(line.title)” is no point: \(line.subtitle)"
    }
    return "no place is called “\(name)”"
  }

  /// What to do about it; nil where there is nothing similar.
  var advice: String? {
    if candidates.count > 1 {
      let named = candidates.prefix(Self.mostNamed).map(Self.text).joined(separator: "; ")
      let rest = candidates.count - Self.mostNamed
      return "give the point of one: \(named)" + (rest > 0 ? "; and \(rest) more" : "")
    }
    let names = response.suggestions.map { "“\($0)”" }
    return names.isEmpty
      ? "give it as LAT,LON, or see cairn search"
      : "did you mean \(names.joined(separator: " or "))?"
  }

  /// `Arinsal, 42.57208,1.48440 (Settlement, 1 474 m, near La Massana)`.
  static func text(_ place: SearchResult) -> String {
    "\(place.title), \(pointText(place.coordinate)) (\(place.subtitle))"
  }
}
