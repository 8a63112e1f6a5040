// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A place marked by a user, or taken from the map. Its photo stays in the ``WaypointStore``.
public struct Waypoint: Hashable, Sendable, Identifiable {
  /// Its identity.
  public var id: UUID
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double
  /// Metres above sea level; nil if unknown.
  public var altitude: Double?
  /// When it was made. Stores and transfers keep milliseconds.
  public var timestamp: Date
  /// A short name; may be empty.
  public var label: String
  /// The kind of place.
  public var category: WaypointCategory
  /// A longer description; may be empty.
  public var note: String
  /// Whether its store has a photo or a thumbnail of it. Inserting it changes neither;
  /// ``WaypointStore/update(_:)`` removes both if this is false.
  public var hasPhoto: Bool
  /// The hike that it belongs to, if any.
  public var hikeId: UUID?

  /// Makes a waypoint; parts of a millisecond are dropped from its time.
  public init(
    id: UUID, latitude: Double, longitude: Double, altitude: Double? = nil, timestamp: Date,
    label: String = "", category: WaypointCategory = .custom, note: String = "",
    hasPhoto: Bool = false, hikeId: UUID? = nil
  ) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.timestamp = wholeMilliseconds(timestamp)
    self.label = label
    self.category = category
    self.note = note
    self.hasPhoto = hasPhoto
    self.hikeId = hikeId
  }

  /// The position.
  public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}
