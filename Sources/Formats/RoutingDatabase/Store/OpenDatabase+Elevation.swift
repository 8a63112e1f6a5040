// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

extension OpenDatabase {
  /// See ``RoutingStore/elevationProfile(ofEdge:)``.
  func elevationProfile(ofEdge id: Int64) throws(CairnError) -> EdgeElevation? {
    switch elevationLayout {
    case .none: return nil
    case .rows:
      let row = try statement("SELECT max_slope, profile FROM routing_elevation WHERE edge = ?")
      try row.bind(1, id)
      guard try row.step(), !row.isNull(1) else { return nil }
      guard row.isNumber(0), row.number(0).isFinite else {
        throw damage("edge \(id) has an invalid slope: \(row.text(0) ?? "NULL")")
      }
      let slope = row.number(0)
      return try row.withBlob(1) { blob throws(CairnError) in
        try elevation(ofEdge: id, slope, blob)
      }
    case .blocks:
      guard let (block, index) = RoutingSchema.position(ofEdge: id, per: ElevationBlock.edges)
      else { return nil }
      let row = try statement(
        "SELECT block, slopes, ends, profiles FROM routing_elevation_blocks WHERE block = ?")
      try row.bind(1, block)
      guard try row.step() else { return nil }
      return try withElevationBlock(row) { found throws(CairnError) in
        guard index < found.count, let slope = found.slope(index) else { return nil }
        return try elevation(ofEdge: id, slope, found.profile(index))
      }
    }
  }

  private func elevation(ofEdge id: Int64, _ slope: Double, _ blob: UnsafeRawBufferPointer)
    throws(CairnError) -> EdgeElevation
  {
    guard let elevations = EdgeElevation.unpack(blob) else {
      throw damage("edge \(id) has an invalid elevation profile")
    }
    return EdgeElevation(maximumSlope: slope, elevations: elevations)
  }

  /// Calls `body` with the block of the current row: its number and its three blobs.
  private func withElevationBlock<Result>(
    _ row: SQLiteStatement, _ body: (ElevationBlock) throws(CairnError) -> Result
  ) throws(CairnError) -> Result {
    try row.withBlob(1) { slopes throws(CairnError) in
      try row.withBlob(2) { ends throws(CairnError) in
        try row.withBlob(3) { profiles throws(CairnError) in
          let block = ElevationBlock(slopes: slopes, ends: ends, profiles: profiles)
          guard let block else {
            throw damage("block \(row.integer(0)) of the elevation profiles is damaged")
          }
          return try body(block)
        }
      }
    }
  }

  /// See ``RoutingStore/forEachElevation(_:)``.
  func forEachElevation(
    _ body: (_ edge: Int64, _ blob: UnsafeRawBufferPointer) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    switch elevationLayout {
    case .none: return
    case .rows:
      try forEachRow("SELECT edge, profile FROM routing_elevation ORDER BY edge") {
        _, row throws(RoutingError) in
        var failure: RoutingError?
        try? row.withBlob(1) { bytes throws(CairnError) in
          do throws(RoutingError) { try body(row.integer(0), bytes) } catch { failure = error }
        }
        if let failure { throw failure }
      }
    case .blocks:
      try forEachRow(
        """
        SELECT block, slopes, ends, profiles FROM routing_elevation_blocks
        WHERE block BETWEEN 0 AND \(UInt32.max) ORDER BY block
        """
      ) { database, row throws(RoutingError) in
        var failure: RoutingError?
        do throws(CairnError) {
          try database.withElevationBlock(row) { block throws(CairnError) in
            let first = row.integer(0) &* Int64(ElevationBlock.edges) &+ 1
            for index in 0..<block.count where failure == nil {
              let profile = block.profile(index)
              if profile.isEmpty { continue }
              do throws(RoutingError) { try body(first &+ Int64(index), profile) } catch {
                failure = error
              }
            }
          }
        } catch { throw RoutingError(reading: error) }
        if let failure { throw failure }
      }
    }
  }
}
