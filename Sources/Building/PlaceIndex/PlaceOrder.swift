// SPDX-License-Identifier: Apache-2.0

/// The order of places by importance; of equally important ones, by their names and objects.
struct PlaceOrder {
  /// The indices of the places, the most important ones first.
  let order: [Int]

  init(_ places: [IndexedPlace], _ names: NameTable) {
    let keys = places.indices.map { index in
      let name = names.utf8(places[index].names[0].name)
      return (
        first: UInt64(1000 - min(max(places[index].importance, 0), 1000)) << 48
          | Self.number(name.prefix(6), bytes: 6),
        second: Self.number(name.dropFirst(6), bytes: 8), index: index
      )
    }
    // The importance and the first bytes of the names order most places already.
    order = keys.sorted { left, right in
      if left.first != right.first { return left.first < right.first }
      if left.second != right.second { return left.second < right.second }
      return Self.precedes(left.index, right.index, places, names)
    }
    .map(\.index)
  }

  /// The number of the first bytes of a name, which is 0 behind its end.
  private static func number(_ name: ArraySlice<UInt8>, bytes: Int) -> UInt64 {
    var number: UInt64 = 0
    for offset in 0..<bytes {
      number = number << 8 | (offset < name.count ? UInt64(name[name.startIndex + offset]) : 0)
    }
    return number
  }

  private static func precedes(
    _ left: Int, _ right: Int, _ places: [IndexedPlace], _ names: NameTable
  ) -> Bool {
    let (name, otherName) = (places[left].names[0].name, places[right].names[0].name)
    if name != otherName {
      let (one, other) = (names.utf8(name), names.utf8(otherName))
      if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    }
    let (id, otherID) = (places[left].id, places[right].id)
    if places[left].type == places[right].type, id > 0, otherID > 0 {
      return textOrder(id) < textOrder(otherID)
    }
    return places[left].osm.utf8.lexicographicallyPrecedes(places[right].osm.utf8)
  }

  /// What orders positive numbers as their texts are: 12, 120, 13.
  private static func textOrder(_ number: Int64) -> (aligned: UInt64, digits: Int) {
    var order = (aligned: UInt64(number), digits: 19)
    while order.aligned < 1_000_000_000_000_000_000 {
      order.aligned *= 10
      order.digits -= 1
    }
    return order
  }
}
