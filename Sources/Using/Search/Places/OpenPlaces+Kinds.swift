// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit

extension OpenPlaces {
  /// A place of a kind that was looked for.
  enum KindMember {
    case place(Place)
    case nameless(PackedPoint, PlaceKind)
  }

  /// The first radius of a search for the nearest places, doubled while there are too few.
  private static let firstMetres = 500.0
  /// The most places of a kind that are looked at.
  private static let memberLimit = 5000

  /// The nearest places of a kind to a point, nearest first, as results.
  func nearest(_ wanted: WantedKind, to point: Coordinate, within metres: Double, limit: Int)
    throws(CairnError) -> [SearchResult]
  {
    guard hasKinds else { return [] }
    var radius = min(Self.firstMetres, metres)
    while true {
      var cells: [ClosedRange<Int>] = []
      for box in BoundingBox.around(point, radiusMetres: radius) {
        cells += GridCell.ranges(in: box)
      }
      var found: [SearchResult] = []
      for member in try members(of: wanted, in: cells) {
        let result = try result(member, near: point)
        if result.distance ?? .infinity <= radius { found.append(result) }
      }
      if found.count >= limit || radius >= metres {
        found.sort { ($0.distance ?? 0, $0.id) < ($1.distance ?? 0, $1.id) }
        return Array(found.prefix(limit))
      }
      radius = min(2 * radius, metres)
    }
  }

  /// The most important places of a kind.
  func mostImportant(_ wanted: WantedKind, limit: Int) throws(CairnError) -> [SearchResult] {
    guard hasKinds else { return [] }
    var found: [SearchResult] = []
    var nameless: [SearchResult] = []
    for member in try members(of: wanted, in: [0...GridCell.last]) {
      let result = try result(member, near: nil)
      if case .place = member { found.append(result) } else { nameless.append(result) }
      // Named places come in the order of their ids, with descending importance.
      if found.count >= limit { break }
    }
    return Array((found + nameless).prefix(limit))
  }

  /// The places of a kind near a line, in the order along it.
  func along(_ line: [Coordinate], _ wanted: WantedKind, within metres: Double, limit: Int)
    throws(CairnError) -> [SearchResult]
  {
    guard hasKinds, let first = line.first else { return [] }
    var cells: Set<Int> = []
    var last = first
    for point in line {
      let middle = Coordinate(
        latitude: (last.latitude + point.latitude) / 2,
        longitude: (last.longitude + point.longitude) / 2)
      let radius = metres + haversineDistance(last, point) / 2
      // A segment around half of the Earth has no middle.
      guard radius < 200_000 else { continue }
      for box in BoundingBox.around(middle, radiusMetres: radius) {
        for range in GridCell.ranges(in: box) { cells.formUnion(range) }
      }
      last = point
    }
    var found: [SearchResult] = []
    for member in try members(of: wanted, in: cells.sorted().map { $0...$0 }) {
      var result = try result(member, near: nil)
      let nearest = Self.passing(result.coordinate, on: line)
      guard let nearest, nearest.metres <= metres else { continue }
      result.position = nearest.position
      result.detour = 2 * nearest.metres
      found.append(result)
    }
    found.sort { ($0.position ?? 0, $0.id) < ($1.position ?? 0, $1.id) }
    return Array(found.prefix(limit))
  }

  /// The point of a line nearest to another point: the distance, and metres along the line.
  private static func passing(_ point: Coordinate, on line: [Coordinate])
    -> (metres: Double, position: Double)?
  {
    var best: (metres: Double, position: Double)?
    var position = 0.0
    var last: Coordinate?
    for next in line {
      let segment = [last ?? next, next]
      if let nearest = nearest(to: point, on: segment), nearest.metres < best?.metres ?? .infinity {
        best = (nearest.metres, position + haversineDistance(segment[0], nearest.coordinate))
      }
      position += haversineDistance(segment[0], next)
      last = next
    }
    return best
  }

  /// The places of a kind in some cells: named ones by importance, then the others.
  private func members(of wanted: WantedKind, in cells: [ClosedRange<Int>]) throws(CairnError)
    -> [KindMember]
  {
    var ids: Set<Int> = []
    var nameless: [KindMember] = []
    for range in cells where ids.count + nameless.count < Self.memberLimit {
      let query = try statement(
        "SELECT cell, places, points FROM place_kinds WHERE kind = ? AND cell BETWEEN ? AND ?")
      try query.bind(1, wanted.kind.rawValue)
      try query.bind(2, Int64(range.lowerBound))
      try query.bind(3, Int64(range.upperBound))
      while try query.step() {
        let cell = Int(truncatingIfNeeded: query.integer(0))
        let places = try query.withBlob(1) { bytes throws(CairnError) in
          AscendingNumbers.unpacked(bytes)
        }
        let points = try query.withBlob(2) { bytes throws(CairnError) in
          PackedPoint.unpacked(bytes, cell: cell)
        }
        guard let places, let points else { throw damage("the places in cell \(cell) are damaged") }
        ids.formUnion(places)
        for point in points {
          let detail = PlaceFlags.parts(ofBits: point.flags).detail
          if wanted.accepts(wanted.kind, detail) {
            nameless.append(.nameless(point, wanted.kind))
          }
        }
      }
    }
    var members: [KindMember] = []
    for id in ids.sorted().prefix(Self.memberLimit) {
      guard let place = try place(Int64(id)), wanted.accepts(place.kind, place.detail) else {
        continue
      }
      members.append(.place(place))
    }
    return members + nameless.prefix(Self.memberLimit)
  }

  private func result(_ member: KindMember, near: Coordinate?) throws(CairnError) -> SearchResult {
    switch member {
    case .place(let place):
      return try SearchResult(place, match: .kind, matchedName: nil, in: self, near: near)
    case .nameless(let point, let kind):
      var result = SearchResult(point, kind, near: nil)
      if let near { result.setDistance(from: near) }
      return result
    }
  }

  /// The house numbers of a street; empty for other places.
  func houseNumbers(ofPlace id: Int64, at coordinate: Coordinate) throws(CairnError)
    -> [HouseNumber]
  {
    guard hasKinds else { return [] }
    let query = try statement("SELECT numbers FROM place_addresses WHERE place = ?")
    try query.bind(1, id)
    guard try query.step() else { return [] }
    let numbers = try query.withBlob(0) { bytes throws(CairnError) in
      HouseNumber.unpacked(bytes, from: coordinate)
    }
    guard let numbers else { throw damage("the house numbers of place \(id) are damaged") }
    return numbers
  }
}
