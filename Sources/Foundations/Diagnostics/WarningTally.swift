// SPDX-License-Identifier: Apache-2.0

/// Warnings counted by kind, each kind with its worst examples.
///
/// The same data gives the same tally however the work is divided, if the workers' tallies are
/// merged in the order of the data.
package struct WarningTally: Equatable, Sendable {
  /// The warnings of one kind.
  package struct Entry: Equatable, Sendable {
    /// The kind in kebab-case, such as `missing-node`.
    package let kind: String
    /// How often it occurred.
    package internal(set) var count: Int
    /// The worst examples, at most `WarningTally.exampleLimit`; of equally bad ones the first.
    package internal(set) var examples: [String]
    /// The severity of each example; not in reports.
    private var severities: [Double] = []

    /// Makes an entry as a report has it.
    package init(kind: String, count: Int = 0, examples: [String] = []) {
      (self.kind, self.count, self.examples) = (kind, count, examples)
      severities = examples.map { _ in 0 }
    }

    /// Keeps an example if it is among the worst, after equally bad ones.
    mutating func add(_ severity: Double, _ example: () -> String) {
      let isFull = examples.count >= WarningTally.exampleLimit
      if isFull, let least = severities.last, severity <= least { return }
      let index = severities.firstIndex { $0 < severity } ?? severities.count
      severities.insert(severity, at: index)
      examples.insert(example(), at: index)
      guard isFull else { return }
      severities.removeLast()
      examples.removeLast()
    }

    /// Adds the entry of the data that follows.
    mutating func merge(_ other: Entry) {
      count = saturatingSum(count, other.count)
      for (severity, example) in zip(other.severities, other.examples) { add(severity) { example } }
    }
  }

  /// The number of examples kept per kind.
  package static let exampleLimit = 20

  private var entriesByKind: [String: Entry] = [:]

  /// Creates an empty tally.
  package init() {}

  /// Counts one warning; the example is evaluated only if it is kept.
  ///
  /// - Parameter severity: How bad it is, in a unit of the kind; the worst are kept, worst first.
  package mutating func add(
    _ kind: String, severity: Double = 0, _ example: @autoclosure () -> String
  ) {
    withEntry(of: kind) { entry in
      entry.count = saturatingSum(entry.count, 1)
      entry.add(severity, example)
    }
  }

  /// Counts `count` warnings of a kind that share one example.
  package mutating func add(_ kind: String, count: Int, severity: Double, _ example: String) {
    withEntry(of: kind) { entry in
      entry.count = saturatingSum(entry.count, count)
      entry.add(severity) { example }
    }
  }

  /// Counts `count` warnings of a kind with some examples of them.
  package mutating func add(_ kind: String, count: Int, examples: [String]) {
    withEntry(of: kind) { entry in
      entry.count = saturatingSum(entry.count, count)
      for example in examples { entry.add(0) { example } }
    }
  }

  private mutating func withEntry(of kind: String, _ change: (inout Entry) -> Void) {
    change(&entriesByKind[kind, default: Entry(kind: kind)])
  }

  /// Adds the tally of the data that follows.
  package mutating func merge(_ other: WarningTally) {
    for entry in other.entries { withEntry(of: entry.kind) { $0.merge(entry) } }
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
