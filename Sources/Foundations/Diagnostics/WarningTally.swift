// SPDX-License-Identifier: Apache-2.0

/// Warnings counted by kind, each with its first three examples: never a flood.
///
/// The tally of the same data is the same whatever the order of work, as long as each worker's
/// tally is merged in the order of the data.
package struct WarningTally: Equatable, Sendable {
  /// The kinds of one tally and what was seen of each.
  package struct Entry: Equatable, Sendable, Codable {
    /// The kind in kebab-case, such as `missing-node`.
    package let kind: String
    /// How often it was seen.
    package internal(set) var count: Int
    /// The first ones, at most `WarningTally.exampleLimit`.
    package internal(set) var examples: [String]
  }

  /// How many examples of a kind are kept.
  package static let exampleLimit = 3

  private var entriesByKind: [String: Entry] = [:]

  /// Makes an empty tally.
  package init() {}

  /// Counts one warning; the example is only made when it is kept.
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

  /// Adds what another tally saw after this one.
  package mutating func merge(_ other: WarningTally) {
    for entry in other.entries { add(entry.kind, count: entry.count, examples: entry.examples) }
  }

  /// One entry a kind, sorted by kind.
  package var entries: [Entry] { entriesByKind.values.sorted { $0.kind < $1.kind } }

  /// The count of all warnings.
  package var total: Int { entriesByKind.values.reduce(0) { saturatingSum($0, $1.count) } }
}

private func saturatingSum(_ left: Int, _ right: Int) -> Int {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? .max : sum
}
