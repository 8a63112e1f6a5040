// SPDX-License-Identifier: Apache-2.0

/// Warnings before going to a point of interest.
package struct PointFlags: OptionSet, Hashable, Sendable {
  /// The bits, as in a `.places.db`.
  package let rawValue: UInt8

  /// Makes flags of their bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It is closed for the time being.
  package static let closed = PointFlags(rawValue: 1)
  /// Its water is not for drinking.
  package static let notDrinkable = PointFlags(rawValue: 2)
}

/// Decides which points of interest are useless, and which need warnings: the same for search,
/// waypoints and tiles.
package struct PointState: Sendable {
  /// The effect of a tag.
  private enum Effect: Sendable {
    /// There is nothing any more.
    case gone
    /// Visitors cannot use it.
    case closedToVisitors
    /// It is a sign in a building and not next to a way.
    case indoorSign
    /// It is no shelter for hikers.
    case noShelter
    case flag(PointFlags)
  }

  private static let rules: [(key: String, values: [String], effect: Effect)] = [
    ("abandoned", ["yes"], .gone), ("disused", ["yes"], .gone),
    ("ruins", ["yes"], .closedToVisitors), ("building", ["ruins"], .closedToVisitors),
    ("access", ["no", "private"], .closedToVisitors),
    // Most shelters are at bus stops.
    ("shelter_type", ["public_transport"], .noShelter),
    ("level", [], .indoorSign), ("indoor", ["yes"], .indoorSign),
    ("operational_status", ["closed"], .flag(.closed)),
    ("opening_hours", ["closed", "off"], .flag(.closed)),
    ("drinking_water", ["no"], .flag(.notDrinkable)),
    ("drinking_water:legal", ["no"], .flag(.notDrinkable)),
    ("potable", ["no"], .flag(.notDrinkable)),
  ]

  /// The keys that count, as texts of the table.
  private var keys: [UInt32] = []
  /// Their values, as texts of the table, none for any value but 0; there are only a few.
  private var effects: [(key: UInt32, values: [UInt32], effect: Effect)] = []
  private let zero: UInt32?

  /// Makes one for a table of texts, in which `index` finds a text.
  package init(index: (String) -> UInt32?) {
    zero = index("0")
    for rule in Self.rules {
      guard let key = index(rule.key) else { continue }
      let values = rule.values.compactMap(index)
      if values.isEmpty && !rule.values.isEmpty { continue }
      effects.append((key, values, rule.effect))
      if !keys.contains(key) { keys.append(key) }
    }
  }

  /// The warnings for a point with some tags; nil if it is useless. `key` and `value` give the
  /// texts of a tag.
  package func flags(
    _ kind: PointKind, _ tags: Range<Int>, key: (Int) -> UInt32, value: (Int) -> UInt32
  ) -> PointFlags? {
    var flags: PointFlags = []
    if effects.isEmpty { return flags }
    for tag in tags {
      let key = key(tag)
      guard keys.contains(key) else { continue }
      let value = value(tag)
      for rule in effects
      where rule.key == key
        && (rule.values.contains(value) || rule.values.isEmpty && value != zero)
      {
        switch rule.effect {
        case .gone: return nil
        case .closedToVisitors: if kind.isForVisitors { return nil }
        case .indoorSign: if kind.isSign { return nil }
        case .noShelter: if kind == .shelter { return nil }
        case .flag(let flag):
          if flag == .closed || kind.isWater { flags.insert(flag) }
        }
      }
    }
    return flags
  }
}
