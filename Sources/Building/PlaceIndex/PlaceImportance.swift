// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How important a point is among all that bear its name, 0…1000, and how far it is known around.
struct PointImportance {
  /// 0…1000.
  let importance: Int
  let reach: PlaceReach

  /// Settlements by the value of `place`: importance without a population, and reach.
  private static let settlements: [String: (importance: Int, reach: PlaceReach)] = [
    "city": (850, .veryFar), "town": (720, .veryFar), "village": (580, .far),
    "borough": (520, .far), "suburb": (480, .near), "quarter": (420, .near),
    "hamlet": (420, .near), "neighbourhood": (340, .near), "isolated_dwelling": (280, .close),
    "farm": (260, .close),
  ]

  /// All other kinds.
  private static let kinds: [PlaceKind: (importance: Int, reach: PlaceReach)] = [
    .hut: (600, .far), .peak: (380, .near), .saddle: (360, .near), .campsite: (330, .close),
    .viewpoint: (280, .close), .shelter: (300, .close), .water: (220, .close),
    .cave: (230, .close), .locality: (220, .near), .food: (200, .close),
    .transport: (170, .close), .parking: (150, .close), .picnicSite: (170, .close),
    .danger: (150, .close), .guidepost: (140, .close), .information: (120, .close),
    .toilets: (60, .close),
  ]

  /// Weighs a point by its kind and what is tagged: population, prominence, elevation, and whether
  /// an encyclopedia has an article on it.
  init(_ kind: PlaceKind, _ tags: [String: String], elevation: Double?) {
    let base =
      (kind == .settlement ? tags["place"].flatMap { Self.settlements[$0] } : Self.kinds[kind])
      ?? (120, .close)
    var importance = Double(base.importance)
    var reach = base.reach
    if kind == .settlement, let population = Self.number(tags["population"]), population >= 1 {
      // A tenth of the scale for every tenfold, from a thousand on.
      importance += min(120, max(-60, 60 * (log10(population) - 3)))
    }
    if kind == .peak || kind == .saddle {
      importance += min(120, max(0, (elevation ?? 0) / 30))
      if let prominence = tags["prominence"].flatMap({ Self.number($0) }), prominence >= 100 {
        importance += min(200, 80 * log10(prominence / 100) + 60)
        if prominence >= 300 { reach = .far }
      }
    }
    if tags["wikidata"] != nil || tags["wikipedia"] != nil { importance += 60 }
    self.importance = Int(min(max(importance, 0), 1000))
    self.reach = reach
  }

  /// The number at the beginning of a value, such as `22 256` or `300 m`; at most a thousand million.
  private static func number(_ text: String?) -> Double? {
    guard let text else { return nil }
    var value = 0.0
    var digits = 0
    for byte in text.utf8 {
      if (0x30...0x39).contains(byte) {
        value = value * 10 + Double(byte - 0x30)
        digits += 1
      } else if byte != 0x20 {
        break
      }
      if digits > 9 { return nil }
    }
    return digits > 0 ? value : nil
  }
}

/// How important a line is, 0…1000.
enum LineImportance {
  /// Waymarked routes by the beginning of `network`: international, national, regional, local.
  private static let networks: [(letter: Character, importance: Double)] = [
    ("i", 800), ("n", 720), ("r", 600), ("l", 450),
  ]
  private static let kinds: [PlaceKind: Double] = [.trail: 240, .road: 160, .ferry: 300]

  /// The importance of a waymarked route: of its network and its length.
  static func ofRoute(network: String?, metres: Double) -> Int {
    let known = network?.first.flatMap { first in networks.first { $0.letter == first } }
    return sum(known?.importance ?? 400, metres)
  }

  /// The importance of a named way.
  static func ofWay(_ kind: PlaceKind, metres: Double) -> Int { sum(kinds[kind] ?? 160, metres) }

  private static func sum(_ base: Double, _ metres: Double) -> Int {
    Int(base + min(150, 50 * log10(1 + max(0, metres) / 1000)))
  }
}
