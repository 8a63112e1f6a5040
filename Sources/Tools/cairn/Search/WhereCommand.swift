// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSearch
import CommandLineKit
import Presentation
import Requests

/// `cairn where`: a point in words.
struct WhereCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn where",
    summary: "describe where a point is",
    discussion: """
      Names the place that best describes the point, by distance and importance, and the trails, \
      roads and waymarked routes within \(Int(SearchService.onLineMetres)) m. Exits with 1 if \
      nothing is near. Several databases count as one.
      """,
    positionals: [
      .init(
        "DB",
        help: "a .places.db, a bundle, a database beside a .places.db, or an output folder; may be "
          + "repeated"),
      .init("LAT,LON", repeats: true, help: "the point in degrees, after the last DB"),
    ],
    options: [
      .flag("json", help: "print JSON with all places considered"),
      LanguageChoice.option,
    ],
    examples: [
      "cairn where valley.places.db 47.0508,10.0809",
      "cairn where valley.places.db 47.0508,10.0809 --language it",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let language = try LanguageChoice.language(arguments, unless: "json")
    let words = arguments.positionals
    let text = words[words.count - 1]
    guard let point = Coordinate(commandLine: text) else {
      throw arguments.usageError(
        "LAT,LON takes degrees such as 42.5807,1.4497, not “\(printable(text))”")
    }
    let paths = try placesPaths(Array(words.dropLast()))
    let placemarks: [Placemark]
    do throws(SearchError) {
      placemarks = try SearchSet(paths: paths).reverseGeocode(location: point)
    } catch { throw error.ofCommand(at: title(of: paths)) }
    let description = Placemark.description(of: placemarks, in: language)
    if arguments.has("json") {
      try Console.write(
        String(decoding: try encodeJSON(WhereRecord(placemarks)), as: UTF8.self))
    } else if let description {
      try Console.write(printable(description) + "\n")
    } else {
      let notes = LanguageChoice.ofNotes(arguments, language)
      let text = notes.text(.noPlaceNear, ["place": pointText(point)])
      Console.note("cairn where: \(text)")
    }
    return placemarks.isEmpty ? .negative : .success
  }
}
