// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase
import TrailData

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The importance of points among all with their name, 0…1000, and their reach.
struct PointWeights: Sendable {
  private typealias Weight = (importance: Int, reach: PlaceReach)

  /// Settlements by the value of `place`: importance without a population, and reach.
  private static let settlements: [(place: String, weight: Weight)] = [
    ("city", (850, .veryFar)), ("town", (720, .veryFar)), ("village", (580, .far)),
    ("borough", (520, .far)), ("suburb", (480, .near)), ("quarter", (420, .near)),
    ("hamlet", (420, .near)), ("neighbourhood", (340, .near)), ("isolated_dwelling", (280, .close)),
    ("farm", (260, .close)),
  ]

  /// All other kinds.
  private static func weight(of kind: PlaceKind) -> Weight {
    switch kind {
    case .hut: (600, .far)
    case .peak: (380, .near)
    case .saddle: (360, .near)
    case .campsite: (330, .close)
    case .shelter: (300, .close)
    case .viewpoint: (280, .close)
    case .cave: (230, .close)
    case .water: (220, .close)
    case .locality: (220, .near)
    case .glacier, .valley: (320, .near)
    case .lake: (300, .near)
    case .ridge: (280, .near)
    case .waterfall: (280, .close)
    case .museum: (240, .close)
    case .church, .monument, .rescue: (230, .close)
    case .lodging: (210, .close)
    case .food, .health: (200, .close)
    case .lift: (180, .close)
    case .transport, .picnicSite: (170, .close)
    case .parking, .danger: (150, .close)
    case .guidepost: (140, .close)
    case .toilets: (60, .close)
    default: (120, .close)
    }
  }

  private let strings: StringTable
  private let settlements: [UInt32: Weight]
  private let placeKey: UInt32?
  private let populationKey: UInt32?
  private let prominenceKey: UInt32?
  private let articleKeys: [UInt32]

  init(_ strings: StringTable) {
    self.strings = strings
    settlements = Dictionary(
      uniqueKeysWithValues: Self.settlements.compactMap { place, weight in
        strings.index(of: place).map { ($0, weight) }
      })
    placeKey = strings.index(of: "place")
    populationKey = strings.index(of: "population")
    prominenceKey = strings.index(of: "prominence")
    articleKeys = ["wikidata", "wikipedia"].compactMap(strings.index)
  }

  /// Weighs a point by its kind and what is tagged: population, prominence, elevation, and whether
  /// an encyclopedia has an article on it.
  func weigh(_ kind: PlaceKind, _ tags: TagTable, _ point: Int, elevation: Double?)
    -> (importance: Int, reach: PlaceReach)
  {
    func value(_ key: UInt32?) -> UInt32? { key.flatMap { tags.value(of: $0, on: point) } }
    var (base, reach) = Self.weight(of: kind)
    if kind == .settlement, let weight = value(placeKey).flatMap({ settlements[$0] }) {
      (base, reach) = weight
    }
    var importance = Double(base)
    if kind == .settlement, let population = value(populationKey).flatMap(number), population >= 1 {
      // A tenth of the scale for every tenfold, from a thousand on.
      importance += min(120, max(-60, 60 * (log10(population) - 3)))
    }
    if kind == .peak || kind == .saddle {
      importance += min(120, max(0, (elevation ?? 0) / 30))
      if let prominence = value(prominenceKey).flatMap(number), prominence >= 100 {
        importance += min(200, 80 * log10(prominence / 100) + 60)
        if prominence >= 300 { reach = .far }
      }
    }
    if articleKeys.contains(where: { value($0) != nil }) { importance += 60 }
    return (Int(min(max(importance, 0), 1000)), reach)
  }

  /// The number at the beginning of a value, such as `22 256` or `300 m`; at most a thousand million.
  private func number(_ text: UInt32) -> Double? {
    var value = 0.0
    var digits = 0
    for byte in strings.utf8(Int(text)) {
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
  /// The importance of a waymarked route: of its length, and of its network, which begins with i, n,
  /// r or l: international, national, regional, local.
  static func ofRoute(network: UInt8?, metres: Double) -> Int {
    let base: Double =
      switch network {
      case UInt8(ascii: "i"): 800
      case UInt8(ascii: "n"): 720
      case UInt8(ascii: "r"): 600
      case UInt8(ascii: "l"): 450
      default: 400
      }
    return sum(base, metres)
  }

  /// The importance of a named way.
  static func ofWay(_ kind: PlaceKind, metres: Double) -> Int {
    switch kind {
    case .trail: sum(240, metres)
    case .ferry, .river: sum(300, metres)
    case .valley, .ridge: sum(290, metres)
    case .lift: sum(180, metres)
    default: sum(160, metres)
    }
  }

  private static func sum(_ base: Double, _ metres: Double) -> Int {
    Int(base + min(150, 50 * log10(1 + max(0, metres) / 1000)))
  }
}
