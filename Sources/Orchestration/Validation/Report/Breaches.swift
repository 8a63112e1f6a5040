// SPDX-License-Identifier: Apache-2.0

/// How often a rule is broken, and the first examples.
struct Breaches {
  /// How many examples are kept.
  static let exampleLimit = 3

  private(set) var count = 0
  private(set) var examples: [String] = []

  /// Counts one breach; the example is only made when it is kept.
  mutating func add(_ example: @autoclosure () -> String) { add(count: 1, example()) }

  /// Counts several breaches that one example stands for.
  mutating func add(count further: Int, _ example: @autoclosure () -> String) {
    count += further
    if examples.count < Self.exampleLimit { examples.append(example()) }
  }
}
