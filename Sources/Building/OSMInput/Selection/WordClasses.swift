// SPDX-License-Identifier: Apache-2.0
import TagRules

/// The meanings of a text for the parsers, as a key, a value or a role.
struct WordClass: OptionSet, Sendable {
  let rawValue: UInt64

  /// A key that is kept on ways.
  static let wayKey = WordClass(rawValue: 1)
  /// A key that is kept on nodes.
  static let nodeKey = WordClass(rawValue: 1 << 1)
  /// The key `highway`.
  static let highwayKey = WordClass(rawValue: 1 << 2)
  /// The key `sac_scale`.
  static let sacScaleKey = WordClass(rawValue: 1 << 3)
  /// A routable value of `highway`.
  static let routableHighway = WordClass(rawValue: 1 << 4)
  /// A key that is kept on points of interest.
  static let pointKey = WordClass(rawValue: 1 << 5)
  /// A key that makes a point of interest whatever its value.
  static let anyPoint = WordClass(rawValue: 1 << 6)
  /// A key that is kept on waymarked routes.
  static let routeKey = WordClass(rawValue: 1 << 7)
  /// The key `type`.
  static let typeKey = WordClass(rawValue: 1 << 8)
  /// A value of `type` for routes.
  static let routeType = WordClass(rawValue: 1 << 9)
  /// The value of `type` for areas.
  static let multipolygon = WordClass(rawValue: 1 << 10)
  /// The key `route`.
  static let routeKindKey = WordClass(rawValue: 1 << 11)
  /// A value of `route` for waymarked routes.
  static let routeKind = WordClass(rawValue: 1 << 12)
  /// A role of the outer ways of an area.
  static let outerRole = WordClass(rawValue: 1 << 13)

  /// A value of `highway` that makes a relation a walkable area.
  static let walkableArea = WordClass(rawValue: 1 << 14)
  /// The value of `route` for ferries.
  static let ferryRoute = WordClass(rawValue: 1 << 15)

  // Each key of points of interest has a bit of the third byte, and its values have the same bit of
  // the fourth byte.

  static func pointKey(group: Int) -> WordClass { WordClass(rawValue: 1 << (16 + group)) }

  static func pointValue(group: Int) -> WordClass { WordClass(rawValue: 1 << (24 + group)) }

  // Likewise each of ``TagSelection/walkways`` has a bit of the fifth and of the sixth byte.

  static func walkwayKey(_ index: Int) -> WordClass { WordClass(rawValue: 1 << (32 + index)) }

  static func walkwayValue(_ index: Int) -> WordClass { WordClass(rawValue: 1 << (40 + index)) }

  /// The key `foot`.
  static let footKey = WordClass(rawValue: 1 << 48)
  /// A value of `foot` that makes a lock gate a way.
  static let permissionOnFoot = WordClass(rawValue: 1 << 49)

  /// Whether a tag whose key and value are of these classes makes a point of interest.
  @inline(__always)
  static func makesPoint(key: WordClass, value: WordClass) -> Bool {
    UInt8(truncatingIfNeeded: key.rawValue >> 16 & value.rawValue >> 24) != 0
      || key.contains(.anyPoint)
  }
}

/// Finds the classes of a text: a small hash table with open addressing, built once.
struct WordClasses: Sendable {
  static let shared = WordClasses()

  /// An entry of the hash table; free if the length is negative.
  private struct Entry: Sendable {
    var start = 0
    var length = -1
    var classes: WordClass = []
  }

  private static let entryCount = 512
  private var entries = [Entry](repeating: Entry(), count: entryCount)
  private var bytes: [UInt8] = []
  private var longest = 0
  private var prefixes: [[UInt8]]

  private init() {
    prefixes = TagSelection.wayKeyPrefixes.map { Array($0.utf8) }
    var classes: [String: WordClass] = [:]
    for word in TagSelection.routableHighways {
      classes[word, default: []].insert(.routableHighway)
    }
    for word in TagSelection.wayKeys { classes[word, default: []].insert(.wayKey) }
    for word in TagSelection.nodeKeys { classes[word, default: []].insert(.nodeKey) }
    classes["highway", default: []].insert(.highwayKey)
    classes["sac_scale", default: []].insert(.sacScaleKey)
    Self.addPoints(to: &classes)
    Self.addRelations(to: &classes)
    Self.addWalkways(to: &classes)
    for (word, itsClasses) in classes { add(Array(word.utf8), itsClasses) }
  }

  private static func addPoints(to classes: inout [String: WordClass]) {
    for word in TagSelection.pointKeys { classes[word, default: []].insert(.pointKey) }
    let table = TagSelection.pointsOfInterest.sorted { $0.key < $1.key }
    precondition(table.count <= 8, "each key needs a bit of a byte")
    for (group, entry) in table.enumerated() {
      classes[entry.key, default: []].insert(
        entry.value.isEmpty ? .anyPoint : .pointKey(group: group))
      for value in entry.value { classes[value, default: []].insert(.pointValue(group: group)) }
    }
  }

  private static func addRelations(to classes: inout [String: WordClass]) {
    for word in TagSelection.routeKeys { classes[word, default: []].insert(.routeKey) }
    for word in TagSelection.routeKinds { classes[word, default: []].insert(.routeKind) }
    for word in TagSelection.routeRelationTypes { classes[word, default: []].insert(.routeType) }
    for word in TagSelection.outerRoles { classes[word, default: []].insert(.outerRole) }
    classes["type", default: []].insert(.typeKey)
    classes["route", default: []].insert(.routeKindKey)
    classes[TagSelection.areaRelationType, default: []].insert(.multipolygon)
    for word in TagSelection.walkableAreas { classes[word, default: []].insert(.walkableArea) }
    classes[TagSelection.ferryRoute, default: []].insert(.ferryRoute)
  }

  private static func addWalkways(to classes: inout [String: WordClass]) {
    for (index, walkway) in TagSelection.walkways.enumerated() {
      classes[walkway.key, default: []].insert(.walkwayKey(index))
      classes[walkway.value, default: []].insert(.walkwayValue(index))
    }
    classes["foot", default: []].insert(.footKey)
    for word in TagSelection.permissionsOnFoot {
      classes[word, default: []].insert(.permissionOnFoot)
    }
  }

  private mutating func add(_ word: [UInt8], _ classes: WordClass) {
    var classes = classes
    if hasKeptPrefix(word) { classes.insert(.wayKey) }
    var index = word.withUnsafeBytes { Self.hashIndex(of: $0) }
    while entries[index].length >= 0 { index = (index + 1) % Self.entryCount }
    entries[index] = Entry(start: bytes.count, length: word.count, classes: classes)
    bytes += word
    longest = max(longest, word.count)
  }

  private static func hashIndex(of word: UnsafeRawBufferPointer) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in word { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash ^ (hash >> 15)) % entryCount
  }

  private func hasKeptPrefix(_ word: some Collection<UInt8>) -> Bool {
    prefixes.contains { word.starts(with: $0) }
  }

  /// The classes of a text; empty for one without a meaning.
  func classes(of word: UnsafeRawBufferPointer) -> WordClass {
    if word.count <= longest {
      var index = Self.hashIndex(of: word)
      while entries[index].length >= 0 {
        let entry = entries[index]
        if entry.length == word.count,
          bytes[entry.start..<(entry.start + entry.length)].elementsEqual(word)
        {
          return entry.classes
        }
        index = (index + 1) % Self.entryCount
      }
    }
    return word.contains(UInt8(ascii: ":")) && hasKeptPrefix(word) ? .wayKey : []
  }
}
