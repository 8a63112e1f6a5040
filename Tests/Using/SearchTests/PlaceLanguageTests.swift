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
        "1.2 km NE of Encamp", "1,2 km nordöstlich von Encamp", "à 1,2 km au nord-est d’Encamp",
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
        "en Font, en GR 11 y GRP", "a Font, a GR 11 i GRP",
      ])
  }

  @Test("the number of a route is called one")
  func routeNumbers() {
    var route = place("Panoramaweg", .route)
    route.ref = "501"
    var road = place("Landstrasse", .road)
    road.ref = "3"
    let placemarks = [route, road].map { Placemark(place: $0, relation: .on) }
    #expect(
      texts(placemarks) == [
        "on route 501 and 3", "auf Route 501 und 3", "sur l’itinéraire 501 et 3",
        "sul percorso 501 e 3", "en la ruta 501 y 3", "a la ruta 501 i 3",
      ])
    #expect(
      texts(placemarks.reversed()) == [
        "on 3 and route 501", "auf 3 und Route 501", "sur 3 et itinéraire 501",
        "su 3 e percorso 501", "en 3 y ruta 501", "a 3 i ruta 501",
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
        "Hut, closed, 2\u{A0}310 m, near Encamp", "Hütte, geschlossen, 2\u{A0}310 m, bei Encamp",
        "Refuge, fermé, 2\u{A0}310 m, près d’Encamp",
        "Rifugio, chiuso, 2\u{A0}310 m, vicino a Encamp",
        "Refugio, cerrado, 2\u{A0}310 m, cerca de Encamp",
        "Refugi, tancat, 2\u{A0}310 m, prop d’Encamp",
      ])
    var spring = place("Spring", .water)
    spring.detail = .spring
    #expect(spring.title(in: .german) == "Spring")
    spring.around.isNameless = true
    #expect(spring.title(in: .german) == "Quelle")
  }

  @Test("what is closed agrees with what it is")
  func closed() {
    func subtitles(_ kind: PlaceKind, _ detail: PlaceDetail? = nil) -> [String] {
      var place = place("X", kind)
      (place.flags, place.detail) = (.closed, detail)
      return Language.allCases.map { place.subtitle(in: $0) }
    }
    #expect(
      subtitles(.water, .spring) == [
        "Spring, closed", "Quelle, geschlossen", "Source, fermée", "Sorgente, chiusa",
        "Manantial, cerrado", "Deu, tancada",
      ])
    #expect(
      subtitles(.toilets) == [
        "Toilets, closed", "Toilette, geschlossen", "Toilettes, fermées",
        "Servizi igienici, chiusi", "Aseos, cerrados", "Lavabos, tancats",
      ])
    var cave = place("Cova", .cave)
    cave.flags = [.closed, .notDrinkable]
    #expect(
      texts([Placemark(place: cave, relation: .at)]) == [
        "at Cova (closed, not for drinking)", "bei Cova (geschlossen, kein Trinkwasser)",
        "à hauteur de Cova (fermée, eau non potable)", "presso Cova (chiusa, acqua non potabile)",
        "en Cova (cerrada, agua no potable)", "a Cova (tancada, aigua no potable)",
      ])
  }

  @Test("what has a gender is a place, in one form")
  func nouns() {
    let labels = Set(PlaceKind.allCases.map(\.label) + PlaceDetail.allCases.map(\.label))
    for language in Language.allCases {
      let nouns = language.table.nouns.values.flatMap(Array.init)
      #expect(labels.isSuperset(of: nouns), "\(labels.symmetricDifference(nouns))")
      #expect(Set(nouns).count == nouns.count, "\(language)")
      guard [.italian, .spanish, .catalan].contains(language) else { continue }
      for label in labels {
        let word = String((language.table.terms[label] ?? "").prefix { $0 != " " })
        guard word.hasSuffix("a") else { continue }
        #expect(nouns.contains(label), "\(language): \(word)")
      }
    }
  }

  @Test("errors of a search are told in each language")
  func errors() {
    let errors: [SearchError] = [
      .databaseUnreadable("§"), .databaseUnusable("§"), .databaseCorrupted("§"),
      .queryTooLong(bytes: 9), .invalidLocation(place("X").coordinate), .routesNotAvailable,
    ]
    for error in errors {
      #expect(error.errorDescription(in: .english) == error.errorDescription)
      #expect(error.failureReason(in: .english) == error.failureReason)
      #expect(error.recoverySuggestion(in: .english) == error.recoverySuggestion)
      for language in Language.allCases where language != .english {
        #expect(error.errorDescription(in: language) != error.errorDescription, "\(language)")
        let advice = error.recoverySuggestion
        #expect(advice == nil || error.recoverySuggestion(in: language) != advice, "\(language)")
        guard let reason = error.failureReason, reason != "§" else { continue }
        #expect(error.failureReason(in: language) != reason, "\(language)")
      }
    }
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
