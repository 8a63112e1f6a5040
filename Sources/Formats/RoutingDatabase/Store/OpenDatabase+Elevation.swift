// SPDX-License-Identifier: Apache-2.0
import Diagnostics

extension OpenDatabase {
  /// See ``RoutingStore/elevationProfile(ofEdge:)``.
  func elevationProfile(ofEdge id: Int64) throws(CairnError) -> EdgeElevation? {
    guard hasElevations else { return nil }
    let row = try statement("SELECT max_slope, profile FROM routing_elevation WHERE edge = ?")
    try row.bind(1, id)
    guard try row.step(), !row.isNull(1) else { return nil }
    let elevations = try row.withBlob(1) { EdgeElevation.unpack($0) }
    guard let elevations else { throw damage("edge \(id) has an invalid elevation profile") }
    guard row.isNumber(0), row.number(0).isFinite else {
      throw damage("edge \(id) has an invalid slope: \(row.text(0) ?? "NULL")")
    }
    return EdgeElevation(maximumSlope: row.number(0), elevations: elevations)
  }
}
