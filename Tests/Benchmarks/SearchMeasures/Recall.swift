// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Geodesy
import PlaceDatabase
import Search

/// How often a place is among the first five results, by what its name was typed like.
package struct Recall {
  /// A way of typing a name, and what counts as found.
  package enum Measure: String, CaseIterable {
    /// The first four letters; a place with this name is found.
    case prefixStrict = "prefix, the place itself"
    /// The first four letters; any place with a name that begins so is found.
    case prefix = "prefix, any place that begins so"
    /// The first four letters, typed where the place is.
    case prefixNearby = "prefix, typed at the place"
    /// The whole name without accents, capitals and punctuation.
    case plain = "without accents"
    /// The whole name with one typo; names of at least five letters.
    case typo = "one typo"
  }

  /// The number of results that are looked at.
  package static let depth = 5

  /// Names that were searched for.
  package private(set) var tried = 0
  /// Names that were found.
  package private(set) var found = 0
  /// The queries without success, with the names.
  package private(set) var misses: [(query: String, name: String)] = []
  /// Seconds of each query.
  package private(set) var seconds: [Double] = []

  /// The share of names that were found.
  package var share: Double { tried > 0 ? Double(found) / Double(tried) : 0 }

  /// Searches for every `stride`th name.
  ///
  /// - Parameter clock: The time in seconds, for ``seconds``.
  package init(
    _ measure: Measure, of places: NamedPlaces, in search: SearchService, stride: Int = 1,
    clock: () -> Double = { 0 }
  ) throws {
    var random = SplitMix64(seed: 15)
    for index in Swift.stride(from: 0, to: places.entries.count, by: stride) {
      let entry = places.entries[index]
      let query: String
      switch measure {
      case .prefixStrict, .prefix, .prefixNearby:
        query = NamedPlaces.prefix(of: entry.name, letters: 4)
      case .plain: query = FoldedName(entry.name).text
      case .typo:
        guard entry.name.count(where: { $0.isLetter }) >= 5 else { continue }
        query = NamedPlaces.typo(in: entry.name, &random)
      }
      let near = measure == .prefixNearby ? entry.coordinate : nil
      let start = clock()
      let results = try search.search(query, near: near, limit: Self.depth).results
      seconds.append(clock() - start)
      tried += 1
      let isFound = results.contains { result in
        if entry.places.contains(result.id) { return true }
        guard measure == .prefix else { return false }
        let letters = FoldedName(query).letters
        return places.names[result.id, default: []].contains { $0.letters.starts(with: letters) }
      }
      if isFound { found += 1 } else { misses.append((query, entry.name)) }
    }
  }
}
