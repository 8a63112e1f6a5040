// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import Elevation
import OSMInput

/// Looks for places that a mapper should examine.
package enum MapCheck {
  /// The findings in an extract, in the order of their kinds and ids.
  ///
  /// - Parameters:
  ///   - isWhole: Whether nothing was cut off, so that the border counts, too.
  ///   - elevations: The terrain; nil to skip elevations.
  package static func findings(
    _ extract: MappedExtract, isWhole: Bool = false, elevations: ElevationDataManager? = nil
  ) throws(CairnError) -> [MapFinding] {
    let map = CheckedMap(extract, isWhole: isWhole)
    let junctions = JunctionChecks(map)
    let network = NetworkChecks(map)
    let tags = TagChecks(map)
    var found = junctions.looseEnds() + junctions.crossings() + tags.hardGrades()
    if let elevations { found += try ElevationCheck(map, elevations).findings() }
    do throws(RoutingError) {
      found += try RouteChecks(map).findings()
    } catch { throw CairnError("route-order", .software, "\(error)") }
    found += network.islands() + network.onewayEnds() + network.duplicates()
    found += tags.conditions() + tags.spelling()
    // Two pieces of a way may have the same finding.
    var seen: Set<String> = []
    return found.sorted(by: MapFinding.isBefore).filter { seen.insert($0.id).inserted }
  }
}
