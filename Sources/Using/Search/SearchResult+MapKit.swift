// SPDX-License-Identifier: Apache-2.0

#if canImport(MapKit)
  import CairnGeodesy
  import MapKit

  extension SearchResult {
    /// The place as an item of MapKit, with its title as the name: for an app's map, or to open it
    /// in Maps.
    public var mapItem: MKMapItem {
      let item = MKMapItem(placemark: MKPlacemark(coordinate: CLLocationCoordinate2D(coordinate)))
      item.name = title
      return item
    }
  }
#endif
