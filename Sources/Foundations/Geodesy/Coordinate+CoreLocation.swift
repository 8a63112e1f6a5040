// SPDX-License-Identifier: Apache-2.0

#if canImport(CoreLocation)
  import CoreLocation

  extension Coordinate {
    /// The same point; degrees are not checked.
    public init(_ coordinate: CLLocationCoordinate2D) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }

  extension CLLocationCoordinate2D {
    /// The same point; degrees are not checked.
    public init(_ coordinate: Coordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }
#endif
