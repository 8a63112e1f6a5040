// SPDX-License-Identifier: Apache-2.0

/// A class of access, from the most welcoming to the strictest.
///
/// ``usualFactor(for:)`` applies unless a profile says otherwise.
package enum AccessClass: String, Sendable, CaseIterable, Comparable {
  /// Made or signed for it: `designated`, `official`.
  case designated
  /// Allowed: `yes`, or by default.
  case open
  /// The owner allows passage and may revoke it: `permissive`. Also what `agricultural` and
  /// `forestry` in `access` mean for walkers.
  case permissive
  /// A primary road (for bicycles also a trunk road) that neither mentions them nor has a sidewalk.
  case busyRoad = "busy-road"
  /// To get to something on it: `destination`, `customers`, `delivery`, and by default platforms;
  /// and `discouraged`. Also `access=no` that seems to be about traffic, see ``Access``.
  case destination
  /// A parallel way is to be used: `use_sidepath`, `sidewalk=separate`.
  case sidepath
  /// A bicycle is to be pushed: `bicycle=dismount`, and by default footways and the like.
  case dismount
  /// Undecidable: a condition that cannot be read or depends on more than the date, a trunk
  /// road that does not mention walkers, a ferry that does not mention bicycles, a season that is
  /// not named.
  case uncertain
  /// For residents and permit holders: `private`, `permit`, `agricultural`, `forestry` (but see
  /// ``permissive``), and all unknown values.
  case restricted
  /// Closed to everyone: `no`, `military`, `emergency`, motorways, ways that are not built yet or
  /// no longer exist.
  case closed

  /// The factor of this class in a profile that does not list it; nil if it is impassable.
  ///
  /// A walker may take a road even if there is a way next to it. Half as much again is enough to
  /// prefer that other way, and too little for a detour; `docs/access.md` has the figures. For
  /// cyclists the other way is compulsory.
  package func usualFactor(for vehicle: Vehicle) -> Double? {
    if self < .sidepath { return 1 }
    return self == .sidepath && vehicle == .foot ? 1.5 : nil
  }

  /// Whether a vehicle may pass unless a profile says otherwise.
  package func isPassable(for vehicle: Vehicle) -> Bool { usualFactor(for: vehicle) != nil }

  private var strictness: Int {
    switch self {
    case .designated: 0
    case .open: 1
    case .permissive: 2
    case .busyRoad: 3
    case .destination: 4
    case .sidepath: 5
    case .dismount: 6
    case .uncertain: 7
    case .restricted: 8
    case .closed: 9
    }
  }

  /// Its index among all classes, from 0, in which databases have them.
  package var index: Int { strictness }

  /// Whether the left class is more welcoming.
  package static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }

  /// The class of a value of `foot`, `access` and the like; nil for `unknown`.
  ///
  /// Of several values (`private;forestry`) the strictest applies. An unknown value means that
  /// some rule exists: ``restricted``.
  ///
  /// - Parameter isAccessOnFoot: Whether it is the value of `access`, read for a walker.
  package init?(value: some StringProtocol, isAccessOnFoot: Bool = false) {
    // Nearly all values are a single known word in its standard spelling.
    if let kind = Self.byValue[String(value)], !isAccessOnFoot || kind != .restricted {
      self = kind
      return
    }
    let words = value.split(separator: ";", omittingEmptySubsequences: false)
    let classes = words.map { word -> AccessClass? in
      let word = word.trimmed.lowercased()
      if isAccessOnFoot, Self.landUses.contains(word) { return .permissive }
      return word == "unknown" ? nil : Self.byValue[word] ?? .restricted
    }
    guard let strictest = classes.compactMap({ $0 }).max() else { return nil }
    self = strictest
  }

  /// The unknown values in a list, which are therefore ``restricted``.
  static func unknownValues(in text: String) -> [Substring] {
    text.split(separator: ";", omittingEmptySubsequences: false).filter {
      let word = $0.trimmed.lowercased()
      return word != "unknown" && byValue[word] == nil
    }
  }

  /// Values that allow and advise against it.
  static let advisedAgainst = ["discouraged", "inadvisable", "not_recommended"]

  /// Values that exempt those who work the land from a ban on driving.
  private static let landUses: Set<String> = ["agricultural", "forestry"]

  private static let byValue: [String: AccessClass] = {
    let words: [(AccessClass, [String])] = [
      (.designated, ["designated", "official"]),
      (.open, ["yes", "true", "1", "public", "allowed", "optional_sidepath"]),
      (.permissive, ["permissive"]),
      (.destination, ["destination", "customers", "delivery"] + advisedAgainst),
      (.sidepath, ["use_sidepath", "separate"]),
      (.dismount, ["dismount"]),
      (
        .restricted,
        [
          "private", "permit", "agricultural", "forestry", "residents", "employees", "staff",
          "members", "restricted",
        ]
      ),
      (.closed, ["no", "military", "emergency", "false", "0", "never", "closed", "impassable"]),
    ]
    var table: [String: AccessClass] = [:]
    for (kind, values) in words { for value in values { table[value] = kind } }
    return table
  }()

  /// The class if any of these may apply: the strictest, but ``uncertain`` if passing may be
  /// allowed or not.
  static func strictestOf(_ readings: [AccessClass]) -> AccessClass? {
    guard let strictest = readings.max(), let mildest = readings.min() else { return nil }
    return mildest < .dismount ? min(strictest, .uncertain) : strictest
  }
}

extension StringProtocol {
  /// The text without spaces, tabs and line breaks around it.
  var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[startIndex..<startIndex] }
    return self[first...last]
  }
}
