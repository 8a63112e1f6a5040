// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnPhrases
import CairnPlaceDatabase

extension SearchResult {
  /// The result for a hit; nil if its place is missing.
  init?(_ hit: PlaceQuery.Hit, in places: OpenPlaces, near: Coordinate?) throws(CairnError) {
    guard let place = try places.place(hit.name.place) else { return nil }
    // A number such as GR 11 is mostly in the name, too.
    let isInTitle =
      !hit.name.isOther
      || FoldedName(place.name).text.contains(FoldedName(hit.name.text).text)
    try self.init(
      place, match: hit.match, matchedName: isInTitle ? nil : hit.name.text, in: places, near: near)
    score = hit.score
  }

  /// A place as a result.
  init(
    _ place: OpenPlaces.Place, match: SearchMatch, matchedName: String?, in places: OpenPlaces,
    near: Coordinate?
  ) throws(CairnError) {
    let route = place.kind == .route ? try places.route(place.id) : OpenPlaces.Route()
    let settlement = try place.settlement.flatMap { id throws(CairnError) in try places.place(id) }
    self.init(
      id: place.osm, kind: place.kind, title: place.name,
      subtitle: "", coordinate: place.coordinate, matchedName: matchedName, ref: route.ref,
      elevation: place.elevation, length: place.length,
      importance: Double(place.importance) / 1000, detail: place.detail, flags: place.flags,
      taggedLength: route.tagged, match: match)
    around = Surroundings(from: route.from, to: route.to, settlement: settlement?.name)
    subtitle = subtitle(in: .english)
    try locate(from: near, place, in: places)
  }

  /// A point without a name.
  init(_ point: PackedPoint, _ kind: PlaceKind, near settlement: String?) {
    let letters = ["n", "w", "r"]
    let (flags, detail) = PlaceFlags.parts(ofBits: point.flags)
    self.init(
      id: "\(letters[Int(point.type) % 3])\(point.id)", kind: kind,
      title: detail?.label ?? kind.label, subtitle: "", coordinate: point.coordinate,
      elevation: point.elevation.map(Double.init), importance: 0, detail: detail, flags: flags,
      match: .kind)
    around = Surroundings(settlement: settlement, isNameless: true)
    subtitle = subtitle(in: .english)
  }

  /// Sets its distance from a point and its location; for a line, the nearest point to it.
  mutating func locate(from near: Coordinate?, _ place: OpenPlaces.Place, in places: OpenPlaces)
    throws(CairnError)
  {
    guard let near else { return }
    if place.reach == .line, let nearest = try places.nearestPoint(ofPlace: place.id, to: near) {
      coordinate = nearest.coordinate
    }
    setDistance(from: near)
  }

  /// Sets its distance from a point.
  mutating func setDistance(from near: Coordinate) {
    distance = haversineDistance(near, coordinate)
    let degrees = initialBearing(from: near, to: coordinate)
    bearing = degrees < 0 ? degrees + 360 : degrees
  }

  /// Its name, or else its kind.
  public func title(in language: Language) -> String {
    around.isNameless ? language.term(title) : title
  }

  private var label: String { detail?.label ?? kind.label }

  /// Warnings before going there, in the gender of its kind.
  func flagTexts(in language: Language) -> [String] {
    (flags.contains(.closed) ? [language.closed(label)] : [])
      + flags.subtracting(.closed).texts.map(language.term)
  }

  /// Its kind and location, such as `Peak, 2 942 m, near Arinsal`.
  public func subtitle(in language: Language) -> String {
    var parts = [language.term(label)] + flagTexts(in: language)
    if let elevation { parts.append(language.length(metres: elevation)) }
    if let length {
      let here = distanceText(length, in: language)
      if isCut, let taggedLength {
        let whole = distanceText(taggedLength, in: language)
        parts.append(language.text(.partHere, ["part": here, "whole": whole]))
      } else {
        parts.append(here)
      }
    }
    if let from = around.from, let to = around.to { parts.append("\(from) – \(to)") }
    if let settlement = around.settlement {
      parts.append(language.near(settlement))
    }
    parts += [Placemark.description(of: around.placemarks, in: language)].compactMap { $0 }
    return parts.chained(by: ", ")
  }
}

/// A distance as people say it: `40 m`, `350 m`, `1.2 km`, `14 km`.
package func distanceText(_ distance: Double, in language: Language = .english) -> String {
  if distance < 995 { return language.length(metres: (distance / 10).rounded() * 10) }
  return language.length(kilometresOf: distance, decimals: distance < 9950 ? 1 : 0)
}

/// The nearest of the eight points of the compass, such as `NE`.
package func compassPoint(_ degrees: Double, in language: Language = .english) -> String {
  language.compass(Language.compassPoint(degrees))
}
