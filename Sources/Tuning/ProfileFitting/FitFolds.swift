// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The parts of what a profile is fitted to, which are left out one after the other: each is foretold
/// by what was fitted to the others.
struct FitFolds {
  /// A part.
  struct Fold: Equatable {
    /// The dataset, or `part 1` ….
    var name: String
    /// What is in it, by index.
    var members: [Int]
  }

  /// Into how many parts a single dataset is divided.
  static let parts = 5

  /// Datasets or, where not all members have one or it is the same, parts drawn from sources. Empty
  /// where there is nothing to divide.
  ///
  /// - Parameters:
  ///   - datasets: The dataset of each member.
  ///   - sources: Members of one source are never divided; nil for one on its own.
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
