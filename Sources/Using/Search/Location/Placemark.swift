// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases

/// The relation of a location to a place.
public struct Placemark: Hashable, Sendable {
  /// The kind of relation.
  public enum Relation: String, Hashable, Sendable {
    /// The location is the place.
    case at
    /// The location lies on the trail, road or route.
    case on
    /// The location is some distance from the place.
    case near
  }

  /// The place. Its `distance` is that between it and the location, its `bearing` the direction from
  /// the location to it.
  public var place: SearchResult
  /// The relation of the location to it.
  public var relation: Relation

  /// Metres between the location and the place.
  public var distance: Double { place.distance ?? 0 }

  /// The direction from the place to the location: one of the eight points of the compass, such as
  /// `NE`.
  public var direction: String { compassPoint((place.bearing ?? 0) + 180) }

  /// The placemark in English: `at Font de la Coma`, `on GR 11`, `1.2 km NE of Encamp`.
  public var description: String { description(in: .english) }

  /// The placemark in words.
  public func description(in language: Language) -> String {
    let flags = place.flagTexts(in: language)
    let rest = flags.isEmpty ? "" : " (\(flags.joined(separator: ", ")))"
    let title = place.title(in: language) + rest
    switch relation {
    case .at: return language.at(title)
    case .on: return Self.on([self], in: language)
    case .near:
      let point = Language.compassPoint((place.bearing ?? 0) + 180)
      return language.text(
        .near,
        [
          "distance": distanceText(distance, in: language), "compass": language.compass(point),
          "lying": language.lying(point), "of": language.of(title),
        ])
    }
  }

  /// The name or number of what the location lies on.
  private var line: String { place.ref ?? place.title }

  /// Whether it is a route with a number, which alone does not say that it is a route's.
  private var isNumberedRoute: Bool {
    place.kind == .route && line.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// What a location lies on; there is at least one.
  private static func on(_ placemarks: [Placemark], in language: Language) -> String {
    let lines = placemarks.enumerated().map { index, placemark in
      index > 0 && placemark.isNumberedRoute
        ? language.text(.routeNumber, ["number": placemark.line]) : placemark.line
    }
    return language.text(
      placemarks[0].isNumberedRoute ? .onRoute : .on, ["line": language.listed(lines)])
  }

  /// The most trails and routes that a description names.
  private static let lineLimit = 2

  /// A one-line description of a location, from its placemarks in order; nil if there are none.
  public static func description(of placemarks: [Placemark], in language: Language = .english)
    -> String?
  {
    var parts = placemarks.first { $0.relation != .on }.map { [$0.description(in: language)] } ?? []
    var lines: [Placemark] = []
    for placemark in placemarks where placemark.relation == .on && lines.count < lineLimit {
      let isKnown = lines.contains {
        $0.line == placemark.line && $0.isNumberedRoute == placemark.isNumberedRoute
      }
      if !isKnown { lines.append(placemark) }
    }
    if !lines.isEmpty { parts.append(on(lines, in: language)) }
    return parts.isEmpty ? nil : parts.chained(by: ", ")
  }
}
