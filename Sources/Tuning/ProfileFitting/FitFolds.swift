// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The folds for cross-validation: each part is predicted from a fit to the others.
struct FitFolds {
  /// A part.
  struct Fold: Equatable {
    /// The dataset, or `part 1` ….
    var name: String
    /// Its members, by index.
    var members: [Int]
  }

  /// The number of parts of a single dataset.
  static let parts = 5

  /// Datasets or, if not all members have one or all share one, parts drawn from sources. Empty if
  /// there is nothing to divide.
  ///
  /// - Parameters:
  ///   - datasets: The dataset of each member.
  ///   - sources: Members of one source are never divided; nil for a separate member.
  static func divide(datasets: [String?], sources: [String?], seed: UInt64) -> [Fold] {
    let names = Set(datasets.compactMap { $0 }).sorted()
    if names.count > 1, !datasets.contains(nil) {
      return names.map { name in
        Fold(name: name, members: datasets.indices.filter { datasets[$0] == name })
      }
    }
    var groups: [[Int]] = []
    var known: [String: Int] = [:]
    for (index, source) in sources.enumerated() {
      if let source, let group = known[source] {
        groups[group].append(index)
      } else {
        if let source { known[source] = groups.count }
        groups.append([index])
      }
    }
    guard groups.count > 1 else { return [] }
    var generator = SplitMix64(seed: seed)
    groups.shuffle(using: &generator)
    let count = min(parts, groups.count)
    return (0..<count).map { part in
      let members = stride(from: part, to: groups.count, by: count).flatMap { groups[$0] }
      return Fold(name: "part \(part + 1)", members: members.sorted())
    }
  }
}
