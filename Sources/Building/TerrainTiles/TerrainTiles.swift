// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Elevation
import Geodesy
import PNG
import SystemIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A raster tile of the Web Mercator grid, counted from the north-west.
package struct TerrainTile: Equatable, Sendable {
  package let zoom: Int
  package let column: Int
  package let row: Int
  /// A PNG file of 256 pixels a side.
  package let file: [UInt8]
}

/// Draws the terrain of a box as raster tiles, from the elevations that are known of it.
///
/// Each tile is drawn from its own ground and a point beyond each border, so that no seam is seen
/// between two tiles. What is drawn depends on nothing but the elevations: neither on the number of
/// threads nor on the box, which only says which tiles are drawn.
package struct TerrainTiles: Sendable {
  /// Tiles that are drawn before they are handed over; it bounds the memory.
  private static let batch = 32
  /// The latitude at which Web Mercator's square ends.
  private static let maximumLatitude = 85.051_128

  private let terrain: ElevationDataManager
  private let box: BoundingBox
  private let picture: TerrainPicture
  private let zooms: ClosedRange<Int>

  /// - Parameter zooms: Zooms within ``TerrainKind/zooms``; what lies outside is left out.
  package init(
    _ kind: TerrainKind, of terrain: ElevationDataManager, in box: BoundingBox,
    zooms: ClosedRange<Int>? = nil
  ) {
    self.terrain = terrain
    self.box = box
    picture = TerrainPicture(kind: kind)
    self.zooms = (zooms ?? kind.defaultZooms).clamped(to: TerrainKind.zooms)
  }

  /// Draws all tiles that touch the box and of which anything is known, and hands them over one after
  /// the other: by zoom, then by row and column.
  ///
  /// Throws what the elevation tiles throw, and what `take` throws.
  package func draw(threads: Int, _ take: (TerrainTile) throws -> Void) throws {
    for zoom in zooms {
      let (rows, columns) = (rows(zoom), columns(zoom))
      let count = rows.count * columns.count
      for start in stride(from: 0, to: count, by: Self.batch) {
        let places = (start..<min(start + Self.batch, count)).map { index in
          (
            zoom: zoom, column: columns[index % columns.count],
            row: rows.lowerBound + index / columns.count
          )
        }
        let drawn = Collector<TerrainTile?>(count: places.count)
        let queue = WorkQueue(count: places.count)
        try withWorkers(min(threads, places.count)) { _ in
          while let index = queue.next() {
            let place = places[index]
            drawn.set(index, try tile(zoom: place.zoom, column: place.column, row: place.row))
          }
        }
        for case let tile? in drawn.values() { try take(tile) }
      }
    }
  }

  /// One tile; nil if nothing of it is known.
  package func tile(zoom: Int, column: Int, row: Int) throws(CairnError) -> TerrainTile? {
    guard TerrainKind.zooms.contains(zoom), (0..<(1 << zoom)).contains(column),
      (0..<(1 << zoom)).contains(row),
      let grid = try TerrainGrid(terrain, zoom: zoom, column: column, row: row),
      let image = picture.image(grid)
    else { return nil }
    guard let file = image.file else {
      throw CairnError("memory", .temporaryFailure, "not enough memory to compress a tile")
    }
    return TerrainTile(zoom: zoom, column: column, row: row, file: file)
  }

  private func rows(_ zoom: Int) -> Range<Int> {
    func row(_ latitude: Double) -> Int {
      let limit = Self.maximumLatitude
      let angle = min(max(latitude, -limit), limit) * .pi / 180
      return Self.index((1 - asinh(tan(angle)) / .pi) / 2, zoom)
    }
    return row(box.north)..<(row(box.south) + 1)
  }

  private func columns(_ zoom: Int) -> [Int] {
    let (west, east) = (
      Self.index((box.west + 180) / 360, zoom), Self.index((box.east + 180) / 360, zoom)
    )
    guard box.crossesAntimeridian else { return Array(west...max(west, east)) }
    let eastern = Array(0...east)
    return eastern + (max(west, east + 1)..<max(1 << zoom, east + 1))
  }

  private static func index(_ share: Double, _ zoom: Int) -> Int {
    let tiles = Double(1 << zoom)
    let position = (share * tiles).rounded(.down)
    return position > 0 ? Int(min(position, tiles - 1)) : 0
  }
}
