// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import SystemIO
import Tiles
import TrailData

/// A point in the grid of a zoom: 4096 units a tile from the north-western corner of the world.
struct GridPoint: Hashable, Sendable, BitwiseCopyable {
  var x: Int32
  var y: Int32
}

/// The nodes of a file in the finest grid: 2³¹ units are the side of the world. Rows are counted from the
/// equator, so that there is room for half a world beyond the borders in the north and in the south.
struct NodePositions: Sendable {
  private static let bits = 31
  private static let equator = Int64(1) << (bits - 1)
  private static let blockNodes = 1 << 14

  private let points: [GridPoint]

  init(_ trails: TrailsFile, threads: Int) {
    let (latitudes, longitudes) = (trails.latitudes, trails.longitudes)
    let blocks = mapBlocks(of: latitudes.count, size: Self.blockNodes, threads: threads) { block in
      block.map {
        Self.point(FixedCoordinate(latitude: latitudes[$0], longitude: longitudes[$0]))
      }
    }
    points = Array(blocks.joined())
  }

  static func point(_ coordinate: FixedCoordinate) -> GridPoint {
    let side = Double(1 << bits)
    let degrees = coordinate.degrees
    // The eastern border is within the last unit; so are the poles, which have no position.
    let y = (WebMercator.row(latitude: degrees.latitude) * side).rounded(.down) - Double(equator)
    return GridPoint(
      x: Int32(min(WebMercator.position(degrees).x * side, side - 1)),
      y: Int32(min(max(y, -side), side - 1)))
  }

  /// A node in the grid of a zoom, at most 18.
  @inline(__always)
  func point(_ node: UInt32, zoom: Int) -> GridPoint { Self.scale(points[Int(node)], zoom: zoom) }

  /// A point of the finest grid in the grid of a zoom.
  @inline(__always)
  static func scale(_ point: GridPoint, zoom: Int) -> GridPoint {
    let shift = Int32(bits - 12 - zoom)
    let half = Int64(1) << (shift - 1)
    return GridPoint(
      x: Int32(truncatingIfNeeded: (Int64(point.x) + half) >> Int64(shift)),
      y: Int32(truncatingIfNeeded: (Int64(point.y) + equator + half) >> Int64(shift)))
  }
}
