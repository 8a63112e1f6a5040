// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The activity during which a route was recorded.
public struct RecordedActivity: Hashable, Sendable, Codable, Identifiable {
  /// Its identity.
  public var id: UUID
  /// The name that the user sees.
  public var name: String
  /// Whether it was indoors or outdoors.
  public var locationType: RouteRecorder.LocationType
  /// When it began.
  public var start: Date
  /// When it ended.
  public var end: Date
  /// The weather, as it was last known; nil if it was not.
  public var weather: WeatherData?

  /// Describes an activity.
  public init(
    id: UUID = UUID(), name: String, locationType: RouteRecorder.LocationType = .outdoor,
    start: Date, end: Date, weather: WeatherData? = nil
  ) {
    self.id = id
    self.name = name
    self.locationType = locationType
    self.start = start
    self.end = end
    self.weather = weather
  }
}
