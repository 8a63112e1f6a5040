// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase

/// Finds the settlement that distinguishes a place from others of its name.
struct SettlementFinder: Sendable {
  /// The settlements of one reach, by the squares of a grid.
  private struct Level: Sendable {
    var reach: PlaceReach
    var metres: Double
    var grid: DistanceGrid
    var entries: [Entry]
  }

  private struct Entry: Sendable {
    var square: Int64
    var point: LinePoint
    var id: Int
  }

  private var levels: [Level] = []

  /// Takes the places in the order of their ids, which count from 1.
  init(_ places: [IndexedPlace]) {
    for reach in PlaceReach.allCases where reach != .line {
      // Farther than this nobody would say “near”.
      let metres = reach.metres * 2
      let settlements = places.indices.filter {
        places[$0].reach == reach && places[$0].kind == .settlement
      }
      let latitudes = settlements.map { places[$0].coordinate.latitude }
      guard let south = latitudes.min(), let north = latitudes.max() else { continue }
      let grid = DistanceGrid(metres: metres, mostlyWithin: south...north)
      var entries: [Entry] = []
      for index in settlements {
        let point = places[index].coordinate
        entries.append(
          Entry(square: grid.square(of: point), point: LinePoint(point), id: index + 1))
      }
      entries.sort { ($0.square, $0.id) < ($1.square, $1.id) }
      levels.append(Level(reach: reach, metres: metres, grid: grid, entries: entries))
    }
  }

  /// The id of the settlement that is nearest to a place in relation to its reach; nil if none is
  /// near. A settlement is near one that is known farther around, such as a hamlet near a town.
  ///
  /// - Parameter reach: The reach of a place that is a settlement itself; nil for any other.
  func settlement(near coordinate: Coordinate, beyond reach: PlaceReach?) -> Int? {
    let point = LinePoint(coordinate)
    let metresPerDegree = earthRadiusMetres * .pi / 180
    var best: (share: Double, id: Int) = (.infinity, 0)
    for level in levels where level.reach.rawValue > reach?.rawValue ?? .min {
      level.grid.forEachNeighbour(of: coordinate) { squares in
        var index = level.entries.partitioningIndex { $0.square >= squares.lowerBound }
        while index < level.entries.count, level.entries[index].square <= squares.upperBound {
          let entry = level.entries[index]
          index += 1
          // Most settlements are too far north or south already.
          let degrees = abs(entry.point.coordinate.latitude - point.coordinate.latitude)
          guard degrees * metresPerDegree <= min(1, best.share) * level.metres * 1.001 else {
            continue
          }
          let share = point.distance(to: entry.point) / level.metres
          if share <= 1, (share, entry.id) < best { best = (share, entry.id) }
        }
      }
    }
    return best.id > 0 ? best.id : nil
  }
}
