// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Interpolates elevations between the posts of a tile; ``ElevationDataManager`` has the formulas.
///
/// Positions are integers in 10⁻⁷ degrees, but the post spacing is not a multiple of that: a position
/// within half a unit of a row or column of posts counts as exactly on it.
struct TileSampler {
  private let posts: UnsafeBufferPointer<Int16>
  private let columns: Int
  private let rowIntervals: Int
  private let columnIntervals: Int
  /// The posts in a metre northward and eastward, in the middle of the tile.
  private let rowsPerMetre: Float
  private let columnsPerMetre: Float

  fileprivate init(
    _ posts: UnsafeBufferPointer<Int16>, _ shape: HGTShape, of id: ElevationTileID
  ) {
    self.posts = posts
    columns = shape.columns
    rowIntervals = shape.rows - 1
    columnIntervals = shape.columns - 1
    let metresPerDegree = Float(earthRadiusMetres * .pi / 180)
    let shrinking = Float(longitudeShrinking(atLatitude: Double(id.latitude) + 0.5))
    rowsPerMetre = Float(rowIntervals) / metresPerDegree
    columnsPerMetre = Float(columnIntervals) / (metresPerDegree * shrinking)
  }

  /// Metres above sea level at an offset from the southern and western borders in 10⁻⁷ degrees,
  /// 0…10⁷, NaN if unknown; and the steepness of the terrain there, in percent: at most 255, 0 next
  /// to voids.
  @inline(__always)
  func sample(north: Int, east: Int) -> (metres: Float, percent: UInt8) {
    let row = GridPosition(north, intervals: rowIntervals)
    let column = GridPosition(east, intervals: columnIntervals)
    let southWest = (rowIntervals &- row.index) &* columns &+ column.index
    let northWest = southWest &- columns
    let cell = Cell(
      southWest: posts[southWest], southEast: posts[southWest &+ 1],
      northWest: posts[northWest], northEast: posts[northWest &+ 1])
    guard !cell.hasVoid else {
      return (cell.metresAmongVoids(row: row.share, column: column.share), 0)
    }
    let rise = cell.rise(row: row.share, column: column.share)
    let (northward, eastward) = (rise.north * rowsPerMetre, rise.east * columnsPerMetre)
    let percent = 100 * (northward * northward + eastward * eastward).squareRoot()
    // Rounded half up; a Double holds the sum exactly.
    let rounded = UInt8(truncatingIfNeeded: Int32(Double(min(percent, 255)) + 0.5))
    return (cell.bilinear(row: row.share, column: column.share), rounded)
  }
}

/// The position of a coordinate between posts, along one axis.
private struct GridPosition {
  /// The index of the post before it (never the last one).
  let index: Int
  /// The share of the way to the next post, in units of 1 / `ElevationTileID.sideUnits`.
  let share: Int

  @inline(__always)
  init(_ units: Int, intervals: Int) {
    let side = ElevationTileID.sideUnits
    let halfUnit = intervals / 2
    let position = units &* intervals &+ halfUnit
    let nearest = Int(truncatingIfNeeded: UInt64(truncatingIfNeeded: position) / UInt64(side))
    let rest = position &- nearest &* side &- halfUnit
    // The last post is the end of the last interval.
    index = min(nearest, intervals &- 1)
    share = nearest == intervals ? side : (rest <= halfUnit ? 0 : rest)
  }
}

/// Four neighbouring posts.
private struct Cell {
  let southWest: Int16
  let southEast: Int16
  let northWest: Int16
  let northEast: Int16

  @inline(__always)
  var hasVoid: Bool {
    // Void is the lowest Int16.
    min(min(southWest, southEast), min(northWest, northEast)) == HGTTile.void
  }

  /// Integers keep it exact: at most 10⁷ · 10⁷ · 9000, which is below 2⁶³.
  @inline(__always)
  func bilinear(row: Int, column: Int) -> Float {
    let side = ElevationTileID.sideUnits
    let south = (side &- column) &* Int(southWest) &+ column &* Int(southEast)
    let north = (side &- column) &* Int(northWest) &+ column &* Int(northEast)
    let sum = (side &- row) &* south &+ row &* north
    return Float(Double(sum) / Double(side * side))
  }

  /// The rise of the bilinear surface in metres per spacing, northward and eastward.
  @inline(__always)
  func rise(row: Int, column: Int) -> (north: Float, east: Float) {
    let row = Float(row) / Float(ElevationTileID.sideUnits)
    let column = Float(column) / Float(ElevationTileID.sideUnits)
    let west = Float(Int(northWest) &- Int(southWest))
    let east = Float(Int(northEast) &- Int(southEast))
    let south = Float(Int(southEast) &- Int(southWest))
    let north = Float(Int(northEast) &- Int(northWest))
    return (west + column * (east - west), south + row * (north - south))
  }

  @inline(never)
  func metresAmongVoids(row: Int, column: Int) -> Float {
    let side = ElevationTileID.sideUnits
    let corners = [
      (southWest, row, column), (southEast, row, side - column), (northWest, side - row, column),
      (northEast, side - row, side - column),
    ]
    // A post that is a whole spacing away along either axis has no weight.
    let voidCounts = corners.contains { $0.0 == HGTTile.void && $0.1 < side && $0.2 < side }
    guard voidCounts else { return withoutVoids.bilinear(row: row, column: column) }
    var sum = 0.0
    var weights = 0.0
    for (metres, rowDistance, columnDistance) in corners where metres != HGTTile.void {
      let distance =
        Double(rowDistance * rowDistance + columnDistance * columnDistance).squareRoot()
      sum += Double(metres) / distance
      weights += 1 / distance
    }
    return weights > 0 ? Float(sum / weights) : .nan
  }

  private var withoutVoids: Cell {
    func known(_ metres: Int16) -> Int16 { metres == HGTTile.void ? 0 : metres }
    return Cell(
      southWest: known(southWest), southEast: known(southEast), northWest: known(northWest),
      northEast: known(northEast))
  }
}

extension HGTTile {
  /// Calls `body` with the elevations of this tile as one with this id; they must not escape.
  func withSampler<Value>(of id: ElevationTileID, _ body: (TileSampler) -> Value) -> Value {
    posts.withUnsafeBufferPointer { body(TileSampler($0, shape, of: id)) }
  }
}
