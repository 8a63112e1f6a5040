// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The change of a place.
package struct PlaceChange: Sendable {
  /// A kind of change.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case removed, added, moved, renamed, reclassified
  }

  /// The kind of change.
  package var kind: Kind
  /// The OpenStreetMap object, such as `n4711`: the current one, unless it was removed.
  package var osm: String
  /// The kind of place, such as `peak`, and the previous one if it has changed.
  package var category: String
  package var categoryBefore: String?
  /// The name, and the previous one if it has changed.
  package var name: String
  package var nameBefore: String?
  /// The location, or the last one if it was removed.
  package var coordinate: Coordinate
  /// The previous location and the distance from it, if it has moved.
  package var coordinateBefore: Coordinate?
  package var metres: Double?
}

/// Compares places by their objects. A place redrawn as another object is the same if its name is
/// nearby, or, for a rare kind, if its kind is in the same place.
struct PlaceComparison {
  /// Smaller moves only improved the position.
  static let leastMetres = 25.0
  /// The greatest distance between places with the same name, and with the same kind, that are the
  /// same.
  private static let (sameNameMetres, sameKindMetres) = (150.0, 50.0)
  /// Kinds that do not occur twice in one place.
  private static let rareKinds: Set = [
    "peak", "saddle", "hut", "shelter", "settlement", "locality", "cave", "viewpoint",
  ]

  private var changes: [PlaceChange] = []

  static func changes(_ old: PlaceEntries, _ new: PlaceEntries) -> [PlaceChange] {
    var comparison = PlaceComparison()
    var gone = old.places.values.filter { new.places[$0.osm] == nil }.sorted { $0.osm < $1.osm }
    var come = new.places.values.filter { old.places[$0.osm] == nil }.sorted { $0.osm < $1.osm }
    for now in new.places.values {
      if let before = old.places[now.osm] { comparison.compare(before, now) }
    }
    comparison.pair(&gone, &come, within: sameNameMetres) { [$0.kind, $0.name] }
    comparison.pair(&gone, &come, within: sameNameMetres) { [$0.name] }
    comparison.pair(&gone, &come, within: sameKindMetres) { place in
      // Other places get a key of their own.
      rareKinds.contains(place.kind) ? [place.kind] : [place.kind, place.osm]
    }
    for before in gone { comparison.add(.removed, before) }
    for now in come { comparison.add(.added, now) }
    return comparison.sorted
  }

  /// Pairs removed places with the nearest added ones of the same key, and removes both.
  private mutating func pair(
    _ gone: inout [PlaceEntry], _ come: inout [PlaceEntry], within metres: Double,
    _ key: (PlaceEntry) -> [String]
  ) {
    var left = Dictionary(grouping: come, by: key)
    gone.removeAll { before in
      let alike = left[key(before)] ?? []
      let distances = alike.map { haversineDistance(before.coordinate, $0.coordinate) }
      guard let nearest = distances.indices.min(by: { distances[$0] < distances[$1] }),
        distances[nearest] <= metres
      else { return false }
      compare(before, alike[nearest])
      left[key(before)]?.remove(at: nearest)
      return true
    }
    come = left.values.joined().sorted { $0.osm < $1.osm }
  }

  private mutating func compare(_ before: PlaceEntry, _ now: PlaceEntry) {
    let metres = haversineDistance(before.coordinate, now.coordinate)
    if metres > Self.leastMetres {
      add(.moved, now) { change in
        change.coordinateBefore = before.coordinate
        change.metres = metres
      }
    }
    if before.name != now.name { add(.renamed, now) { $0.nameBefore = before.name } }
    if before.kind != now.kind, before.isOfSearch == now.isOfSearch {
      add(.reclassified, now) { $0.categoryBefore = before.kind }
    }
  }

  private mutating func add(
    _ kind: PlaceChange.Kind, _ entry: PlaceEntry, _ body: (inout PlaceChange) -> Void = { _ in }
  ) {
    var change = PlaceChange(
      kind: kind, osm: entry.osm, category: entry.kind, name: entry.name,
      coordinate: entry.coordinate)
    body(&change)
    changes.append(change)
  }

  /// Most important on the way first.
  private static let categories = [
    "danger", "hut", "mountain-hut", "shelter", "water", "spring", "peak", "saddle", "campsite",
    "viewpoint", "settlement", "cave",
  ]

  private var sorted: [PlaceChange] {
    let kinds = PlaceChange.Kind.allCases
    let key = { (change: PlaceChange) in
      (
        kinds.firstIndex(of: change.kind) ?? 0,
        Self.categories.firstIndex(of: change.category) ?? Self.categories.count, change.category,
        change.name, change.osm
      )
    }
    return changes.sorted { key($0) < key($1) }
  }
}
