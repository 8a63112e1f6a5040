// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The effect of a way's kind on its elevation.
struct ElevationKind: OptionSet, BitwiseCopyable, Sendable {
  let rawValue: UInt8

  /// The way leaves the ground: a bridge, a tunnel, a ferry or something else below the ground. Its
  /// elevation is not the terrain's.
  static let structure = ElevationKind(rawValue: 1)
  /// The way may be steeper than any path: steps, a ladder, a via ferrata.
  static let steep = ElevationKind(rawValue: 2)
  /// The way is a bridge; such a way is a ``structure``, too.
  static let bridge = ElevationKind(rawValue: 4)
}

extension ElevationKind {
  /// The properties of a kind of way.
  init(_ kind: WayKind) {
    self = []
    if !kind.isDisjoint(with: [.bridge, .underground, .ferry]) { insert(.structure) }
    if !kind.isDisjoint(with: [.steps, .ladder, .viaFerrata, .rungs]) { insert(.steep) }
    if kind.contains(.bridge) { insert(.bridge) }
  }

  /// Adds the properties of another way along the same segment.
  mutating func merge(_ other: ElevationKind) {
    let structure = intersection(other).intersection([.structure, .bridge])
    self = union(other).intersection(.steep).union(structure)
  }
}

/// Reads ``ElevationKind`` from the tags of ways. Each distinct tag is interpreted once; after that
/// tags are compared by their indices in the string table.
struct ElevationKinds {
  private let table: TagTable
  /// The tags of the ways of the margin, which come after the others.
  private let marginTable: TagTable?
  private let strings: StringTable
  /// The relevant keys in the file.
  private let keys: [String]
  /// Their indices in the string table.
  private let keyIndices: [UInt32]
  /// The kinds of the values of each key, in the order of ``keys``; empty until one is needed.
  private var known: [[UInt8]]
  /// Marks a value in ``known`` that has been interpreted.
  private static let isKnown: UInt8 = 0x80

  init(_ trails: TrailsFile) {
    (table, marginTable) = (trails.wayTags, trails.margin?.wayTags)
    strings = trails.strings
    keys = WayKind.keys.filter { trails.strings.index(of: $0) != nil }
    keyIndices = keys.compactMap { trails.strings.index(of: $0) }
    known = Array(repeating: [], count: keys.count)
  }

  /// The kind of a way.
  mutating func kind(ofWay way: Int) -> ElevationKind {
    guard way >= table.count, let marginTable else { return self.kind(of: way, in: table) }
    return kind(of: way - table.count, in: marginTable)
  }

  private mutating func kind(of way: Int, in table: TagTable) -> ElevationKind {
    var kind: ElevationKind = []
    for tag in table.tags(of: way) {
      let key = table.key(tag)
      for index in keyIndices.indices where keyIndices[index] == key {
        kind.formUnion(self.kind(index, Int(table.value(tag))))
      }
    }
    return kind
  }

  private mutating func kind(_ key: Int, _ value: Int) -> ElevationKind {
    if known[key].isEmpty { known[key] = [UInt8](repeating: 0, count: strings.count) }
    let bits = known[key][value]
    if bits != 0 { return ElevationKind(rawValue: bits & ~Self.isKnown) }
    let kind = ElevationKind(WayKind(key: keys[key], value: strings[value]))
    known[key][value] = kind.rawValue | Self.isKnown
    return kind
  }
}
