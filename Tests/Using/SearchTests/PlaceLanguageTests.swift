// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPhrases
import CairnPlaceDatabase
import Testing

@testable import CairnSearch

@Suite("Places in six languages")
struct PlaceLanguageTests {
  private func place(_ title: String, _ kind: PlaceKind = .settlement) -> SearchResult {
    var place = SearchResult(
      id: "n1", kind: kind, title: title, subtitle: "",
      coordinate: Coordinate(latitude: 42.5, longitude: 1.5), importance: 0, match: .exact)
    (place.distance, place.bearing) = (1234, 225)
    return place
  }

  private func texts(_ placemarks: [Placemark]) -> [String] {
    Language.allCases.map { Placemark.description(of: placemarks, in: $0) ?? "" }
  }

  @Test("near a place, with its direction, its number and what goes before its name")
  func near() {
    #expect(
      texts([Placemark(place: place("Encamp"), relation: .near)]) == [
        "1.2 km NE of Encamp", "1,2 km NO von Encamp", "à 1,2 km au nord-est d’Encamp",
        "1,2 km a nord-est di Encamp", "a 1,2 km al noreste de Encamp",
        "a 1,2 km al nord-est d’Encamp",
      ])
    #expect(
      texts([Placemark(place: place("El Serrat"), relation: .near)])[5].hasSuffix("del Serrat"))
  }

  @Test("at a place and on lines")
  func lines() {
    var first = place("Camí", .trail)
    first.ref = "GR 11"
    let placemarks = [
      Placemark(place: place("Font", .water), relation: .at),
      Placemark(place: first, relation: .on), Placemark(place: place("GRP", .route), relation: .on),
    ]
    #expect(
      texts(placemarks) == [
        "at Font, on GR 11 and GRP", "bei Font, auf GR 11 und GRP",
        "à hauteur de Font, sur GR 11 et GRP", "presso Font, su GR 11 e GRP",
        "en Font, en GR 11 y GRP", "a Font, sobre GR 11 i GRP",
      ])
  }

  @Test("what a place is and where")
  func subtitle() {
    var hut = place("Refugi de Juclar", .hut)
    hut.elevation = 2310
    hut.flags = .closed
    hut.around.settlement = "Encamp"
    #expect(
      Language.allCases.map { hut.subtitle(in: $0) } == [
        "Hut, closed, 2 310 m, near Encamp", "Hütte, gesperrt, 2 310 m, bei Encamp",
        "Refuge, fermé, 2 310 m, près d’Encamp", "Rifugio, chiuso, 2 310 m, vicino a Encamp",
        "Refugio, cerrado, 2 310 m, cerca de Encamp", "Refugi, tancat, 2 310 m, prop d’Encamp",
      ])
    var spring = place("Spring", .water)
    spring.detail = .spring
    #expect(spring.title(in: .german) == "Spring")
    spring.around.isNameless = true
    #expect(spring.title(in: .german) == "Quelle")
  }

  @Test("every kind, detail and flag is known", arguments: Language.allCases)
  func complete(_ language: Language) {
    guard language != .english else { return }
    let labels =
      PlaceKind.allCases.map(\.label) + PlaceDetail.allCases.map(\.label)
      + PlaceFlags([.closed, .notDrinkable]).texts
    for label in labels { #expect(language.table.terms[label] != nil, "\(language): \(label)") }
  }
}
