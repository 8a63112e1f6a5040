// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

extension OpenPlaces {
  /// The point of a line nearest to another point.
  struct NearestPoint {
    var coordinate: Coordinate
    var metres: Double
  }

  /// The distance by which a piece of a line may reach beyond its cell, in metres.
  static let overhangMetres = 350.0

  /// The lines within some metres of a point: the ids of their places and the nearest points.
  func lines(within metres: Double, of point: Coordinate) throws(CairnError) -> [Int64:
    NearestPoint]
  {
    var found: [Int64: NearestPoint] = [:]
    for box in BoundingBox.around(point, radiusMetres: metres + Self.overhangMetres) {
      for range in GridCell.ranges(in: box) {
        try readLines(range) { _, places, points in
          guard let nearest = Self.nearest(to: point, on: points), nearest.metres <= metres else {
            return
          }
          for place in places where found[place].map({ nearest.metres < $0.metres }) ?? true {
            found[place] = nearest
          }
        }
      }
    }
    return found
  }

  /// The point of a place's line nearest to another point; nil if the place has no line.
  func nearestPoint(ofPlace id: Int64, to point: Coordinate) throws(CairnError) -> NearestPoint? {
    let cells = try cells(ofPlace: id)
      .map { (metres: GridCell.distance(from: point, to: $0), cell: $0) }
      .sorted { ($0.metres, $0.cell) < ($1.metres, $1.cell) }
    var best: NearestPoint?
    for (metres, cell) in cells {
      if let best, metres - Self.overhangMetres > best.metres { break }
      try readLines(cell...cell, ofPlace: id) { _, _, points in
        guard let nearest = Self.nearest(to: point, on: points) else { return }
        if best.map({ nearest.metres < $0.metres }) ?? true { best = nearest }
      }
    }
    return best
  }

  /// The distance from a point to the nearest cell with a line of a place, in metres; nil if the
  /// place has no line.
  func cellDistance(ofPlace id: Int64, to point: Coordinate) throws(CairnError) -> Double? {
    try cells(ofPlace: id).map { GridCell.distance(from: point, to: $0) }.min()
  }

  private func cells(ofPlace id: Int64) throws(CairnError) -> [Int] {
    let query = try statement("SELECT cells FROM places WHERE id = ?")
    try query.bind(1, id)
    guard try query.step() else { return [] }
    let cells = try query.withBlob(0) { bytes throws(CairnError) in
      AscendingNumbers.unpacked(bytes)
    }
    guard let cells else { throw damage("the cells of place \(id) are damaged") }
    return cells
  }

  /// - Parameter id: The place whose lines are read; nil for all.
  private func readLines(
    _ cells: ClosedRange<Int>, ofPlace id: Int64? = nil,
    _ body: (_ cell: Int, _ places: [Int64], _ points: [Coordinate]) -> Void
  ) throws(CairnError) {
    let query = try statement(
      "SELECT cell, places, points FROM place_lines WHERE cell BETWEEN ? AND ?")
    try query.bind(1, Int64(cells.lowerBound))
    try query.bind(2, Int64(cells.upperBound))
    while try query.step() {
      let cell = Int(truncatingIfNeeded: query.integer(0))
      if let id, let id = Int(exactly: id) {
        // Most lines of a cell are of other places: they need not be unpacked.
        let isOfPlace = try query.withBlob(1) { bytes throws(CairnError) in
          AscendingNumbers.contains(id, in: bytes)
        }
        guard isOfPlace ?? true else { continue }
      }
      let places = try query.withBlob(1) { bytes throws(CairnError) in
        AscendingNumbers.unpacked(bytes)
      }
      let points = try query.withBlob(2) { bytes throws(CairnError) in
        PackedLine.unpacked(bytes, cell: cell)
      }
      guard let places, let points else { throw damage("a line in cell \(cell) is damaged") }
      body(cell, places.map { Int64($0) }, points)
    }
  }

  /// Measured on the plane that touches the Earth at the point, so accurate near it.
  static func nearest(to point: Coordinate, on line: [Coordinate]) -> NearestPoint? {
    let shrinking = longitudeShrinking(atLatitude: point.latitude)
    func offset(_ other: Coordinate) -> (x: Double, y: Double) {
      var degrees = other.longitude - point.longitude
      if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
      return (degrees * shrinking, other.latitude - point.latitude)
    }
    guard var last = line.first else { return nil }
    var one = offset(last)
    var best = (square: one.x * one.x + one.y * one.y, point: last)
    for next in line.dropFirst() {
      let other = offset(next)
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let length = dx * dx + dy * dy
      let share = length > 0 ? min(max(-(one.x * dx + one.y * dy) / length, 0), 1) : 0
      let (x, y) = (one.x + share * dx, one.y + share * dy)
      if x * x + y * y < best.square {
        var longitude = next.longitude - last.longitude
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let found = Coordinate(
          latitude: last.latitude + share * (next.latitude - last.latitude),
          longitude: last.longitude + share * longitude)
        best = (x * x + y * y, found)
      }
      (last, one) = (next, other)
    }
    return NearestPoint(coordinate: best.point, metres: haversineDistance(point, best.point))
  }
}
