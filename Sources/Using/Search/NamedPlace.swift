// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Decides which place a name means when nobody can choose from a list, such as on a command line.
package struct NamedPlace: Sendable {
  /// The margin in importance by which the most important place with a name is chosen.
  private static let clearMargin = 0.15
  /// Entries this close to each other are one place, such as a village and its bus stop.
  private static let samePlaceMetres = 150.0

  /// The points with the name, the best match first and of those the most important.
  package let candidates: [SearchResult]
  /// The chosen point; nil if there is none, or several are as good.
  package let place: SearchResult?
  /// The trail or route with the name, if it was the first result.
  package let line: SearchResult?
  /// Similar names, if nothing has this one.
  package let suggestions: [String]

  /// Chooses from the results of a search for the name: the only place that is called so, or the
  /// clearly most important one; of places that only have it as a part of their name or as their
  /// kind, the only one.
  package init(_ response: SearchResponse) {
    let fitting = response.results.filter { $0.match <= .words }
    let isExact = fitting.contains { $0.match == .exact }
    var places: [SearchResult] = []
    let found = fitting.filter { ($0.match == .exact || !isExact) && !$0.kind.isLine }
    for place in found.sorted(by: { ($1.match, $0.importance) > ($0.match, $1.importance) }) {
      let isKnown = places.contains {
        haversineDistance($0.coordinate, place.coordinate) < Self.samePlaceMetres
      }
      if !isKnown { places.append(place) }
    }
    let isClear =
      places.count == 1
      || places.count > 1 && isExact
        && places[0].importance - places[1].importance >= Self.clearMargin
    place = isClear ? places[0] : nil
    candidates = places
    line = fitting.first.flatMap { $0.kind.isLine ? $0 : nil }
    suggestions = response.suggestions
  }

  /// The other places of the name.
  package var others: ArraySlice<SearchResult> { candidates.dropFirst() }
}
