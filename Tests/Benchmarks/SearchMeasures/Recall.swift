// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase
import CairnSearch

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
  /// Seconds of each query; the same query is asked once, unless it is near another place.
  package private(set) var seconds: [Double] = []
  /// How many names any order of results could have found: many names have the same first letters,
  /// and only ``depth`` places are shown. Never less than the best order would find.
  package private(set) var attainable = 0
  /// The query that took longest.
  package private(set) var slowestQuery = ""

  /// The share of names that were found.
  package var share: Double { tried > 0 ? Double(found) / Double(tried) : 0 }
  /// The share of the names that could be found.
  package var shareOfAttainable: Double {
    attainable > 0 ? Double(found) / Double(attainable) : 0
  }

  /// Searches for every `stride`th name.
  ///
  /// - Parameters:
  ///   - repetitions: How often each query is asked, at least once; the median of its times counts.
  ///   - clock: The time in seconds, for ``seconds``.
  package init(
    _ measure: Measure, of places: NamedPlaces, in search: SearchService, stride: Int = 1,
    repetitions: Int = 1, clock: () -> Double = { 0 }
  ) throws {
    var random = SplitMix64(seed: 15)
    var answers: [String: [SearchResult]] = [:]
    var namesByQuery: [String: [NamedPlaces.Entry]] = [:]
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
      var results = answers[query] ?? []
      if near != nil || answers[query] == nil {
        var times: [Double] = []
        for _ in 0..<max(repetitions, 1) {
          let start = clock()
          results = try search.search(query, near: near, limit: Self.depth).results
          times.append(clock() - start)
        }
        answers[query] = results
        seconds.append(times.sorted()[times.count / 2])
        if seconds.last == seconds.max() { slowestQuery = query }
      }
      tried += 1
      // What is near tells names apart, and any place that begins so will do.
      let isAlone = measure == .prefix || measure == .prefixNearby
      namesByQuery[isAlone ? "\(index)" : FoldedName(query).text, default: []].append(entry)
      let isFound = results.contains { result in
        if entry.places.contains(result.id) { return true }
        guard measure == .prefix else { return false }
        let letters = FoldedName(query).letters
        return places.names[result.id, default: []].contains { $0.letters.starts(with: letters) }
      }
      if isFound { found += 1 } else { misses.append((query, entry.name)) }
    }
    attainable = namesByQuery.values.reduce(0) { $0 + Self.attainable($1) }
  }

  /// How many of the names typed in one way at most ``depth`` places can bear.
  private static func attainable(_ entries: [NamedPlaces.Entry]) -> Int {
    var names: [String: Int] = [:]
    for entry in entries { for place in entry.places { names[place, default: 0] += 1 } }
    let most = names.values.sorted(by: >).prefix(depth).reduce(0, +)
    return min(entries.count, most)
  }
}
