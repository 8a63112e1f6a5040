// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase

/// Finds the settlement that distinguishes a place from others of its name. For places of one cell
/// together: of the many settlements around, only a few can be the nearest to one of them.
struct SettlementFinder: Sendable {
  /// The settlements of one reach, by the squares of a grid. A class, as it is passed on for each cell.
  private final class Level: Sendable {
    let reach: PlaceReach
    let metres: Double
    let grid: DistanceGrid
    /// In the order of their squares.
    let entries: [Entry]
    /// The first entry of each row from the southernmost settlement's on, and finally the end.
    let rowStarts: [Int]
    let firstRow: Int

    init(_ reach: PlaceReach, _ metres: Double, _ grid: DistanceGrid, _ entries: [Entry]) {
      (self.reach, self.metres, self.grid, self.entries) = (reach, metres, grid, entries)
      firstRow = entries.first.map(\.row) ?? 0
      var starts: [Int] = []
      for (index, entry) in entries.enumerated() {
        while starts.count <= entry.row - firstRow { starts.append(index) }
      }
      rowStarts = starts + [entries.count]
    }

    /// The entries from the first one in a range of squares of one row on, and the end of the row.
    func rest(ofRow squares: ClosedRange<Int64>) -> Range<Int> {
      let row = DistanceGrid.row(ofSquare: squares.lowerBound) - firstRow
      guard row >= 0, row + 1 < rowStarts.count else { return 0..<0 }
      let entries = entries[rowStarts[row]..<rowStarts[row + 1]]
      return entries.partitioningIndex { $0.square >= squares.lowerBound }..<entries.endIndex
    }
  }

  private struct Entry: Sendable {
    var square: Int64
    var point: LinePoint
    var id: Int

    var row: Int { DistanceGrid.row(ofSquare: square) }
  }

  /// Points of one ``GridCell`` are nearer to each other, in metres.
  private static let cellMetres = 1600.0

  private var levels: [Level] = []

  /// Takes the places in the order of their ids, which count from 1.
  init(_ places: [IndexedPlace]) {
    for reach in PlaceReach.allCases where reach != .line {
      // Farther than this nobody would say “near”.
      let metres = reach.metres * 2
      let settlements = places.indices.filter {
        places[$0].reach == reach && places[$0].kind == .settlement
      }
      if settlements.isEmpty { continue }
      let grid = DistanceGrid(
        metres: metres + Self.cellMetres,
        mostlyAt: settlements.map { places[$0].coordinate.latitude })
      var entries: [Entry] = []
      for index in settlements {
        let point = places[index].coordinate
        entries.append(
          Entry(square: grid.square(of: point), point: LinePoint(point), id: index + 1))
      }
      entries.sort { ($0.square, $0.id) < ($1.square, $1.id) }
      levels.append(Level(reach, metres, grid, entries))
    }
  }

  /// A settlement that may be the nearest one to places of a cell.
  struct Candidate: Sendable {
    fileprivate var point: LinePoint
    fileprivate var id: Int
    /// How far around it is known, in metres.
    fileprivate var metres: Double
    /// Its distance from the point that was searched around, in metres.
    fileprivate var distance: Double
  }

  /// The settlements of which one may be nearest to a point, or to any other in its ``GridCell``, in
  /// relation to their reach. A settlement is near one that is known farther around, such as a hamlet
  /// near a town.
  ///
  /// - Parameter reach: The reach of a place that is a settlement itself; nil for any other.
  func candidates(around coordinate: Coordinate, beyond reach: PlaceReach?) -> [Candidate] {
    let point = LinePoint(coordinate)
    var candidates: [Candidate] = []
    // No point of the cell is farther from its nearest settlement, in relation to that one's reach.
    var share = 1.0
    for level in levels where level.reach.rawValue > reach?.rawValue ?? .min {
      level.grid.forEachNeighbour(of: coordinate) { squares in
        for index in level.rest(ofRow: squares) {
          let entry = level.entries[index]
          if entry.square > squares.upperBound { break }
          if point.isBeyond(share * level.metres + Self.cellMetres, from: entry.point) { continue }
          let distance = point.distance(to: entry.point)
          share = min(share, (distance + Self.cellMetres) / level.metres)
          candidates.append(
            Candidate(point: entry.point, id: entry.id, metres: level.metres, distance: distance))
        }
      }
    }
    return candidates.filter { $0.distance - Self.cellMetres <= share * $0.metres }
  }

  /// The id of the nearest one of some candidates; nil if none is near.
  func nearest(to coordinate: Coordinate, among candidates: [Candidate]) -> Int? {
    let point = LinePoint(coordinate)
    var best: (share: Double, id: Int) = (.infinity, 0)
    for candidate in candidates {
      if point.isBeyond(min(1, best.share) * candidate.metres, from: candidate.point) { continue }
      let share = point.distance(to: candidate.point) / candidate.metres
      if share <= 1, (share, candidate.id) < best { best = (share, candidate.id) }
    }
    return best.id > 0 ? best.id : nil
  }
}
