// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreLocation)
  import CairnGeodesy
  import CoreLocation

  extension LocationFix {
    /// Makes a fix from a Core Location location, which uses −1 for unknown values; nil if its
    /// position is unknown.
    public init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0 else { return nil }
      let hasAltitude = location.verticalAccuracy > 0
      self =
        LocationFix(
          coordinate: Coordinate(location.coordinate),
          altitude: hasAltitude ? location.altitude : nil,
          horizontalAccuracy: location.horizontalAccuracy,
          verticalAccuracy: hasAltitude ? location.verticalAccuracy : nil,
          course: location.course, speed: location.speed, timestamp: location.timestamp
        ).cleaned
    }
  }

  extension CLLocation {
    /// Makes a location from a fix, with −1 for unknown values. If the fix states no accuracy, the
    /// location's is 0.
    public convenience init(_ fix: LocationFix) {
      self.init(
        coordinate: CLLocationCoordinate2D(fix.coordinate), altitude: fix.altitude ?? 0,
        horizontalAccuracy: fix.horizontalAccuracy ?? 0,
        verticalAccuracy: fix.altitude == nil ? -1 : fix.verticalAccuracy ?? 0,
        course: fix.course ?? -1, speed: fix.speed ?? -1, timestamp: fix.timestamp)
    }
  }
#endif
