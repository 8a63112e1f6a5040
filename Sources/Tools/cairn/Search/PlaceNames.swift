// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CairnSearch
import CommandLineKit

/// Says in a few words where points lie, by a database of places.
struct PlaceNames {
  private let search: SearchService

  /// Opens a database of places. One that cannot be used is ignored with a warning, as it only says
  /// more than is needed; nil then, and without a path.
  init?(_ path: String?) {
    guard let path else { return nil }
    do throws(SearchError) { search = try SearchService(path: path) } catch {
      Console.note("cairn: warning: \(error.ofCommand(at: path))")
      return nil
    }
  }

  /// Where a point lies, such as `Arinsal` or `430 m SW of Encamp`; nil if no place is near.
  func name(_ point: Coordinate) -> String? {
    let placemarks: [Placemark]
    do throws(SearchError) { placemarks = try search.reverseGeocode(location: point) } catch {
      return nil
    }
    guard let first = placemarks.first else { return nil }
    return first.relation == .at ? first.place.title : first.description
  }
}
