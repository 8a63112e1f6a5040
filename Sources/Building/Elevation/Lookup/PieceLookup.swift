// SPDX-License-Identifier: Apache-2.0

/// The outcome of looking up the points of a piece.
struct PieceOutcome: Sendable {
  struct Use: Sendable {
    let key: TileCache.Key
    let points: Int
    let notes: [HGTTile.Note]
  }

  let tile: ElevationTileID
  var uses: [Use] = []
  /// The points without an elevation in any tile.
  var unknown: [UInt32] = []
  /// Whether the points are those of the margin.
  let isMargin: Bool

  init(_ piece: TileOrder.Piece) { (tile, isMargin) = (piece.tile, piece.isMargin) }
}

/// The points of a piece that have no elevation yet: all of its runs at first, as a list later.
struct PendingPoints {
  /// Runs that no tile has been asked for.
  private(set) var runs: ArraySlice<TileRun>
  /// Points that a tile had no data for.
  var points: [UInt32] = []
  private var runPoints: Int

  init(runs: ArraySlice<TileRun>, count: Int) { (self.runs, runPoints) = (runs, count) }

  var count: Int { runPoints + points.count }

  /// Lists the points of all runs.
  mutating func listRuns() {
    points += runs.lazy.flatMap { UInt32($0.points.lowerBound)..<UInt32($0.points.upperBound) }
    removeRuns()
  }

  /// Takes the runs out.
  mutating func removeRuns() { (runs, runPoints) = (runs[..<runs.startIndex], 0) }
}

/// Looks up the points of pieces. Each point is written by only one thread.
struct PieceLookup: Sendable {
  let points: PointLists
  let elevations: Numbers<Float>
  let steepness: Numbers<UInt8>

  /// Writes the elevation of each pending point that a tile has data for; the others stay pending.
  func serve(_ pending: inout PendingPoints, from posts: HGTTile, of tile: ElevationTileID) {
    let frame = TileFrame(tile)
    var without: [UInt32] = []
    posts.withSampler(of: tile) { sampler in
      for run in pending.runs {
        points.forEachPart(of: run.points) { serve($0, sampler, frame, &without) }
      }
      pending.points.removeAll { point in
        let coordinate = points[Int(point)]
        let offset = frame.offset(
          latitude: coordinate.latitude, longitude: coordinate.longitude)
        guard let offset else { return false }
        let sample = sampler.sample(north: offset.north, east: offset.east)
        elevations.elements[Int(point)] = sample.metres
        steepness.elements[Int(point)] = sample.percent
        return !sample.metres.isNaN
      }
    }
    pending.removeRuns()
    pending.points += without
  }

  private func serve(
    _ part: PointLists.Part, _ sampler: TileSampler, _ frame: TileFrame, _ without: inout [UInt32]
  ) {
    let (elevations, steepness) = (elevations.elements, steepness.elements)
    for index in part.latitudes.indices {
      let point = part.start + index
      let offset = frame.offset(
        latitude: part.latitudes[index], longitude: part.longitudes[index])
      guard let offset else {
        without.append(UInt32(point))
        continue
      }
      let sample = sampler.sample(north: offset.north, east: offset.east)
      elevations[point] = sample.metres
      steepness[point] = sample.percent
      if sample.metres.isNaN { without.append(UInt32(point)) }
    }
  }

  /// Whether any pending point lies in a tile or on its border.
  func anyLies(in frame: TileFrame, of pending: inout PendingPoints) -> Bool {
    pending.listRuns()
    return pending.points.contains { point in
      let coordinate = points[Int(point)]
      return frame.offset(latitude: coordinate.latitude, longitude: coordinate.longitude) != nil
    }
  }

  /// Records that the pending points have no elevation.
  func markUnknown(_ pending: inout PendingPoints) {
    pending.listRuns()
    for point in pending.points {
      elevations.elements[Int(point)] = .nan
      steepness.elements[Int(point)] = 0
    }
  }
}
