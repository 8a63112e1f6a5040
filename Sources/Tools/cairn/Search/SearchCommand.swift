// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSearch
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// `cairn search`: places by name.
struct SearchCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn search",
    summary: "find places, trails and routes by name or kind, addresses and coordinates",
    discussion: """
      Searches all names in OpenStreetMap, in all languages, ignoring accents and case. Words may \
      be incomplete, and each may have one typo. If nothing has all the words, prints places with \
      similar names. A kind of place, such as water, Hütte or bus stop, finds the nearest or most \
      important ones, also as “water near NAME”; a street with a number finds the house; a \
      coordinate in any usual spelling, a geo: URI or a map link finds that point.

      Exits with 0 if anything was found, even if only similar: JSON then has “match” nearlyExact, \
      similar or partial for each result, and suggestions. Exits with 1 if nothing was found.
      """,
    positionals: [
      .init(
        "DB",
        help: "a .places.db, a bundle, a database beside a .places.db, or an output folder; may be "
          + "repeated"),
      .init(
        "QUERY", repeats: true, required: false,
        help: "words of the name, or their beginnings; optional with --kind"),
    ],
    options: [
      .option(
        "near", "LAT,LON",
        help: "list places near this point or place first, with distances"),
      .option(
        "kind", "KIND",
        help: "find only this kind of place, such as water, hut or bus stop, in any of six "
          + "languages"),
      .option(
        "along", "FILE.gpx",
        help: "with --kind: those along the tracks or routes of a file, with the detour there and "
          + "back"),
      .option(
        "within", "M",
        help: "with --kind: distance from the point or the line in metres (default 5000 or 500)"),
      .option(
        "limit", "N",
        help: "most places to print, 1 to \(SearchService.maximumResults) (default "
          + "\(SearchService.defaultResults))"),
      .flag("json", help: "print JSON"),
      LanguageChoice.option,
    ],
    examples: [
      "cairn search valley.places.db krähenjoch",
      "cairn search build/sample/valley-west kra --near 47.03,10.05",
      "cairn search valley.places.db --kind water --near 47.05,10.08",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let language = try LanguageChoice.language(arguments, unless: "json")
    let words = arguments.positionals
    let kind = try kind(arguments)
    // Without a kind, the last word always belongs to the query.
    let count = countOfDatabases(words.dropLast(kind == nil ? 1 : 0))
    let paths = try placesPaths(Array(words.prefix(count)))
    let near = try arguments.value("near").map { text throws(CairnError) in
      try arguments.point("near", text, beside: paths).coordinate
    }
    let query = Array(words.dropFirst(count)).chained(by: " ")
    if query.isEmpty && kind == nil { throw arguments.usageError("QUERY is required") }
    let response: SearchResponse
    do {
      let search = try SearchSet(paths: paths)
      if let kind, query.isEmpty || arguments.value("along") != nil {
        response = try nearby(kind, in: search, near, arguments)
      } else {
        response = try named(query, kind, in: search, near, arguments)
      }
    } catch let error as SearchError {
      throw error.ofCommand(at: title(of: paths))
    }
    let isNear = near != nil || response.near != nil
    if arguments.has("json") {
      let record = SearchRecord(response)
      try Console.write(String(decoding: try encodeJSON(record), as: UTF8.self))
    } else {
      try Console.write(
        placeTable(
          response.results, isNear: isNear, columns: Console.columns, in: language))
      note(
        response, query.isEmpty ? arguments.value("kind") ?? "" : query,
        in: LanguageChoice.ofNotes(arguments, language))
    }
    return response.results.isEmpty ? .negative : .success
  }

  private typealias Kind = (kind: PlaceKind, detail: PlaceDetail?)

  private static func kind(_ arguments: Arguments) throws -> Kind? {
    guard let text = arguments.value("kind") else {
      for option in ["along", "within"] where arguments.value(option) != nil {
        throw arguments.usageError("--\(option) needs --kind")
      }
      return nil
    }
    if let kind = SearchService.kind(named: text) { return kind }
    let all = PlaceKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw arguments.usageError("--kind: “\(printable(text))” is not a kind of place", hint: all)
  }

  private static func limit(_ arguments: Arguments) throws -> Int {
    try arguments.integer("limit", in: 1...SearchService.maximumResults)
      ?? SearchService.defaultResults
  }

  /// The places with a name, of a kind if given.
  private static func named(
    _ query: String, _ kind: Kind?, in search: SearchSet, _ near: Coordinate?,
    _ arguments: Arguments
  ) throws -> SearchResponse {
    let limit = try limit(arguments)
    guard let kind else { return try search.search(query, near: near, limit: limit) }
    var response = try search.search(query, near: near, limit: SearchService.maximumResults)
    response.results.removeAll {
      $0.kind != kind.kind || kind.detail != nil && $0.detail != kind.detail
    }
    response.results = Array(response.results.prefix(limit))
    return response
  }

  /// The places of a kind around a point or along a line.
  private static func nearby(
    _ kind: Kind, in search: SearchSet, _ near: Coordinate?, _ arguments: Arguments
  ) throws -> SearchResponse {
    let limit = try limit(arguments)
    let metres = try arguments.number("within", in: 0...SearchService.kindMetres)
    let results: [SearchResult]
    if let path = arguments.value("along") {
      let line = try TrackInput(path).lines().flatMap(\.segments).joined().map(\.coordinate)
      results = try search.nearby(
        kind: kind.kind, detail: kind.detail, along: Array(line), within: metres ?? 500,
        limit: limit)
    } else if let near {
      results = try search.nearby(
        kind: kind.kind, detail: kind.detail, of: near, within: metres ?? 5000, limit: limit)
    } else {
      throw arguments.usageError("--kind needs QUERY, --near or --along")
    }
    return SearchResponse(results: results, suggestions: [])
  }

  /// Explains the results on stderr if they are not simply those of the query.
  private static func note(
    _ response: SearchResponse, _ query: String, in language: Language
  ) {
    let query = printable(query)
    if let note = response.note { Console.note("cairn search: \(language.term(note))") }
    if let place = response.near {
      Console.note(
        "cairn search: \(printable(language.near(place.title))), \(pointText(place.coordinate)) "
          + "(\(printable(place.subtitle(in: language))))")
    }
    if response.results.isEmpty {
      Console.note("cairn search: " + language.text(.noPlaceCalled, ["name": query]))
    } else if !response.suggestions.isEmpty {
      let names = response.suggestions.map { language.text(.quoted, ["name": printable($0)]) }
      let list = language.listed(names, .or)
      Console.note(
        "cairn search: " + language.text(.placeCalledLike, ["name": query, "list": list]))
    }
  }
}
