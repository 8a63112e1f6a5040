// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Polygons with holes, indexed by horizontal bands so that a point is tested against few edges.
///
/// All tests are exact, in integers of 10⁻⁷ degrees.
struct AreaIndex: Sendable {
  private struct Edge {
    var segment: FixedSegment
    var area: Int32
  }

  /// The largest number of bands.
  private static let maximumBands = 4096
  /// In how many bands an edge may be, on average, to limit memory.
  private static let copiesPerEdge = 8

  private(set) var west = Int64.max
  private(set) var south = Int64.max
  private(set) var east = Int64.min
  private(set) var north = Int64.min
  private var bandHeight: Int64 = 1
  private var edges: [Edge] = []
  /// The start of each band's edges in `bandEdges`, and finally the end.
  private var bandStarts: [Int] = [0, 0]
  /// Edges by band, within a band by area.
  private var bandEdges: [Int32] = []

  init(_ areas: [MultiPolygon]) {
    for (index, area) in areas.enumerated() {
      for ring in area.rings { add(ring, area: Int32(truncatingIfNeeded: index)) }
    }
    guard !edges.isEmpty else { return }
    var bands = Self.maximumBands
    repeat {
      bandHeight = max(1, (north - south) / Int64(bands) + 1)
      let copies = edges.reduce(0) { $0 + self.bands(of: $1.segment).count }
      if copies <= edges.count * Self.copiesPerEdge { break }
      bands /= 2
    } while bands > 1
    fillBands()
  }

  private mutating func add(_ ring: [Coordinate], area: Int32) {
    guard var previous = ring.last else { return }
    for corner in ring {
      let (left, right) =
        previous.longitude <= corner.longitude ? (previous, corner) : (corner, previous)
      let segment = FixedSegment(
        west: fixedUnits(left.longitude), westLatitude: fixedUnits(left.latitude),
        east: fixedUnits(right.longitude), eastLatitude: fixedUnits(right.latitude))
      edges.append(Edge(segment: segment, area: area))
      west = min(west, segment.west)
      east = max(east, segment.east)
      south = min(south, segment.south)
      north = max(north, segment.north)
      previous = corner
    }
  }

  private func band(of latitude: Int64) -> Int { Int((latitude - south) / bandHeight) }

  private func bands(of segment: FixedSegment) -> ClosedRange<Int> {
    band(of: max(south, segment.south))...band(of: min(north, segment.north))
  }

  private mutating func fillBands() {
    var counts = [Int](repeating: 0, count: band(of: north) + 2)
    for edge in edges { for band in bands(of: edge.segment) { counts[band + 1] += 1 } }
    for band in 1..<counts.count { counts[band] += counts[band - 1] }
    bandStarts = counts
    bandEdges = [Int32](repeating: 0, count: counts[counts.count - 1])
    for (index, edge) in edges.enumerated() {
      for band in bands(of: edge.segment) {
        bandEdges[counts[band]] = Int32(truncatingIfNeeded: index)
        counts[band] += 1
      }
    }
  }

  /// Whether a coordinate is in any of the areas, by the even-odd rule over the rings of each.
  func contains(_ coordinate: NodeCoordinate) -> Bool {
    let latitude = Int64(coordinate.latitude)
    let longitude = Int64(coordinate.longitude)
    guard latitude >= south, latitude <= north, longitude >= west, longitude <= east else {
      return false
    }
    let band = band(of: latitude)
    var isInside = false
    var area: Int32 = -1
    for index in bandEdges[bandStarts[band]..<bandStarts[band + 1]] {
      let edge = edges[Int(index)]
      if edge.area != area {
        if isInside { return true }
        area = edge.area
      }
      let segment = edge.segment
      if (segment.westLatitude > latitude) != (segment.eastLatitude > latitude),
        isEastOf(segment, longitude, latitude)
      {
        isInside.toggle()
      }
    }
    return isInside
  }

  /// Whether a segment crosses a parallel east of a longitude.
  private func isEastOf(_ segment: FixedSegment, _ longitude: Int64, _ latitude: Int64) -> Bool {
    let side = segment.side(longitude: longitude, latitude: latitude)
    return segment.westLatitude < segment.eastLatitude ? side > 0 : side < 0
  }

  /// Whether a segment intersects the border of an area.
  func isCrossed(by segment: FixedSegment) -> Bool {
    guard segment.west <= east, segment.east >= west, segment.south <= north,
      segment.north >= south
    else { return false }
    let bands = bands(of: segment)
    for index in bandEdges[bandStarts[bands.lowerBound]..<bandStarts[bands.upperBound + 1]]
    where edges[Int(index)].segment.meets(segment) {
      return true
    }
    return false
  }
}
