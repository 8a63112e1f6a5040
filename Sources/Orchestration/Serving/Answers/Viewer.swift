// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSearch
import CommandLineKit
import Elevation
import Requests

/// Answers the requests of the page, and of scripts, about databases.
package final class Viewer: RequestHandler {
  private typealias Answering = @Sendable (Viewer, HTTPRequest, ServedData) throws -> HTTPAnswer

  /// The answers below `/api/`.
  private static let answers: [String: Answering] = [
    "/api/regions": { try $0.regions($1, $2) },
    "/api/profile": { try $0.profile($1, $2) },
    "/api/route": { try $0.route($1, $2) },
    "/api/route.schema.json": { _, _, _ in HTTPAnswer(try encodeJSON(RouteSchema.value)) },
    "/api/explain": { try $0.explanation($1, $2) },
    "/api/isochrone": { try $0.isochrone($1, $2) },
    "/api/search": { try $0.search($1, $2) },
    "/api/where": { try $0.place($1, $2) },
    "/api/names": { try $0.names($1, $2) },
    "/api/warnings": { try $0.warnings($1, $2) },
  ]

  /// The header with the number of times that the databases were opened.
  package static let generationHeader = "Cairn-Generation"

  private let watch: DataWatch
  let relief: ReliefTiles
  /// The title of the served data.
  package let title: String

  /// Opens the databases for command-line arguments. Throws the errors of databases and folders of
  /// tiles.
  ///
  /// - Parameters:
  ///   - elevation: Folders of HGT tiles.
  ///   - pauseMilliseconds: The interval for checking whether the databases were replaced.
  ///   - mostBytesInMemory: The size up to which databases are searched in memory.
  package init(
    _ words: [String], elevation: [String] = [], pauseMilliseconds: Int = 250,
    mostBytesInMemory: Int? = nil
  ) throws(CairnError) {
    watch = try DataWatch(
      words, pause: pauseMilliseconds,
      mostInMemory: mostBytesInMemory ?? EngineShelf.mostInMemory)
    let data = try watch.current()
    relief = ReliefTiles(
      terrain: elevation.isEmpty ? nil : try ElevationDataManager(folders: elevation))
    let names = data.parts.map { $0.metadata["region_name"] ?? $0.path }
    title =
      names.count > 3
      ? "\(names[0]) and \(names.count - 1) more regions" : names.joined(separator: ", ")
  }

  /// The page and its parts, and the answer for unknown names.
  package func quickAnswer(_ request: HTTPRequest) -> HTTPAnswer? {
    if let part = PageFiles.answer(request.path) { return part }
    if Self.answers[request.path] != nil || TilePath(request.path) != nil { return nil }
    return HTTPAnswer(404, "nothing at \(printable(request.path))", hint: "see /")
  }

  /// The answer from the databases.
  package func answer(_ request: HTTPRequest) -> HTTPAnswer {
    do {
      let data = try watch.current()
      var answer: HTTPAnswer
      if let tile = TilePath(request.path) {
        answer = try self.tile(tile, data)
        answer.headers["Cache-Control"] = "private, max-age=86400"
      } else if let answering = Self.answers[request.path] {
        answer = try answering(self, request, data)
      } else {
        return HTTPAnswer(404, "nothing at \(printable(request.path))")
      }
      answer.headers[Self.generationHeader] = "\(data.generation)"
      return answer
    } catch { return HTTPAnswer(asCairnError(error)) }
  }
}

extension HTTPRequest {
  /// The query as the options of a command: `max-sac=T2` is `--max-sac=T2`, and a flag is given by
  /// `1`, or by nothing. Throws 64 for options unknown to the command.
  func arguments(for definition: CommandDefinition) throws(CairnError) -> Arguments {
    var words: [String] = []
    for (name, value) in query {
      if definition.options.first(where: { $0.name == name })?.value == nil,
        ["", "0", "1"].contains(value)
      {
        if value != "0" { words.append("--\(name)") }
      } else {
        words.append("--\(name)=\(value)")
      }
    }
    let arguments = try Arguments(words, for: definition)
    try arguments.checkRequired()
    return arguments
  }

  /// A value as a point. Throws 64 if it is missing or invalid.
  func point(_ name: String) throws(CairnError) -> Coordinate {
    guard let text = value(name) else {
      throw CairnError(.usage, .usage, "\(name) is missing", hint: "\(name)=LAT,LON")
    }
    guard let point = Coordinate(commandLine: text) else {
      throw CairnError(
        .usage, .usage, "\(name) takes LAT,LON in degrees, not “\(printable(text))”")
    }
    return point
  }

  /// A value as a point, by its coordinate or as a place of the served data. Throws 64 if it is missing
  /// or neither.
  func stop(_ name: String, _ data: ServedData) throws(CairnError) -> RequestedPoint {
    guard let text = value(name) else {
      throw CairnError(.usage, .usage, "\(name) is missing", hint: "\(name)=LAT,LON")
    }
    return try Self.stop(name, text, data)
  }

  /// All values of a name as points; see ``stop(_:_:)``.
  func stops(_ name: String, _ data: ServedData) throws(CairnError) -> [RequestedPoint] {
    try query.filter { $0.name == name }.map { item throws(CairnError) in
      try Self.stop(name, item.value, data)
    }
  }

  private static func stop(_ name: String, _ text: String, _ data: ServedData)
    throws(CairnError) -> RequestedPoint
  {
    try RequestedPoint(text, called: name, data.placeFiles) { () throws(SearchError) in
      data.places
    }
  }
}
