// SPDX-License-Identifier: Apache-2.0
import TrailData

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
    let objects = places.indices.map { NamedObject(places[$0]) }
    // The importance and the first bytes of the names order most places already.
    order = keys.sorted { left, right in
      if left.first != right.first { return left.first < right.first }
      if left.second != right.second { return left.second < right.second }
      return objects[left.index].precedes(objects[right.index])
        ?? Self.precedes(places[left.index], places[right.index], names)
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

  private static func precedes(_ left: IndexedPlace, _ right: IndexedPlace, _ names: NameTable)
    -> Bool
  {
    let (one, other) = (names.utf8(left.names[0].name), names.utf8(right.names[0].name))
    if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) }
    return left.osm.utf8.lexicographicallyPrecedes(right.osm.utf8)
  }
}

/// The object of a place and its name, which order most places of one importance and name.
private struct NamedObject {
  private var name: UInt32
  private var type: OSMObjectType
  /// The number of digits of its id; 0 for one that is not positive.
  private var digits: UInt8 = 0
  /// The id with further zeros: with the digits this orders ids as their texts are: 12, 120, 13.
  private var aligned: UInt64 = 0

  init(_ place: IndexedPlace) {
    (name, type) = (place.names[0].name, place.type)
    guard place.id > 0 else { return }
    (aligned, digits) = (UInt64(place.id), 19)
    while aligned < 1_000_000_000_000_000_000 {
      aligned *= 10
      digits -= 1
    }
  }

  /// Whether it comes before another one; nil if that needs their texts.
  func precedes(_ other: Self) -> Bool? {
    guard name == other.name, type == other.type, digits > 0, other.digits > 0 else { return nil }
    return (aligned, digits) < (other.aligned, other.digits)
  }
}
