// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSearch
import CommandLineKit
import Presentation
import SystemIO

/// `cairn search`: places by name.
struct SearchCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn search",
    summary: "find places, trails and routes by name",
    discussion: """
      Searches in every name that OpenStreetMap gives, in all languages, without regard to accents \
      and case. Words may be incomplete, and each may have one typo. Where nothing has all the \
      words, places with similar names are shown. Exits with 1 if there are none either.
      """,
    positionals: [
      .init(
        "DB",
        help: "a .places.db, the folder of a bundle, a database beside a .places.db, or an output "
          + "folder; more may follow"),
      .init("QUERY", repeats: true, help: "words of the name, or their beginnings"),
    ],
    options: [
      .option(
        "near", "LAT,LON",
        help: "put what is near this point or place first, and show how far it is"),
      .option(
        "limit", "N",
        help: "how many places at most, 1 to \(SearchService.maximumResults) (default "
          + "\(SearchService.defaultResults))"),
      .flag("json", help: "print JSON"),
    ],
    examples: [
      "cairn search valley.places.db krähenjoch",
      "cairn search build/sample/valley-west kra --near 47.03,10.05",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let words = arguments.positionals
    // The last word is always of the query.
    let count = max(1, words.dropLast().prefix { pathExists($0) }.count)
    let paths = try placesPaths(words.prefix(count))
    let near = try arguments.value("near").map { text throws(CairnError) in
      try arguments.point("near", text, beside: paths)
    }
    let limit =
      try arguments.integer("limit", in: 1...SearchService.maximumResults)
      ?? SearchService.defaultResults
    let query = words.dropFirst(count).joined(separator: " ")
    let response: SearchResponse
    do throws(SearchError) {
      response = try SearchSet(paths: paths).search(query, near: near, limit: limit)
    } catch { throw error.ofCommand(at: title(of: paths)) }
    if arguments.has("json") {
      let record = SearchRecord(response)
      try Console.write(String(decoding: try encodeJSON(record), as: UTF8.self))
    } else {
      try Console.write(table(response.results, isNear: near != nil))
      note(response, query)
    }
    return response.results.isEmpty ? .negative : .success
  }

  /// Says on stderr what the results are, where they are not simply what was asked for.
  private static func note(_ response: SearchResponse, _ query: String) {
    let query = printable(query)
    if response.results.isEmpty {
      Console.note("cairn search: no place is called “\(query)” or anything like it")
    } else if !response.suggestions.isEmpty {
      let names = response.suggestions.map { "“\(printable($0))”" }
      let list = names.dropLast().joined(separator: ", ")
      let all = list.isEmpty ? names[0] : "\(list) or \(names[names.count - 1])"
      Console.note("cairn search: no place is called “\(query)”; did you mean \(all)?")
    }
  }

  /// One line for each place: name, what it is, where.
  private static func table(_ results: [SearchResult], isNear: Bool) -> String {
    let rows = results.map { result in
      let title = printable(result.title)
      let other = result.matchedName.map { " (\(printable($0)))" } ?? ""
      let away =
        isNear
        ? [
          result.distance.map(distanceText) ?? "", result.bearing.map(compassPoint) ?? "",
        ] : []
      return [title + other, printable(result.subtitle)] + away + [pointText(result.coordinate)]
    }
    let columns: [TextTable.Alignment] =
      [.left, .left] + (isNear ? [.right, .left] : []) + [.right]
    return TextTable(columns, rows: rows).fitting(Console.columns).text
  }
}

/// `42.5078,1.5211`: a coordinate as the commands take it.
func pointText(_ point: Coordinate) -> String {
  "\(decimal(point.latitude, 5)),\(decimal(point.longitude, 5))"
}
