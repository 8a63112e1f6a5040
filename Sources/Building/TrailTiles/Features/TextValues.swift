// SPDX-License-Identifier: Apache-2.0
import Tiles
import TrailData

/// The texts of a file as values of tiles, each looked up once.
struct TextValues {
  var vocabulary = TileVocabulary()
  private let strings: StringTable
  private var values: [UInt32]

  init(_ strings: StringTable) {
    self.strings = strings
    values = [UInt32](repeating: FeatureTable.none, count: strings.count)
  }

  /// The value of a text of the file, none for nil and for an empty one.
  mutating func value(_ text: UInt32?) -> UInt32 {
    guard let text else { return FeatureTable.none }
    if values[Int(text)] == FeatureTable.none {
      let utf8 = strings.utf8(Int(text))
      guard !utf8.isEmpty else { return FeatureTable.none }
      values[Int(text)] = vocabulary.value(utf8)
    }
    return values[Int(text)]
  }
}
