// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases

/// The destination of a route.
public struct NavigationDestination: Hashable, Sendable {
  /// The place.
  public var coordinate: Coordinate
  /// Its name, if any.
  public var name: String?

  /// Makes a destination, with or without a name.
  public init(_ coordinate: Coordinate, name: String? = nil) {
    self.coordinate = coordinate
    self.name = name
  }

  /// A place that a search found.
  public init(_ result: SearchResult) { self.init(result.coordinate, name: result.title) }

  /// The title of a route to it.
  var title: String {
    name ?? "\(decimal(coordinate.latitude, 4)),\(decimal(coordinate.longitude, 4))"
  }
}

/// Direction and distance to a destination, for when there is no route.
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

  /// A description as an English sentence.
  public var text: String { text(in: .english) }

  /// A description as a sentence.
  public func text(in language: Language) -> String {
    language.statement(
      .straightLine,
      [
        "distance": language.length(distanceMetres),
        "lying": language.lying(Language.compassPoint(bearing)),
      ])
  }
}
