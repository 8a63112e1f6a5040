// SPDX-License-Identifier: Apache-2.0

/// The order of places by importance; of equally important ones, by their names and objects.
struct PlaceOrder {
  /// The indices of the places, the most important ones first.
  let order: [Int]

  init(_ places: [IndexedPlace], _ names: NameTable) {
    let keys = places.indices.map { index in
      (key: Self.key(places[index], names), index: index)
    }
    order = keys.sorted { left, right in
      if left.key != right.key { return left.key < right.key }
      return Self.precedes(left.index, right.index, places, names)
    }
    .map(\.index)
  }

  /// A number that orders most places already: of the importance and the first six bytes of the name.
  private static func key(_ place: IndexedPlace, _ names: NameTable) -> UInt64 {
    var key = UInt64(1000 - min(max(place.importance, 0), 1000))
    let name = names.utf8(place.names[0].name)
    for offset in 0..<6 {
      key = key << 8 | (offset < name.count ? UInt64(name[name.startIndex + offset]) : 0)
    }
    return key
  }

  private static func precedes(
    _ left: Int, _ right: Int, _ places: [IndexedPlace], _ names: NameTable
  ) -> Bool {
    let (name, otherName) = (places[left].names[0].name, places[right].names[0].name)
    if name != otherName {
      let (one, other) = (names.utf8(name), names.utf8(otherName))
      if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    }
    return places[left].osm.utf8.lexicographicallyPrecedes(places[right].osm.utf8)
  }
}
