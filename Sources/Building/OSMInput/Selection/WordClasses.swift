// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

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
  /// A role of the outer and inner ways of an area.
  static let ringRole = WordClass(rawValue: 1 << 14)
  /// The value of `route` for ferries.
  static let ferryRoute = WordClass(rawValue: 1 << 15)

  /// The key `foot`.
  static let footKey = WordClass(rawValue: 1 << 24)
  /// A value of `foot` that makes a lock gate a way.
  static let permissionOnFoot = WordClass(rawValue: 1 << 25)

  /// A key of an area that may be a hazard.
  static let hazardAreaKey = WordClass(rawValue: 1 << 26)
  /// A value of such a key that makes an area a hazard.
  static let hazardAreaValue = WordClass(rawValue: 1 << 27)
  /// A value of such a key that does so together with a ``qualifierKey``.
  static let qualifiedAreaValue = WordClass(rawValue: 1 << 28)
  /// A key that may say that a route does not exist.
  static let lifecycleKey = WordClass(rawValue: 1 << 29)
  /// A key that says who may enter an area.
  static let qualifierKey = WordClass(rawValue: 1 << 30)
  /// A key that makes an area a hazard whatever its value.
  static let anyHazardAreaKey = WordClass(rawValue: 1 << 31)
  /// Any text, for callers that want the tags as mapped.
  static let anything: WordClass = []
  /// A key of a name besides `name`, which ways, points of interest and waymarked routes keep.
  static let nameKey: WordClass = [.wayKey, .pointKey, .routeKey]

  // Each of ``TagSelection/walkways`` has a bit of four, and its value one of the next four.

  static func walkwayKey(_ index: Int) -> WordClass { WordClass(rawValue: 1 << (16 + index)) }

  static func walkwayValue(_ index: Int) -> WordClass { WordClass(rawValue: 1 << (20 + index)) }

  /// The bits of ``walkwayKey(_:)`` of a key, from the lowest on.
  var walkwayKeys: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) & 15 }

  /// The bits of ``walkwayValue(_:)`` of a value, from the lowest on.
  var walkwayValues: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 20) & 15 }

  // Each key of points of interest has a bit of 16, and its values have the same bit of the next 16.

  static func pointKey(group: Int) -> WordClass { WordClass(rawValue: 1 << (32 + group)) }

  /// The bits by which keys of things are told from others.
  static let thingKey: WordClass = WordClass(rawValue: 0xffff_000f_0000).union(.hazardAreaKey)

  /// The key of lifts, the first of these; and that of interpolated house numbers. Such lines are kept
  /// without a name.
  static let namelessLineKey = WordClass.pointKey(group: 0)

  static func pointValue(group: Int) -> WordClass { WordClass(rawValue: 1 << (48 + group)) }

  /// Whether a tag whose key and value are of these classes makes a point of interest.
  @inline(__always)
  static func makesPoint(key: WordClass, value: WordClass) -> Bool {
    UInt16(truncatingIfNeeded: key.rawValue >> 32 & value.rawValue >> 48) != 0
      || key.contains(.anyPoint)
  }
}

/// Finds the classes of a text: a small hash table with open addressing, built once.
struct WordClasses: Sendable {
  static let shared = WordClasses()

  /// An entry of the hash table; free if the length is negative.
  private struct Entry: Sendable {
    var start: UInt32 = 0
    var length: Int32 = -1
    var classes: WordClass = []
  }

  private static let entryCount = 1024
  private var entries = [Entry](repeating: Entry(), count: entryCount)
  private var bytes: [UInt8] = []
  private var prefixes: [[UInt8]]
  /// For each first byte the lengths of the words that begin with it, a bit each, and
  /// ``prefixBit``: most texts of a file need no closer look. A text without bytes counts as one
  /// that begins with 0.
  private var lengths = [UInt64](repeating: 0, count: 256)
  /// Says that a prefix begins with the byte.
  private static let prefixBit: UInt64 = 1 << 63

  /// The classes that only keys of things that are no course of a ferry have.
  private(set) var thingKeys: WordClass = []

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
    Self.addLifecycles(to: &classes)
    Self.addWalkways(to: &classes)
    Self.addHazardAreas(to: &classes)
    for (word, itsClasses) in classes { add(Array(word.utf8), itsClasses) }
    for key in TagSelection.thingKeys {
      thingKeys.formUnion((classes[key] ?? []).intersection(.thingKey))
    }
    let allPrefixes = prefixes + [Array(TagSelection.languageNamePrefix.utf8)]
    for prefix in allPrefixes { lengths[Int(prefix.first ?? 0)] |= Self.prefixBit }
  }

  private static func addPoints(to classes: inout [String: WordClass]) {
    for word in TagSelection.pointKeys { classes[word, default: []].insert(.pointKey) }
    classes[TagSelection.houseNumberKey, default: []].insert(.anyPoint)
    classes[TagSelection.interpolationKey, default: []].formUnion([.anyPoint, .namelessLineKey])
    var table = TagSelection.pointsOfInterest
    for (key, values) in table where values.isEmpty {
      classes[key, default: []].insert(.anyPoint)
      table[key] = nil
    }
    // Lines are told from points when all of them are there.
    table.merge(TagSelection.lineFeatures) { $0.union($1) }
    precondition(table.count <= 16, "each key needs a bit of 16")
    precondition(table.keys.min() == "aerialway", "the first bit is that of lifts")
    for (group, entry) in table.sorted(by: { $0.key < $1.key }).enumerated() {
      classes[entry.key, default: []].insert(.pointKey(group: group))
      for value in entry.value { classes[value, default: []].insert(.pointValue(group: group)) }
    }
  }

  private static func addRelations(to classes: inout [String: WordClass]) {
    for word in TagSelection.routeKeys { classes[word, default: []].insert(.routeKey) }
    for word in TagSelection.routeKinds { classes[word, default: []].insert(.routeKind) }
    for word in TagSelection.routeRelationTypes { classes[word, default: []].insert(.routeType) }
    for word in TagSelection.outerRoles { classes[word, default: []].insert(.outerRole) }
    for word in TagSelection.ringRoles { classes[word, default: []].insert(.ringRole) }
    classes["type", default: []].insert(.typeKey)
    classes["route", default: []].insert(.routeKindKey)
    classes[TagSelection.areaRelationType, default: []].insert(.multipolygon)
    classes[TagSelection.ferryRoute, default: []].insert(.ferryRoute)
  }

  private static func addLifecycles(to classes: inout [String: WordClass]) {
    var words = TagSelection.lifecycleWords.union([TagSelection.stateKey])
    for prefix in TagSelection.lifecyclePrefixes {
      for key in TagSelection.routeDefiningKeys { words.insert("\(prefix):\(key)") }
    }
    for word in words { classes[word, default: []].insert(.lifecycleKey) }
  }

  private static func addWalkways(to classes: inout [String: WordClass]) {
    precondition(TagSelection.walkways.count <= 4, "each needs a bit of four")
    for (index, walkway) in TagSelection.walkways.enumerated() {
      classes[walkway.key, default: []].insert(.walkwayKey(index))
      classes[walkway.value, default: []].insert(.walkwayValue(index))
    }
    classes["foot", default: []].insert(.footKey)
    for word in TagSelection.permissionsOnFoot {
      classes[word, default: []].insert(.permissionOnFoot)
    }
  }

  private static func addHazardAreas(to classes: inout [String: WordClass]) {
    let words: [(WordClass, Set<String>)] = [
      (.hazardAreaKey, TagSelection.hazardAreaKeys),
      (.hazardAreaValue, TagSelection.hazardAreaValues),
      (.qualifiedAreaValue, TagSelection.qualifiedAreaValues),
      (.anyHazardAreaKey, TagSelection.anyHazardAreaKeys),
      (.qualifierKey, TagSelection.areaQualifierKeys),
    ]
    for (kind, list) in words {
      for word in list { classes[word, default: []].insert(kind) }
    }
  }

  private mutating func add(_ word: [UInt8], _ classes: WordClass) {
    var classes = classes
    if hasKeptPrefix(word) { classes.insert(.wayKey) }
    var index = word.withUnsafeBytes { Self.hashIndex(of: $0) }
    while entries[index].length >= 0 { index = (index + 1) % Self.entryCount }
    entries[index] = Entry(
      start: UInt32(bytes.count), length: Int32(word.count), classes: classes)
    bytes += word
    precondition(word.count < 63, "each length needs a bit")
    lengths[Int(word.first ?? 0)] |= 1 << UInt64(word.count)
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
    let lengths = lengths[Int(word.first ?? 0)]
    if lengths == 0 { return [] }
    if word.count < 63, lengths >> UInt64(word.count) & 1 != 0 {
      var index = Self.hashIndex(of: word)
      while entries[index].length >= 0 {
        let entry = entries[index]
        let (start, length) = (Int(entry.start), Int(entry.length))
        if length == word.count, bytes[start..<(start + length)].elementsEqual(word) {
          return entry.classes
        }
        index = (index + 1) % Self.entryCount
      }
    }
    if lengths & Self.prefixBit == 0 { return [] }
    if TagSelection.isLanguageName(word) { return .nameKey }
    return word.contains(UInt8(ascii: ":")) && hasKeptPrefix(word) ? .wayKey : []
  }
}
