// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Cairn uses of MapKit, with the signatures that Apple documents, so that it can be
// type-checked where there is no SDK. It does nothing.
@_exported import CoreLocation

open class MKPlacemark: NSObject {
  public init(coordinate: CLLocationCoordinate2D) {}
}

open class MKMapItem: NSObject {
  open var name: String?
  public init(placemark: MKPlacemark) {}
}
