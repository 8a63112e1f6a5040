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
      return Self.precedes(places[left.index], places[right.index], names)
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

  private static func precedes(_ left: IndexedPlace, _ right: IndexedPlace, _ names: NameTable)
    -> Bool
  {
    if left.names[0].name != right.names[0].name {
      let (one, other) = (names.utf8(left.names[0].name), names.utf8(right.names[0].name))
      if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    }
    return left.osm.utf8.lexicographicallyPrecedes(right.osm.utf8)
  }
}
