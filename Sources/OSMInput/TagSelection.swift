// SPDX-License-Identifier: Apache-2.0

/// Which ways and which tags the parsers keep: everything that can decide a route on foot or by
/// bicycle, and nothing else.
public enum TagSelection {
  /// The values of `highway` that somebody can walk or ride on. Motorways are never among them;
  /// whether a trunk road is fit for walking is for the profile to say.
  public static let routableHighways: Set<String> = [
    "bridleway", "corridor", "cycleway", "footway", "ladder", "living_street", "path",
    "pedestrian", "primary", "primary_link", "residential", "road", "secondary",
    "secondary_link", "service", "steps", "tertiary", "tertiary_link", "track", "trunk",
    "trunk_link", "unclassified", "via_ferrata",
  ]

  /// The keys that are kept on ways.
  public static let wayKeys: Set<String> = [
    "access", "area", "assisted_trail", "bicycle", "bicycle_road", "bridge", "conveying",
    "covered", "crossing", "cycleway", "duration", "embedded_rails", "foot", "footway", "ford",
    "handrail", "highway", "incline", "indoor", "informal", "junction", "ladder", "layer",
    "level", "lit", "location", "man_made", "motor_vehicle", "motorroad", "mtb:scale", "name",
    "oneway", "opening_hours", "ramp", "ref", "rungs", "sac_scale", "safety_rope", "seasonal",
    "segregated", "service", "sidewalk", "smoothness", "step_count", "surface", "toll",
    "tracktype", "trail_visibility", "tunnel", "vehicle", "via_ferrata_scale", "width",
  ]

  /// Beginnings of keys that are kept on ways: directions, sides and conditions.
  public static let wayKeyPrefixes = [
    "access:", "bicycle:", "cycleway:", "foot:", "mtb:scale:", "oneway:", "sidewalk:", "vehicle:",
  ]

  /// The keys that are kept on the nodes of kept ways.
  public static let nodeKeys: Set<String> = [
    "access", "access:conditional", "barrier", "bicycle", "bicycle:conditional", "crossing",
    "entrance", "foot", "foot:conditional", "ford", "highway", "ladder", "locked",
    "opening_hours",
  ]
}

/// What a text of the input means to the parsers, as a key or as a value.
struct WordClass: OptionSet, Sendable {
  let rawValue: UInt8

  /// A key that is kept on ways.
  static let wayKey = WordClass(rawValue: 1)
  /// A key that is kept on nodes.
  static let nodeKey = WordClass(rawValue: 2)
  /// The key `highway`.
  static let highwayKey = WordClass(rawValue: 4)
  /// The key `sac_scale`.
  static let sacScaleKey = WordClass(rawValue: 8)
  /// A value of `highway` to route on.
  static let routableHighway = WordClass(rawValue: 16)
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
    for (word, itsClasses) in classes { add(Array(word.utf8), itsClasses) }
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
