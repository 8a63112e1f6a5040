// SPDX-License-Identifier: Apache-2.0
import Tiles

/// The properties of a layer's features: each distinct set of them once, with a number.
struct FeatureTable: Sendable {
  /// A property and the first zoom at which features have it.
  struct Property: Sendable {
    var key: String
    var zoom: Int
    var type = "String"
  }

  /// The values of a set as numbers of the vocabulary, in the order of the properties.
  typealias Values = SIMD16<UInt32>

  static let none = UInt32.max
  static let empty = Values(repeating: none)

  /// The properties, at most 16.
  let properties: [Property]
  /// The distinct sets, in the order of their first use.
  private(set) var sets: [Values] = []
  private let keys: [UInt32]
  private var numbers: [Values: UInt32] = [:]

  init(_ properties: [Property], _ vocabulary: inout TileVocabulary) {
    self.properties = Array(properties.prefix(Values.scalarCount))
    keys = self.properties.map { vocabulary.key($0.key) }
  }

  /// The number of a set.
  mutating func number(_ values: Values) -> UInt32 {
    if let number = numbers[values] { return number }
    let number = UInt32(truncatingIfNeeded: sets.count)
    numbers[values] = number
    sets.append(values)
    return number
  }

  /// For each set so far the number of its reduction to a zoom.
  mutating func reduced(to zoom: Int, of count: Int) -> [UInt32] {
    var isShown = SIMDMask<SIMD16<Int32>>(repeating: false)
    for (index, property) in properties.enumerated() { isShown[index] = property.zoom <= zoom }
    return (0..<count).map { set in
      number(Self.empty.replacing(with: sets[set], where: isShown))
    }
  }

  /// Calls `body` with a key and a value for each property that a set has.
  func attributes(_ set: UInt32) -> [(key: UInt32, value: UInt32)] {
    let values = sets[Int(set)]
    return keys.indices.compactMap { values[$0] == Self.none ? nil : (keys[$0], values[$0]) }
  }
}
