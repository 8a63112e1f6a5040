// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension RasterTile {
  /// The number of posts over which one source blends into the next: some 300 m.
  static func seamPosts(intervals: Int) -> Int { max(3, intervals / 360) }

  /// Fills unknown posts from the next sources, and blends the rasters into them at their ends, so
  /// that no step is left: one model may lie metres above the other.
  ///
  /// A post at a distance of d from the next filled one has d / (n + 1) of its own elevation, with
  /// n of ``seamPosts(intervals:)``, which ``border`` must exceed. So tiles that share a side agree
  /// along it.
  mutating func fill(from next: ElevationDataManager) throws(CairnError) {
    let reach = Self.seamPosts(intervals: intervals)
    let far = UInt8(clamping: reach + 1)
    let side = self.side
    var distances = [UInt8](repeating: far, count: posts.count)
    let longitudes = (0..<side).map { unit(tile.longitude, steps: $0 - border) }
    func row(_ number: Int) throws(CairnError) -> [Float] {
      let latitude = unit(tile.latitude, steps: intervals + border - number)
      guard abs(Int(latitude)) <= 90 * ElevationTileID.sideUnits else {
        return [Float](repeating: .nan, count: side)
      }
      return try next.elevations(latitudes: [latitude], longitudes: longitudes)
    }
    for number in 0..<side {
      let range = number * side..<(number + 1) * side
      guard posts[range].contains(HGTTile.void) else { continue }
      let elevations = try row(number)
      for (column, metres) in elevations.enumerated() {
        let index = range.lowerBound + column
        guard posts[index] == HGTTile.void, !metres.isNaN else { continue }
        posts[index] = Self.post(Double(metres))
        distances[index] = 0
      }
    }
    Self.spread(&distances, side: side, limit: far)
    for number in 0..<side {
      let range = number * side..<(number + 1) * side
      let isNear = { (index: Int) in distances[index] > 0 && distances[index] < far }
      guard range.contains(where: isNear) else { continue }
      let elevations = try row(number)
      for (column, metres) in elevations.enumerated() {
        let index = range.lowerBound + column
        guard isNear(index), posts[index] != HGTTile.void, !metres.isNaN else { continue }
        let share = Double(distances[index]) / Double(far)
        posts[index] = Self.post(
          share * Double(posts[index]) + (1 - share) * Double(metres))
      }
    }
    countKnown()
  }

  /// The coordinate in 10⁻⁷ degrees of a post that is some steps from a whole degree.
  private func unit(_ degree: Int, steps: Int) -> Int32 {
    let units = Double(degree) + Double(steps) / Double(intervals)
    // The antimeridian continues on its other side.
    let wrapped = units > 180 ? units - 360 : units < -180 ? units + 360 : units
    return Int32((wrapped * Double(ElevationTileID.sideUnits)).rounded())
  }

  /// Makes each number the distance in posts from the next 0, straight or diagonally, up to a limit.
  static func spread(_ distances: inout [UInt8], side: Int, limit: UInt8) {
    func nearest(_ index: Int, _ column: Int, _ direction: Int, _ hasRow: Bool) -> UInt8 {
      var least = limit
      let hasBefore = direction < 0 ? column > 0 : column < side - 1
      let hasAfter = direction < 0 ? column < side - 1 : column > 0
      if hasBefore { least = min(least, distances[index + direction]) }
      if hasRow {
        let above = index + direction * side
        least = min(least, distances[above])
        if hasBefore { least = min(least, distances[above + direction]) }
        if hasAfter { least = min(least, distances[above - direction]) }
      }
      return least
    }
    for direction in [-1, 1] {
      for step in 0..<side {
        let row = direction < 0 ? step : side - 1 - step
        for other in 0..<side {
          let column = direction < 0 ? other : side - 1 - other
          let index = row * side + column
          let near = nearest(index, column, direction, step > 0)
          if near < distances[index] { distances[index] = min(distances[index], near + 1) }
        }
      }
    }
  }
}
