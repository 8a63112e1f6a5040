// SPDX-License-Identifier: Apache-2.0

/// A class of access, from the most welcoming to the strictest.
///
/// ``isPassable`` applies unless a profile says otherwise.
package enum AccessClass: String, Sendable, CaseIterable, Comparable {
  /// Made or signed for it: `designated`, `official`.
  case designated
  /// Allowed: `yes`, or by default.
  case open
  /// The owner allows passage and may revoke it: `permissive`.
  case permissive
  /// A primary road (for bicycles also a trunk road) that neither mentions them nor has a sidewalk.
  case busyRoad = "busy-road"
  /// To get to something on it: `destination`, `customers`, `delivery`; and `discouraged`.
  case destination
  /// A parallel way is to be used: `use_sidepath`, `sidewalk=separate`.
  case sidepath
  /// A bicycle is to be pushed: `bicycle=dismount`, and by default footways and the like.
  case dismount
  /// Undecidable: a condition that cannot be read or depends on more than the date, a trunk
  /// road or a ferry that does not say whether it takes walkers, a season that is not named.
  case uncertain
  /// For residents and permit holders: `private`, `permit`, `agricultural`, `forestry`, and all
  /// unknown values.
  case restricted
  /// For nobody: `no`, `military`, `emergency`, motorways, ways that are not built yet
  /// or no longer exist.
  case closed

  /// Whether passing is allowed unless a profile says otherwise.
  package var isPassable: Bool { self < .sidepath }

  private var strictness: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// Whether the left class is more welcoming.
  package static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }

  /// The class of a value of `foot`, `access` and the like; nil for `unknown`.
  ///
  /// Of several values (`agricultural;forestry`) the strictest applies. An unknown value means that
  /// some rule exists: ``restricted``.
  init?(value: some StringProtocol) {
    let classes = value.split(separator: ";", omittingEmptySubsequences: false).map { word in
      let word = word.trimmed.lowercased()
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

  private static let byValue: [String: AccessClass] = {
    let words: [(AccessClass, [String])] = [
      (.designated, ["designated", "official"]),
      (.open, ["yes", "true", "1", "public", "allowed", "optional_sidepath"]),
      (.permissive, ["permissive"]),
      (.destination, ["destination", "customers", "delivery", "discouraged"]),
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
    return mildest.isPassable ? min(strictest, .uncertain) : strictest
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
