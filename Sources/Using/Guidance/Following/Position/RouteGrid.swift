// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

/// The segments of a line that pass through each cell of a grid, as one sorted list. Only cells
/// that the line passes through take memory, whatever its extent.
struct RouteGrid: Sendable {
  /// Cells are at least this wide and high, on the ground in the middle of the line.
  static let leastCellMetres = 50.0
  /// The most segments that a search examines, which bounds its time for a line scribbled over one
  /// point.
  static let mostCandidates = 2048
  /// The number of pieces that a line is cut into at most, roughly.
  private static let mostPieces = 400_000.0
  private static let metresPerDegree = earthRadiusMetres * .pi / 180

  /// Row, column and segment, 19, 20 and 25 bits, in ascending order.
  private var entries: [UInt64] = []
  private let cellHeight: Double
  private let cellWidth: Double

  init(_ points: [Coordinate], lengthMetres: Double) {
    let cell = max(Self.leastCellMetres, lengthMetres / Self.mostPieces)
    let latitudes = points.map(\.latitude)
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    cellHeight = cell / Self.metresPerDegree
    cellWidth = cellHeight / max(longitudeShrinking(atLatitude: middle), 0.01)
    entries.reserveCapacity(points.count * 2)
    for segment in 0..<max(points.count - 1, 1) {
      let (one, other) = (points[segment], points[min(segment + 1, points.count - 1)])
      insert(segment, one, other, cell)
    }
    entries.sort()
  }

  private mutating func insert(
    _ segment: Int, _ one: Coordinate, _ other: Coordinate, _ cell: Double
  ) {
    let pieces = max(1, (haversineDistance(one, other) / cell).rounded(.up))
    var last: UInt64?
    var start = one
    for piece in 1...Int(pieces) {
      let end = interpolated(one, other, Double(piece) / pieces)
      let (rows, columns) = (range(row(start), row(end)), range(column(start), column(end)))
      // A piece that crosses the antimeridian, or passes near a pole, is found by its ends.
      let isCompact = columns.count <= 64
      for row in rows {
        for column in isCompact ? Array(columns) : [columns.lowerBound, columns.upperBound] {
          let entry = Self.entry(row, column, segment)
          if entry != last { entries.append(entry) }
          last = entry
        }
      }
      start = end
    }
  }

  private func range(_ one: Int, _ other: Int) -> ClosedRange<Int> {
    min(one, other)...max(one, other)
  }

  // Both are small: a cell is at least 50 m high, and at the equator as wide.
  private func row(_ point: Coordinate) -> Int { Int((point.latitude + 90) / cellHeight) }
  private func column(_ point: Coordinate) -> Int { Int((point.longitude + 180) / cellWidth) }

  private static func entry(_ row: Int, _ column: Int, _ segment: Int) -> UInt64 {
    UInt64(row) << 45 | UInt64(column) << 25 | UInt64(segment)
  }

  /// The segments that may lie within a radius of a point, each once, in ascending order.
  func segments(
    near point: Coordinate, radius: Double, most: Int = RouteGrid.mostCandidates
  ) -> [Int] {
    let degrees = radius / Self.metresPerDegree
    let shrinking = longitudeShrinking(
      atLatitude: min(abs(point.latitude) + degrees, 90))
    let width = shrinking > 0 ? min(degrees / shrinking, 180) : 180
    let south = row(Coordinate(latitude: max(point.latitude - degrees, -90), longitude: 0))
    let north = row(Coordinate(latitude: min(point.latitude + degrees, 90), longitude: 0))
    var found: [Int] = []
    for (west, east) in longitudes(point.longitude - width, point.longitude + width) {
      let left = column(Coordinate(latitude: 0, longitude: west))
      let right = column(Coordinate(latitude: 0, longitude: east))
      for row in south...north {
        let end = Self.entry(row, right, 1 << 25 - 1)
        let start = Self.entry(row, left, 0)
        var index = entries.partitioningIndex { $0 >= start }
        while index < entries.count, entries[index] <= end, found.count < most {
          found.append(Int(entries[index] & (1 << 25 - 1)))
          index += 1
        }
      }
    }
    found.sort()
    var last = -1
    found.removeAll { segment in
      defer { last = segment }
      return segment == last
    }
    return found
  }

  /// Splits a range of longitudes that may reach beyond ±180° into ranges within it.
  private func longitudes(_ west: Double, _ east: Double) -> [(Double, Double)] {
    if east - west >= 360 { return [(-180, 180)] }
    if west < -180 { return [(-180, east), (west + 360, 180)] }
    if east > 180 { return [(west, 180), (-180, east - 360)] }
    return [(west, east)]
  }
}
