// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases

/// Where a route is to lead.
public struct NavigationDestination: Hashable, Sendable {
  /// The place.
  public var coordinate: Coordinate
  /// Its name; nil where it has none.
  public var name: String?

  /// A place with a name or without one.
  public init(_ coordinate: Coordinate, name: String? = nil) {
    self.coordinate = coordinate
    self.name = name
  }

  /// A place that a search found.
  public init(_ result: SearchResult) { self.init(result.coordinate, name: result.title) }

  /// What a route that leads there is called.
  var title: String {
    name ?? "\(decimal(coordinate.latitude, 4)),\(decimal(coordinate.longitude, 4))"
  }
}

/// What is known without a route: where the destination lies, and how far away it is.
public struct DirectLine: Hashable, Sendable {
  /// The start.
  public var start: Coordinate
  /// The destination.
  public var destination: Coordinate
  /// Metres as the crow flies.
  public var distanceMetres: Double
  /// The direction in degrees clockwise from north, 0..<360.
  public var bearing: Double

  /// The straight line from one place to another.
  public init(from start: Coordinate, to destination: Coordinate) {
    self.start = start
    self.destination = destination
    distanceMetres = haversineDistance(start, destination)
    bearing = BearingCalculator.bearing(from: start, to: destination)
  }

  /// What it is, as a sentence in English.
  public var text: String { text(in: .english) }

  /// What it is, as a sentence.
  public func text(in language: Language) -> String {
    language.statement(
      .straightLine,
      [
        "distance": language.length(distanceMetres),
        "lying": language.lying(Language.compassPoint(bearing)),
      ])
  }
}
