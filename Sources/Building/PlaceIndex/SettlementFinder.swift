// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy
import PlaceDatabase

/// Finds the settlement by which a place is told from others of its name.
struct SettlementFinder {
  /// The settlements of one reach, by latitude.
  private struct Level {
    var reach: Int
    var metres: Double
    var entries: [(latitude: Double, coordinate: Coordinate, id: Int)] = []
  }

  private var levels: [Level] = []

  /// Takes the places in the order of their ids, which count from 1.
  init(_ places: [IndexedPlace]) {
    for reach in PlaceReach.allCases where reach != .line {
      // Farther than this nobody would say “near”.
      var level = Level(reach: reach.rawValue, metres: reach.metres * 2)
      for (index, place) in places.enumerated()
      where place.kind == .settlement && place.reach == reach {
        level.entries.append((place.coordinate.latitude, place.coordinate, index + 1))
      }
      level.entries.sort { ($0.latitude, $0.id) < ($1.latitude, $1.id) }
      if !level.entries.isEmpty { levels.append(level) }
    }
  }

  /// The id of the settlement that is nearest to a place in relation to its reach; nil if none is
  /// near. A settlement is near one that is known farther around, such as a hamlet near a town.
  func settlement(near place: IndexedPlace) -> Int? {
    let point = place.coordinate
    var best: (share: Double, id: Int)?
    for level in levels where place.kind != .settlement || level.reach > place.reach.rawValue {
      let span = level.metres / (earthRadiusMetres * .pi / 180)
      // Degrees of longitude are shortest where the span ends nearest to a pole.
      let shrinking = longitudeShrinking(atLatitude: min(90, abs(point.latitude) + span))
      let start = level.entries.partitioningIndex { $0.latitude >= point.latitude - span }
      for entry in level.entries[start...] {
        guard entry.latitude <= point.latitude + span else { break }
        let turn = abs(entry.coordinate.longitude - point.longitude)
        guard min(turn, 360 - turn) * shrinking <= span * 1.01 else { continue }
        let share = haversineDistance(point, entry.coordinate) / level.metres
        guard share <= 1 else { continue }
        if best.map({ (share, entry.id) < ($0.share, $0.id) }) ?? true { best = (share, entry.id) }
      }
    }
    return best?.id
  }
}
