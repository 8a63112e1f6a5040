// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The weather at a place and a time.
public struct WeatherData: Hashable, Sendable, Codable {
  /// Degrees Celsius.
  public var temperatureCelsius: Double
  /// The relative humidity, 0…100.
  public var humidityPercent: Double
  /// Degrees north of the place that it was asked for.
  public var latitude: Double
  /// Degrees east of the place that it was asked for.
  public var longitude: Double
  /// When it was asked for.
  public var time: Date

  /// Describes the weather at a place.
  public init(
    temperatureCelsius: Double, humidityPercent: Double, at place: Coordinate, time: Date
  ) {
    self.temperatureCelsius = temperatureCelsius
    self.humidityPercent = humidityPercent
    (latitude, longitude) = (place.latitude, place.longitude)
    self.time = time
  }

  /// The place that it was asked for.
  public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension WeatherData {
  /// Reads the data of a file; nil if it is missing or damaged.
  init?(contentsOf file: URL) {
    guard let json = try? Data(contentsOf: file),
      let data = try? JSONDecoder().decode(WeatherData.self, from: json)
    else { return nil }
    self = data
  }

  /// Replaces the file in one step.
  func write(to file: URL) throws {
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
  }
}

/// A source of weather data: WeatherKit, or another service of the app. Cairn queries none by
/// itself.
public protocol WeatherService: Sendable {
  /// The weather at a place now: degrees Celsius, and the relative humidity as 0…100.
  func currentWeather(at place: Coordinate) async throws
    -> (temperatureCelsius: Double, humidityPercent: Double)
}

/// When the weather is asked for again.
public struct WeatherPolicy: Hashable, Sendable {
  /// The weather is this old, in seconds.
  public var refreshSeconds = 15.0 * 60
  /// The same during a recording, timed separately.
  public var workoutSeconds = 5.0 * 60
  /// The place is further away than this, in metres.
  public var locationChangeMetres = 5000.0
  /// The pause after a failure, in seconds.
  public var patienceSeconds = 60.0

  /// The default values.
  public init() {}
}
