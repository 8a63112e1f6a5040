// SPDX-License-Identifier: Apache-2.0

/// Walks through the ids and coordinates of dense nodes. Decoding all three lists at once keeps the
/// processor busier than decoding them in turn.
struct DenseRun {
  var ids: DeltaCursor
  var latitudes: DeltaCursor
  var longitudes: DeltaCursor

  /// Begins before the first node; nil if there is none.
  init?(_ dense: borrowing DenseNodes) {
    guard let ids = DeltaCursor(dense.ids.bytes),
      let latitudes = DeltaCursor(dense.latitudes.bytes),
      let longitudes = DeltaCursor(dense.longitudes.bytes)
    else { return nil }
    (self.ids, self.latitudes, self.longitudes) = (ids, latitudes, longitudes)
  }

  /// Moves over up to `count` nodes with ascending ids and short deltas, and keeps the coordinates of
  /// the needed ones, which the file gives in 10⁻⁷ degrees. Returns how many nodes it passed; the
  /// next one needs a closer look.
  @inline(never)
  mutating func keepPlainNodes(
    upTo count: Int, _ cursor: inout NeededNodes.Cursor, _ coordinates: NodeCoordinates
  ) -> Int {
    var (ids, latitudes, longitudes) = (ids, latitudes, longitudes)
    var window = cursor.window
    var passed = 0
    while passed < count {
      let end = min(
        count,
        passed + min(ids.certainCount, latitudes.certainCount, longitudes.certainCount))
      let start = passed
      while passed < end {
        guard let id = ids.shortDelta, let north = latitudes.shortDelta,
          let east = longitudes.shortDelta, id.delta > 0
        else { break }
        ids.add(id)
        latitudes.add(north)
        longitudes.add(east)
        if !window.covers(ids.sum) { window = cursor.moveWindow(to: ids.sum) }
        if window.contains(ids.sum) {
          coordinates.set(
            window.index(of: ids.sum),
            NodeCoordinate(latitude: latitudes.sum, longitude: longitudes.sum))
        }
        passed &+= 1
      }
      if passed < end || passed == start { break }
    }
    (self.ids, self.latitudes, self.longitudes) = (ids, latitudes, longitudes)
    return passed
  }
}
