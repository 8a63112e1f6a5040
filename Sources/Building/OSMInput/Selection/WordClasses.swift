// SPDX-License-Identifier: Apache-2.0
import TagRules

/// What a text of the input means to the parsers, as a key, a value or a role.
struct WordClass: OptionSet, Sendable {
  let rawValue: UInt32

  /// A key that is kept on ways.
  static let wayKey = WordClass(rawValue: 1)
  /// A key that is kept on nodes.
  static let nodeKey = WordClass(rawValue: 1 << 1)
  /// The key `highway`.
  static let highwayKey = WordClass(rawValue: 1 << 2)
  /// The key `sac_scale`.
  static let sacScaleKey = WordClass(rawValue: 1 << 3)
  /// A value of `highway` to route on.
  static let routableHighway = WordClass(rawValue: 1 << 4)
  /// A key that is kept on points of interest.
  static let pointKey = WordClass(rawValue: 1 << 5)
  /// A key that makes a point of interest with any value.
  static let anyPoint = WordClass(rawValue: 1 << 6)
  /// A key that is kept on waymarked routes.
  static let routeKey = WordClass(rawValue: 1 << 7)
  /// The key `type`.
  static let typeKey = WordClass(rawValue: 1 << 8)
  /// A value of `type` that routes have.
  static let routeType = WordClass(rawValue: 1 << 9)
  /// The value of `type` that areas with holes or several parts have.
  static let multipolygon = WordClass(rawValue: 1 << 10)
  /// The key `route`.
  static let routeKindKey = WordClass(rawValue: 1 << 11)
  /// A value of `route` that waymarked routes have.
  static let routeKind = WordClass(rawValue: 1 << 12)
  /// A role that a member has which bounds an area from the outside.
  static let outerRole = WordClass(rawValue: 1 << 13)

  /// A value of `highway` that makes a relation an area to walk on.
  static let walkableArea = WordClass(rawValue: 1 << 14)
  /// The value of `route` that ferries have.
  static let ferryRoute = WordClass(rawValue: 1 << 15)

  // The keys of points of interest have one bit each of the third byte, and their values the
  // same bit of the fourth one.

  static func pointKey(group: Int) -> WordClass { WordClass(rawValue: 1 << (16 + group)) }

  static func pointValue(group: Int) -> WordClass { WordClass(rawValue: 1 << (24 + group)) }

  /// Whether a tag whose key and value are of these classes makes a point of interest.
  @inline(__always)
  static func makesPoint(key: WordClass, value: WordClass) -> Bool {
    (key.rawValue >> 16) & (value.rawValue >> 24) != 0 || key.contains(.anyPoint)
  }
}

/// Finds the class of a text by its bytes: a small hash table, made once.
struct WordClasses: Sendable {
  static let shared = WordClasses()

  private struct Slot: Sendable {
    var start = 0
    var length = -1
    var classes: WordClass = []
  }

  private static let slotCount = 512
  private var slots = [Slot](repeating: Slot(), count: slotCount)
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
    for (word, itsClasses) in classes { add(Array(word.utf8), itsClasses) }
  }

  private static func addPoints(to classes: inout [String: WordClass]) {
    for word in TagSelection.pointKeys { classes[word, default: []].insert(.pointKey) }
    let table = TagSelection.pointsOfInterest.sorted { $0.key < $1.key }
    precondition(table.count <= 8, "a key needs one bit of a byte")
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

  private mutating func add(_ word: [UInt8], _ classes: WordClass) {
    var classes = classes
    if hasKeptPrefix(word) { classes.insert(.wayKey) }
    var place = word.withUnsafeBytes { Self.slot(of: $0) }
    while slots[place].length >= 0 { place = (place + 1) % Self.slotCount }
    slots[place] = Slot(start: bytes.count, length: word.count, classes: classes)
    bytes += word
    longest = max(longest, word.count)
  }

  private static func slot(of word: UnsafeRawBufferPointer) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in word { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash ^ (hash >> 15)) % slotCount
  }

  private func hasKeptPrefix(_ word: some Collection<UInt8>) -> Bool {
    prefixes.contains { word.starts(with: $0) }
  }

  /// The class of a text; empty for one that means nothing here.
  func classes(of word: UnsafeRawBufferPointer) -> WordClass {
    if word.count <= longest {
      var place = Self.slot(of: word)
      while slots[place].length >= 0 {
        let slot = slots[place]
        if slot.length == word.count,
          bytes[slot.start..<(slot.start + slot.length)].elementsEqual(word)
        {
          return slot.classes
        }
        place = (place + 1) % Self.slotCount
      }
    }
    return word.contains(UInt8(ascii: ":")) && hasKeptPrefix(word) ? .wayKey : []
  }
}
