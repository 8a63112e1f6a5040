// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CommandLineKit
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
    var points = PointLists()
    points.append(latitudes, longitudes)
    let terrain = SampledTerrain(count: points.count)
    let order = TileOrder(TileRun.runs(of: points, in: 0..<points.count, threads: threads))
    let coverage = try sample(points, in: order, into: terrain, threads: threads, advance: advance)
    return ElevationBatch(
      elevations: Array(terrain.elevations.elements),
      steepness: Array(terrain.steepness.elements), coverage: coverage)
  }

  /// Looks points up, in the order of their tiles; points out of range are not in that order, and
  /// have no elevation. The result does not tell what became of points of the margin. Throws 65 or 66 if the file of a tile is damaged or cannot be read.
  func sample(
    _ points: PointLists, in order: TileOrder, into terrain: SampledTerrain, threads: Int,
    advance: @escaping @Sendable (_ points: Int) -> Void
  ) throws(CairnError) -> TileCoverage {
    if order.pieces.reduce(0, { $0 + $1.count }) < points.count {
      terrain.elevations.elements.update(repeating: .nan)
    }
    let lookup = PieceLookup(
      points: points, elevations: terrain.elevations, steepness: terrain.steepness)
    let tasks = tasks(order, threads: threads)
    let queue = WorkQueue(count: tasks.count)
    let results = Mutex<[Int: Result<PieceOutcome, CairnError>]>([:])
    let unfinished = Mutex(Dictionary(order.pieces.map { ($0.tile, 1) }, uniquingKeysWith: +))
    runWorkers(min(threads, tasks.count)) { _ in
      while let index = queue.next() {
        guard case .serve(let number) = tasks[index] else {
          if case .load(let tile) = tasks[index] { self.load(tile) }
          continue
        }
        let piece = order.pieces[number]
        let result = Result { () throws(CairnError) in
          try self.serve(piece, order.runs[piece.runs], lookup)
        }
        results.withLock { $0[number] = result }
        let isTileDone = unfinished.withLock { pieces in
          pieces[piece.tile, default: 0] -= 1
          return pieces[piece.tile] == 0
        }
        if isTileDone { self.forget(piece.tile) }
        if case .failure = result { queue.cancel() }
        advance(piece.count)
      }
    }
    // Pieces are handed out in order, so the first failure does not depend on the number of threads.
    let sorted = results.withLock { $0.sorted { $0.key < $1.key } }
    var outcomes: [PieceOutcome] = []
    for (_, result) in sorted {
      let outcome = try result.get()
      if !outcome.isMargin { outcomes.append(outcome) }
    }
    return TileCoverage(outcomes, sources)
  }

  /// An item of the threads' queue.
  private enum Task: Sendable {
    /// Read the file of a tile.
    case load(ElevationTileID)
    /// Look up the points of a piece.
    case serve(Int)
  }

  /// The tasks for all pieces. Tiles are read some tasks before they are needed: otherwise all
  /// threads would wait for the one that reads the tile of the next pieces.
  private func tasks(_ order: TileOrder, threads: Int) -> [Task] {
    let tiles = order.tiles
    let ahead = tilesAhead(threads: threads)
    var tasks = tiles.prefix(ahead).map { Task.load($0.tile) }
    for (index, tile) in tiles.enumerated() {
      if ahead > 0, index + ahead < tiles.count { tasks.append(.load(tiles[index + ahead].tile)) }
      tasks += tile.pieces.map { .serve($0) }
    }
    return tasks
  }

  /// The number of tiles read ahead: one for each thread, as far as the cache has space in addition
  /// to the one in use.
  private func tilesAhead(threads: Int) -> Int {
    guard threads > 1 else { return 0 }
    return max(0, min(threads, cache.limitBytes / HGTShape.largestPublishedByteCount - 1))
  }

  /// Reads the tiles that will be needed first.
  func loadFirstTiles(of order: TileOrder, threads: Int) {
    for tile in order.tiles.prefix(tilesAhead(threads: threads)) { load(tile.tile) }
  }

  /// Reads a tile into the cache, from the first source that has it.
  private func load(_ tile: ElevationTileID) {
    for source in sources.indices {
      guard let file = sources[source].file(of: tile) else { continue }
      // Several large tiles would not fit. A thread that needs one gets the error from the cache.
      if !file.isLarge { _ = try? read(file, of: source) }
      return
    }
  }

  /// Drops a tile whose points are done. Only points on its borders may need it again.
  private func forget(_ tile: ElevationTileID) {
    for source in sources.indices { cache.forget(TileCache.Key(tile: tile, source: source)) }
  }

  /// Looks up the points of a piece in the sources, in order.
  private func serve(
    _ piece: TileOrder.Piece, _ runs: ArraySlice<TileRun>, _ lookup: PieceLookup
  ) throws(CairnError) -> PieceOutcome {
    var outcome = PieceOutcome(piece)
    var pending = PendingPoints(runs: runs, count: piece.count)
    for source in sources.indices {
      for tile in piece.tile.servingTiles where pending.count > 0 {
        guard let file = sources[source].file(of: tile) else { continue }
        if tile != piece.tile, !lookup.anyLies(in: TileFrame(tile), of: &pending) { continue }
        let posts = try read(file, of: source)
        let before = pending.count
        lookup.serve(&pending, from: posts, of: tile)
        outcome.uses.append(
          .init(
            key: TileCache.Key(tile: tile, source: source), points: before - pending.count,
            notes: posts.notes))
      }
    }
    lookup.markUnknown(&pending)
    outcome.unknown = pending.points
    return outcome
  }
}
