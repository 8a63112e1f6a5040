// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Decides which place a name means when nobody can choose from a list, such as on a command line.
package struct NamedPlace: Sendable {
  /// The margin in importance by which the most important place with a name is chosen.
  private static let clearMargin = 0.15
  /// Entries this close to each other are one place, such as a village and its bus stop.
  private static let samePlaceMetres = 150.0

  /// The points with the name, most important first.
  package let candidates: [SearchResult]
  /// The chosen point; nil if there is none, or several are as good.
  package let place: SearchResult?
  /// The trail or route with the name, if it was the first result.
  package let line: SearchResult?
  /// Similar names, if nothing has this one.
  package let suggestions: [String]

  /// Chooses from the results of a search for the name.
  package init(_ response: SearchResponse) {
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
    line = response.results.first.flatMap { $0.match <= .words ? $0 : nil }
    suggestions = response.suggestions
  }

  /// The other places of the name.
  package var others: ArraySlice<SearchResult> { candidates.dropFirst() }
}
