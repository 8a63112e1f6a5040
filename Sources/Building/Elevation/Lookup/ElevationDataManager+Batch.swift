// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Synchronization
import SystemIO

extension ElevationDataManager {
  /// The elevations of many points, tile by tile, so that each tile is read once.
  ///
  /// The result does not depend on the number of threads. Throws 65 or 66 if the file of a tile is
  /// damaged or cannot be read.
  ///
  /// - Parameters:
  ///   - latitudes: 10⁻⁷ degrees north.
  ///   - longitudes: 10⁻⁷ degrees east, as many. Points out of range have no elevation.
  ///   - threads: How many threads to use, at least 1.
  ///   - advance: Called from any thread with the number of further points that are done.
  package func elevations(
    latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>,
    threads: Int = 1, advance: @escaping @Sendable (_ points: Int) -> Void = { _ in }
  ) throws(CairnError) -> ElevationBatch {
    guard latitudes.count == longitudes.count, latitudes.count <= Int(UInt32.max) else {
      throw CairnError(
        "points", .software,
        "\(grouped(latitudes.count)) latitudes and \(grouped(longitudes.count)) longitudes")
    }
    let order = TileOrder(latitudes: latitudes, longitudes: longitudes)
    var elevations = [Float](repeating: .nan, count: latitudes.count)
    var steepness = [UInt8](repeating: 0, count: latitudes.count)
    let outcomes = try elevations.withUnsafeMutableBufferPointer { metres throws(CairnError) in
      try steepness.withUnsafeMutableBufferPointer { percent throws(CairnError) in
        let points = BatchPoints(
          latitudes: latitudes, longitudes: longitudes, elevations: metres, steepness: percent)
        return try serve(points, in: order, threads: threads, advance: advance)
      }
    }
    return ElevationBatch(
      elevations: elevations, steepness: steepness, outcomes: outcomes, sources: sources)
  }

  /// Processes all pieces; returns their outcomes in order.
  private func serve(
    _ points: BatchPoints, in order: TileOrder, threads: Int,
    advance: @escaping @Sendable (Int) -> Void
  ) throws(CairnError) -> [PieceOutcome] {
    let queue = WorkQueue(count: order.pieces.count)
    let results = Mutex<[Int: Result<PieceOutcome, CairnError>]>([:])
    let unfinished = Mutex(Dictionary(order.pieces.map { ($0.tile, 1) }, uniquingKeysWith: +))
    do {
      try withWorkers(min(threads, order.pieces.count)) { _ in
        while let index = queue.next() {
          let piece = order.pieces[index]
          let result = Result { () throws(CairnError) in
            try self.serve(piece, Array(order.points[piece.range]), points)
          }
          results.withLock { $0[index] = result }
          let isTileDone = unfinished.withLock { pieces in
            pieces[piece.tile, default: 0] -= 1
            return pieces[piece.tile] == 0
          }
          if isTileDone { self.forget(piece.tile) }
          if case .failure = result { queue.cancel() }
          advance(piece.range.count)
        }
      }
    } catch { throw asCairnError(error) }
    // Pieces are handed out in order, so the first failure does not depend on the number of threads.
    let sorted = results.withLock { $0.sorted { $0.key < $1.key } }
    var outcomes: [PieceOutcome] = []
    for (_, result) in sorted { outcomes.append(try result.get()) }
    return outcomes
  }

  /// Drops a tile whose points are done. Only points on its borders may need it again.
  private func forget(_ tile: ElevationTileID) {
    for source in sources.indices { cache.forget(TileCache.Key(tile: tile, source: source)) }
  }

  /// Looks up the points of a piece in the sources, in order.
  private func serve(_ piece: TileOrder.Piece, _ pending: [UInt32], _ points: BatchPoints)
    throws(CairnError) -> PieceOutcome
  {
    var pending = pending
    var outcome = PieceOutcome(tile: piece.tile)
    for source in sources.indices {
      for tile in piece.tile.servingTiles where !pending.isEmpty {
        guard let file = sources[source].file(of: tile) else { continue }
        let frame = TileFrame(tile)
        if tile != piece.tile, !points.anyLies(in: frame, of: pending) { continue }
        let posts = try read(file, of: source)
        let before = pending.count
        points.serve(&pending, from: posts, of: tile)
        outcome.uses.append(
          .init(
            key: TileCache.Key(tile: tile, source: source), points: before - pending.count,
            notes: posts.notes))
      }
    }
    outcome.pointsWithout = pending.count
    return outcome
  }
}

/// The outcome of processing a piece.
struct PieceOutcome: Sendable {
  struct Use: Sendable {
    let key: TileCache.Key
    let points: Int
    let notes: [HGTTile.Note]
  }

  let tile: ElevationTileID
  var uses: [Use] = []
  var pointsWithout = 0

  init(tile: ElevationTileID) { self.tile = tile }
}

/// The columns of a batch. Each point is written by only one thread, and the buffers outlive all
/// threads.
private struct BatchPoints: @unchecked Sendable {
  let latitudes: UnsafeBufferPointer<Int32>
  let longitudes: UnsafeBufferPointer<Int32>
  let elevations: UnsafeMutableBufferPointer<Float>
  let steepness: UnsafeMutableBufferPointer<UInt8>

  /// Writes the elevation of each pending point that a tile has data for; the others stay pending.
  func serve(_ pending: inout [UInt32], from posts: HGTTile, of tile: ElevationTileID) {
    let sampler = TileSampler(posts, of: tile)
    let frame = TileFrame(tile)
    var kept = 0
    for index in pending.indices {
      let point = Int(pending[index])
      if let offset = frame.offset(latitude: latitudes[point], longitude: longitudes[point]) {
        let (metres, percent) = sampler.sample(north: offset.north, east: offset.east)
        elevations[point] = metres
        steepness[point] = percent
        if !metres.isNaN { continue }
      }
      pending[kept] = UInt32(point)
      kept += 1
    }
    pending.removeLast(pending.count - kept)
  }

  func anyLies(in frame: TileFrame, of pending: [UInt32]) -> Bool {
    pending.contains { point in
      frame.offset(latitude: latitudes[Int(point)], longitude: longitudes[Int(point)]) != nil
    }
  }
}
