// SPDX-License-Identifier: Apache-2.0

/// Warnings counted by kind, each kind with its first three examples.
///
/// The same data gives the same tally however the work is divided, provided that the workers'
/// tallies are merged in the order of the data.
package struct WarningTally: Equatable, Sendable {
  /// The warnings of one kind.
  package struct Entry: Equatable, Sendable, Codable {
    /// The kind in kebab-case, such as `missing-node`.
    package let kind: String
    /// How often it occurred.
    package internal(set) var count: Int
    /// The first examples, at most `WarningTally.exampleLimit`.
    package internal(set) var examples: [String]
  }

  /// The number of examples kept per kind.
  package static let exampleLimit = 20

  private var entriesByKind: [String: Entry] = [:]

  /// Creates an empty tally.
  package init() {}

  /// Counts one warning; the example is evaluated only if it is kept.
  package mutating func add(_ kind: String, _ example: @autoclosure () -> String) {
    withEntry(of: kind) { entry in
      entry.count = saturatingSum(entry.count, 1)
      if entry.examples.count < Self.exampleLimit { entry.examples.append(example()) }
    }
  }

  /// Counts `count` warnings of a kind with some examples of them.
  package mutating func add(_ kind: String, count: Int, examples: [String]) {
    withEntry(of: kind) { entry in
      entry.count = saturatingSum(entry.count, count)
      entry.examples += examples.prefix(Self.exampleLimit - entry.examples.count)
    }
  }

  private mutating func withEntry(of kind: String, _ change: (inout Entry) -> Void) {
    change(&entriesByKind[kind, default: Entry(kind: kind, count: 0, examples: [])])
  }

  /// Adds the tally of the data that follows.
  package mutating func merge(_ other: WarningTally) {
    for entry in other.entries { add(entry.kind, count: entry.count, examples: entry.examples) }
  }

  /// One entry per kind, sorted by kind.
  package var entries: [Entry] { entriesByKind.values.sorted { $0.kind < $1.kind } }

  /// The number of all warnings.
  package var total: Int { entriesByKind.values.reduce(0) { saturatingSum($0, $1.count) } }
}

private func saturatingSum(_ left: Int, _ right: Int) -> Int {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? .max : sum
}
