// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase
import CairnSearch

/// Queries as hikers type them, with what each should find.
///
/// A line of the list has, between tabs, the region, the language, the query, where it is typed (or
/// nothing) and what is wanted: titles between bars, `kind:` and a kind, `@` and a point, or `-` for
/// nothing. Lines that begin with `#` are comments.
package struct WantedPlaces {
  /// A query and what it should find.
  package struct Entry {
    /// What is typed.
    package var query: String
    /// Where; nil if that is not said.
    package var near: Coordinate?
    /// What should be found.
    package var wanted: String

    /// Whether a result is what is wanted.
    package func accepts(_ result: SearchResult) -> Bool {
      if wanted.hasPrefix("kind:") { return result.kind.rawValue == wanted.dropFirst(5) }
      if wanted.hasPrefix("@") {
        return WantedPlaces.point(wanted.dropFirst()).map {
          haversineDistance($0, result.coordinate) < 20
        } ?? false
      }
      let titles = wanted.split(separator: "|").map { FoldedName(String($0)) }
      return [result.title, result.matchedName, result.ref].contains {
        $0.map { titles.contains(FoldedName($0)) } ?? false
      }
    }
  }

  /// The queries of a region.
  package private(set) var entries: [Entry] = []

  /// Reads the lines of a list that are about a region.
  package init(_ list: String, region: String) {
    for line in list.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 5, fields[0] == region else { continue }
      entries.append(Entry(query: fields[2], near: Self.point(fields[3]), wanted: fields[4]))
    }
  }

  private static func point(_ text: some StringProtocol) -> Coordinate? {
    let numbers = text.split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
  }

  /// What a search finds of it.
  package struct Score {
    /// Queries.
    package var tried = 0
    /// Queries whose first result is what was wanted.
    package var first = 0
    /// Queries that have what was wanted among the first ``Recall/depth`` results, or wanted nothing
    /// and found nothing that is not marked as similar.
    package var among = 0
    /// The queries whose wanted place is not among these, with what was first and whether it was marked
    /// as only similar.
    package var misses: [(query: String, found: String, isMarked: Bool)] = []
    /// The queries whose wanted place is among these but not first, with what was.
    package var late: [(query: String, found: String)] = []

    /// A score of nothing.
    package init() {}

    /// Misses that look like answers.
    package var unrelated: [String] { misses.filter { !$0.isMarked }.map(\.query) }

    /// Adds another score.
    package mutating func add(_ other: Score) {
      tried += other.tried
      first += other.first
      among += other.among
      misses += other.misses
      late += other.late
    }
  }

  /// Asks all queries.
  package func score(in search: SearchService) throws -> Score {
    var score = Score()
    for entry in entries {
      score.tried += 1
      let results = try search.search(entry.query, near: entry.near, limit: Recall.depth).results
      let isMarked = results.first.map { $0.match > .words } ?? true
      if entry.wanted == "-" ? isMarked : results.first.map(entry.accepts) ?? false {
        score.first += 1
        score.among += 1
      } else if results.contains(where: entry.accepts) {
        score.among += 1
        score.late.append((entry.query, results.first?.title ?? ""))
      } else {
        score.misses.append((entry.query, results.first?.title ?? "nothing", isMarked))
      }
    }
    return score
  }
}
