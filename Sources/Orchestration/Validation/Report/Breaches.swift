// SPDX-License-Identifier: Apache-2.0

/// The number of breaches of a rule, with the first examples.
struct Breaches: Sendable {
  /// How many examples are kept.
  static let exampleLimit = 3

  private(set) var count = 0
  private(set) var examples: [String] = []

  /// Counts one breach; the example is only evaluated if it is kept.
  mutating func add(_ example: @autoclosure () -> String) { add(count: 1, example()) }

  /// Counts several breaches that share one example.
  mutating func add(count further: Int, _ example: @autoclosure () -> String) {
    count += further
    if examples.count < Self.exampleLimit { examples.append(example()) }
  }

  /// These breaches and later ones of the same rule.
  func followed(by later: Breaches) -> Breaches {
    var all = self
    all.count += later.count
    all.examples += later.examples.prefix(Self.exampleLimit - examples.count)
    return all
  }
}
