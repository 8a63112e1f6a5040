// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTagRules

/// Finds rare keys and values that differ by one letter from one known to Cairn and common in the
/// same file.
struct Spelling {
  /// A word is doubted if it is used at most this often,
  private static let mostUses = 3
  /// and the other one at least this many times as often.
  private static let ratio = 20
  /// Shorter words resemble too many others.
  private static let leastLetters = 5
  private static let mostWords = 3000

  private static let keys = TagSelection.wayKeys.union(TagSelection.nodeKeys)
  /// The keys whose values are words of a list.
  private static let listKeys: Set<String> = [
    "access", "barrier", "bicycle", "bridge", "crossing", "cycleway", "foot", "footway", "highway",
    "junction", "sac_scale", "service", "sidewalk", "smoothness", "surface", "tracktype",
    "trail_visibility", "tunnel", "vehicle",
  ]

  private var keyUses: [String: Int] = [:]
  private var valueUses: [String: [String: Int]] = [:]
  /// The intended words for doubted ones.
  private var meantKeys: [String: String] = [:]
  private var meantValues: [String: [String: String]] = [:]

  /// Counts the words of an object.
  mutating func count(_ tags: WayTags) {
    for (key, value) in tags {
      keyUses[key, default: 0] += 1
      if Self.listKeys.contains(key) { valueUses[key, default: [:]][value, default: 0] += 1 }
    }
  }

  /// Compares words, when all have been counted.
  mutating func finish() {
    meantKeys = Self.meant(keyUses, among: Self.keys)
    meantValues = valueUses.mapValues { Self.meant($0, among: nil) }
  }

  private static func meant(_ uses: [String: Int], among known: Set<String>?) -> [String: String] {
    let common = uses.filter { $0.value >= ratio && known?.contains($0.key) ?? true }
    let rare = uses.filter {
      $0.value <= mostUses && $0.key.utf8.count >= leastLetters
        && !(known?.contains($0.key) ?? false)
    }
    var meant: [String: String] = [:]
    // This many words are not a list.
    guard rare.count <= mostWords, common.count <= mostWords else { return [:] }
    for (word, count) in rare {
      meant[word] = common.filter { other, uses in
        uses >= ratio * count && !differOnlyInDigits(word, other) && differByOneEdit(word, other)
      }.keys.min()
    }
    return meant
  }

  /// Such as `grade1` and `grade2`, or `name` and `name1`.
  private static func differOnlyInDigits(_ word: String, _ other: String) -> Bool {
    word.filter { !$0.isNumber } == other.filter { !$0.isNumber }
  }

  /// The likely intended tag; nil if the tag is not doubted.
  func doubt(_ key: String, _ value: String) -> String? {
    if let meant = meantKeys[key] { return "\(key)=\(value): is \(meant) meant?" }
    return meantValues[key]?[value].map { "\(key)=\(value): is \($0) meant?" }
  }
}
