// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The rivers, ridges and lifts of an input, and the ways along which house numbers are interpolated,
/// with their lines.
struct LineTable: Sendable {
  /// A way, or a relation with its ways that lack its name.
  struct Line: Sendable {
    var type: OSMObjectType
    var id: Int64
    /// In the order of the file.
    var tags: ArraySlice<PooledTag>
    /// The known pieces of its lines, of two points or more.
    var lines: [[NodeCoordinate]]
    /// The value of `aerialway` of a lift.
    var lift: UInt32?
  }

  /// The lines, sorted by type and id.
  private(set) var lines: [Line] = []
  /// The extent of each line, after ``findExtents()``.
  private(set) var extents: [WayExtent] = []

  /// `versions` are the last versions of the relations, `areas` those of the ways.
  init(
    _ found: FoundObjects, versions: [Int], _ areas: LastWays, _ coordinates: AreaCoordinates,
    _ words: PointWords
  ) {
    for way in areas.order {
      let tags = found.areas.tags(of: way)
      let lift = words.lift(tags)
      guard
        lift != nil || words.interpolates(tags)
          || words.isNamed(tags) && words.makeLine(tags, coordinates.isRing(way, found.areas))
      else { continue }
      let pieces = coordinates.lines(of: way, found.areas)
      if pieces.isEmpty { continue }
      lines.append(
        Line(type: .way, id: found.areas.ids[way], tags: tags, lines: pieces, lift: lift))
    }
    for relation in versions where found.relations.uses[relation] == .line {
      let tags = found.relations.tags(of: relation)
      guard let name = words.name(tags) else { continue }
      let parts = Set(found.relations.ways(of: relation)).sorted().flatMap { id in
        guard let way = areas.index(of: id), words.name(found.areas.tags(of: way)) != name else {
          return [[NodeCoordinate]]()
        }
        return coordinates.lines(of: way, found.areas)
      }
      if parts.isEmpty { continue }
      lines.append(
        Line(
          type: .relation, id: found.relations.ids[relation],
          tags: words.asWaterway(tags), lines: parts))
    }
  }

  /// Computes the extents.
  mutating func findExtents() { extents = lines.map { WayExtent($0.lines.joined()) } }
}

/// Finds the lift that a station belongs to by the ends of its line.
struct LiftStations {
  /// A station this far from the end of a lift's line is one of it, in metres.
  private static let stationMetres = 80.0

  private let grid = DistanceGrid(metres: stationMetres)
  private var ends: [Int64: [(point: Coordinate, line: Int)]] = [:]
  private let lines: [LineTable.Line]

  init(_ lines: [LineTable.Line]) {
    self.lines = lines.filter { $0.lift != nil }
    for (index, line) in self.lines.enumerated() {
      for piece in line.lines {
        for end in [piece[0], piece[piece.count - 1]] {
          let point = Self.degrees(end)
          ends[grid.square(of: point), default: []].append((point, index))
        }
      }
    }
  }

  private static func degrees(_ point: NodeCoordinate) -> Coordinate {
    FixedCoordinate(latitude: point.latitude, longitude: point.longitude).degrees
  }

  /// The nearest lift with a station at a point; nil if there is none.
  func lift(at coordinate: NodeCoordinate) -> LineTable.Line? {
    if ends.isEmpty { return nil }
    var best: (metres: Double, line: Int)?
    let point = Self.degrees(coordinate)
    grid.forEachNeighbour(of: point) { squares in
      for square in squares {
        for end in ends[square] ?? [] {
          let metres = haversineDistance(point, end.point)
          if metres <= Self.stationMetres,
            (metres, end.line) < (best?.metres ?? .infinity, best?.line ?? 0)
          {
            best = (metres, end.line)
          }
        }
      }
    }
    return best.map { lines[$0.line] }
  }
}
