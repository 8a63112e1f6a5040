// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// Two neighbouring points of a line, in either order.
struct SegmentKey: Hashable {
  private let one: MapPoint
  private let other: MapPoint

  init(_ start: MapPoint, _ end: MapPoint) {
    let isOrdered =
      start.latitude < end.latitude
      || start.latitude == end.latitude && start.longitude <= end.longitude
    (one, other) = isOrdered ? (start, end) : (end, start)
  }
}

/// The segments of a network by their ends.
struct SegmentsByEnds {
  private var first: [SegmentKey: Int32] = [:]
  /// For each segment, another one with the same ends, or −1.
  private var next: [Int32]
  /// The index of each segment's line.
  private(set) var lines: [Int32]

  init(_ network: ComparedNetwork) {
    next = Array(repeating: -1, count: network.points.count)
    lines = Array(repeating: 0, count: network.points.count)
    first.reserveCapacity(network.points.count)
    for (number, line) in network.lines.enumerated() {
      for segment in line.points.dropLast() {
        lines[segment] = Int32(truncatingIfNeeded: number)
        let key = SegmentKey(network.points[segment], network.points[segment + 1])
        next[segment] = first.updateValue(Int32(truncatingIfNeeded: segment), forKey: key) ?? -1
      }
    }
  }

  /// All segments with the ends of a key.
  func segments(_ key: SegmentKey) -> [Int] {
    var found: [Int] = []
    var segment = first[key] ?? -1
    while segment >= 0 {
      found.append(Int(segment))
      segment = next[Int(segment)]
    }
    return found
  }
}

/// The segments of a network that the other one lacks, by location.
struct NearbySegments {
  private let network: ComparedNetwork
  private let table: TraitTable
  private let grid: DistanceGrid
  private let tolerance: Double
  private var squares: [Int64: [Int]] = [:]

  init(
    _ network: ComparedNetwork, _ table: TraitTable, _ segments: [Int], toleranceMetres: Double
  ) {
    (self.network, self.table) = (network, table)
    tolerance = toleranceMetres
    // The nearest point of a segment is at most half a piece from the middle of a piece of it.
    grid = DistanceGrid(metres: toleranceMetres * 1.5)
    for segment in segments {
      for piece in SegmentPieces(network, segment, pieceMetres: toleranceMetres) {
        let square = grid.square(of: piece.middle)
        if squares[square]?.last != segment { squares[square, default: []].append(segment) }
      }
    }
  }

  /// The segment along which a piece of a line of the other network lies: within the tolerance and
  /// in about the same direction, preferably of the same way, otherwise the nearest. A footway next
  /// to a road does not match the road.
  func counterpart(
    of piece: SegmentPieces.Piece, _ line: ComparedNetwork.Line, _ lines: [Int32]
  ) -> Int? {
    let isTrail = table[line.traits].isTrail
    let projection = LineProjection(piece.middle)
    var best: (segment: Int, isOther: Int, metres: Double)?
    grid.forEachNeighbour(of: piece.middle) { range in
      for square in range {
        for segment in squares[square] ?? [] {
          let ends = [
            network.points[segment].coordinate, network.points[segment + 1].coordinate,
          ]
          guard let position = projection.nearest(on: ends),
            position.distanceMetres <= tolerance, piece.isAlong(ends[0], ends[1])
          else { continue }
          let other = network.lines[Int(lines[segment])]
          let isSame = line.way != nil && other.way == line.way
          guard isSame || table[other.traits].isTrail == isTrail else { continue }
          let candidate = (segment, isSame ? 0 : 1, position.distanceMetres)
          if let known = best,
            (known.isOther, known.metres, known.segment)
              <= (candidate.1, candidate.2, candidate.0)
          {
            continue
          }
          best = candidate
        }
      }
    }
    return best?.segment
  }
}
