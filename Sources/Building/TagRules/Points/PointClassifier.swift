// SPDX-License-Identifier: Apache-2.0

/// Finds the rule that holds for a point of interest by the indices of its tags in a table of texts.
package struct PointClassifier: Sendable {
  /// The first rule for each tag, by the indices of its key and its value.
  private var rules: [UInt64: UInt8] = [:]
  /// For each text whether it is the key of a rule, and the rule that holds for any value.
  private var isKey: [Bool]
  private var rulesOfKeys: [UInt32: UInt8] = [:]

  /// Makes one for a table of `count` texts, in which `index` finds a text.
  package init(count: Int, index: (String) -> UInt32?) {
    isKey = [Bool](repeating: false, count: count)
    for (number, rule) in PointRule.all.enumerated() {
      guard let key = index(rule.key), Int(key) < count else { continue }
      let number = UInt8(clamping: number)
      isKey[Int(key)] = true
      if rule.values.isEmpty { rulesOfKeys[key] = rulesOfKeys[key] ?? number }
      for value in rule.values {
        guard let value = index(value) else { continue }
        let tag = Self.tag(key, value)
        rules[tag] = rules[tag] ?? number
      }
    }
  }

  private static func tag(_ key: UInt32, _ value: UInt32) -> UInt64 {
    UInt64(key) << 32 | UInt64(value)
  }

  /// The rule that says what a point with some tags is, and the value of its tag; nil if none holds.
  /// `key` and `value` give the texts of a tag.
  package func classify(_ tags: Range<Int>, key: (Int) -> UInt32, value: (Int) -> UInt32)
    -> (rule: PointRule, value: UInt32)?
  {
    var best: (rule: UInt8, value: UInt32)?
    for tag in tags {
      let key = key(tag)
      guard isKey[Int(key)] else { continue }
      let value = value(tag)
      guard let rule = rules[Self.tag(key, value)] ?? rulesOfKeys[key] else { continue }
      if best.map({ rule < $0.rule }) ?? true { best = (rule, value) }
    }
    return best.map { (PointRule.all[Int($0.rule)], $0.value) }
  }
}
