// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CairnSearch
import CommandLineKit

/// Names the places of points, by a database of places.
struct PlaceNames {
  private let search: SearchSet

  /// Opens databases of places, ignoring unusable ones with a warning, since names are optional;
  /// nil without any usable one.
  init?(_ paths: [String]) {
    var services: [SearchService] = []
    for path in paths {
      do throws(SearchError) { services.append(try SearchService(path: path)) } catch {
        Console.note("cairn: warning: \(error.ofCommand(at: path))")
      }
    }
    guard !services.isEmpty else { return nil }
    search = SearchSet(services)
  }

  /// The place of a point, such as `Arinsal` or `430 m SW of Encamp`; nil if no place is near.
  func name(_ point: Coordinate) -> String? {
    let placemarks: [Placemark]
    do throws(SearchError) { placemarks = try search.reverseGeocode(location: point) } catch {
      return nil
    }
    guard let first = placemarks.first else { return nil }
    return first.relation == .at ? first.place.title : first.description
  }
}
