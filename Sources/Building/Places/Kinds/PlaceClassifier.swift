// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Finds the rule that holds for a point of interest.
struct PlaceClassifier {
  private let points: PointsOfInterest
  /// The first rule for each tag, by the indices of its key and its value.
  private var rules: [UInt64: Int] = [:]
  /// Whether each text is the key of a rule.
  private var isKey: [Bool]

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    let strings = trails.strings
    isKey = [Bool](repeating: false, count: strings.count)
    for (index, rule) in PlaceRule.all.enumerated() {
      guard let key = strings.index(of: rule.key) else { continue }
      isKey[Int(key)] = true
      for value in rule.values {
        guard let value = strings.index(of: value) else { continue }
        let tag = Self.tag(key, value)
        rules[tag] = min(rules[tag] ?? index, index)
      }
    }
  }

  private static func tag(_ key: UInt32, _ value: UInt32) -> UInt64 {
    UInt64(key) << 32 | UInt64(value)
  }

  /// The index of the rule that holds for a point, and the value of the tag that it is about; nil if
  /// it is no place.
  func classify(_ point: Int) -> (rule: Int, value: UInt32)? {
    var best: (rule: Int, value: UInt32)?
    for tag in points.tags.tags(of: point) where isKey[Int(points.tags.key(tag))] {
      let value = points.tags.value(tag)
      guard let rule = rules[Self.tag(points.tags.key(tag), value)] else { continue }
      if best.map({ rule < $0.rule }) ?? true { best = (rule, value) }
    }
    return best
  }
}
