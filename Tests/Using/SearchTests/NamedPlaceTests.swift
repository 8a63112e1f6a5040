// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@testable import CairnSearch

@Suite("The place that a name means")
struct NamedPlaceTests {
  private func result(
    _ id: String, _ match: SearchMatch = .exact, importance: Double = 0.5,
    kind: PlaceKind = .settlement, north: Double = 0
  ) -> SearchResult {
    SearchResult(
      id: id, kind: kind, title: id, subtitle: "",
      coordinate: Coordinate(
        latitude: 42 + north / (earthRadiusMetres * .pi / 180), longitude: 1),
      importance: importance, match: match)
  }

  private func named(_ results: SearchResult..., suggestions: [String] = []) -> NamedPlace {
    NamedPlace(SearchResponse(results: results, suggestions: suggestions))
  }

  @Test("it is the only place of the name")
  func only() {
    let exact = named(result("a"), result("b", .prefix, importance: 0.9, north: 5000))
    #expect(exact.place?.id == "a")
    #expect(exact.others.isEmpty)
    for match in [SearchMatch.prefix, .kind, .words] {
      #expect(named(result("a", match), result("b", .similar, north: 5000)).place?.id == "a")
    }
  }

  @Test("a part of the names, or the kind, of several places is none of them")
  func part() {
    let matches = [SearchMatch.prefix, .kind, .words]
    for first in matches {
      for second in matches where second >= first {
        let both = named(
          result("b", second, importance: second == first ? 0.1 : 0.9, north: 5000),
          result("a", first, importance: 0.5))
        #expect(both.place == nil, "\(first), \(second)")
        #expect(both.candidates.map(\.id) == ["a", "b"], "\(first), \(second)")
        #expect(both.line == nil)
      }
    }
    // A trail of the name does not hide the places.
    let trail = named(
      result("trail", .prefix, kind: .trail), result("a", .words), result("b", .words, north: 5000))
    #expect(trail.place == nil && trail.candidates.count == 2)
  }

  @Test("of several it is the most important one, if that is clearly more important")
  func several() {
    let lesser = result("a", importance: 0.3, north: 5000)
    #expect(named(lesser, result("b", importance: 0.5)).place?.id == "b")
    #expect(named(lesser, result("b", importance: 0.5)).others.map(\.id) == ["a"])
    let close = named(lesser, result("b", importance: 0.4))
    #expect(close.place == nil)
    #expect(close.candidates.map(\.id) == ["b", "a"])
    // Of names that only begin with it, none is clear.
    #expect(
      named(
        result("a", .prefix, importance: 0.1, north: 5000), result("b", .prefix, importance: 0.9)
      ).place == nil)
  }

  @Test("entries within 150 m are one place")
  func near() {
    #expect(
      named(result("village", importance: 0.5), result("stop", importance: 0.45, north: 140))
        .place?.id == "village")
    #expect(
      named(result("village", importance: 0.5), result("stop", importance: 0.45, north: 160)).place
        == nil)
  }

  @Test("a trail is no place, and neither is what is only similar")
  func none() {
    let trail = named(result("trail", kind: .trail))
    #expect(trail.place == nil && trail.line?.id == "trail")
    let similar = named(result("a", .similar), suggestions: ["Encamp"])
    #expect(similar.place == nil && similar.line == nil && similar.candidates.isEmpty)
    #expect(similar.suggestions == ["Encamp"])
  }
}
