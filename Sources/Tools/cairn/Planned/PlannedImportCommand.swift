// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGuidance
import CairnRoutingDatabase
import CommandLineKit
import FoundationEssentials
import GPXInput
import Requests
import SystemIO

/// `cairn planned import`: GPX tracks and routes as planned routes.
struct PlannedImportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn planned import",
    summary: "import tracks and routes from GPX files as planned routes",
    discussion: """
      Each track becomes a planned route; in a file without tracks, each GPX route does. \
      Instructions are derived from bends of the line. A planned route in JSON (.json) is imported \
      unchanged. The same line with the same name is stored once.
      """,
    positionals: [
      .init("FOLDER", help: "a folder of planned routes; created if missing"),
      .init("FILE", repeats: true, help: "a .gpx or .json file"),
    ],
    options: [
      .option("name", "NAME", help: "name of the route (default: the name in the file)"),
      .option("mode", "MODE", help: "hiking or cycling (default hiking)"),
      .flag("every-turn", help: "announce bends of more than 15° (default: more than 45°)"),
    ],
    examples: [
      "cairn planned import routes summer.gpx",
      "cairn planned import routes summer.gpx --every-turn",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let modes = RoutingMode.allCases.map(\.rawValue)
    let mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    let folder = arguments.positionals[0]
    // All files are read before the first route is saved.
    var routes: [PlannedRoute] = []
    for path in arguments.positionals.dropFirst() {
      routes += try read(path, arguments, mode)
    }
    let store = PlannedRouteStore(folder: folder)
    for route in routes {
      do { try store.save(route) } catch { throw cairnError(error) }
      try Console.write("\(route.id.uuidString)  \(printable(route.name))\n")
    }
    return .success
  }

  private static func read(_ path: String, _ arguments: Arguments, _ mode: RoutingMode) throws
    -> [PlannedRoute]
  {
    let name = arguments.value("name")
    var instructions = TurnInstructionConfig()
    instructions.announcesEveryTurn = arguments.has("every-turn")
    if path.lowercased().hasSuffix(".json") { return [try readJSON(path, name: name)] }
    let file = try GPXFile(path) { Console.note("\(definition.name): \(path): \($0)") }
    let lines = (file.tracks.isEmpty ? file.routes : file.tracks).filter { !$0.points.isEmpty }
    guard !lines.isEmpty else {
      throw CairnError(
        "no-line", .dataError, "has neither tracks nor routes with points",
        at: Location(file: path))
    }
    let stem = splitPath(path).name.split(separator: ".").first.map(String.init) ?? "route"
    return lines.enumerated().compactMap { index, line in
      let own = name ?? line.name ?? file.name ?? stem
      let isAlone = lines.count == 1 || (name == nil && line.name != nil)
      let title = isAlone ? own : "\(own) \(index + 1)"
      let points = line.points.map {
        PlannedRoute.LinePoint(coordinate: $0.coordinate, elevation: $0.elevation)
      }
      return PlannedRoute(
        line: points, name: title, mode: mode, instructions: instructions,
        id: PlannedRoute.id(name: title, mode: mode.rawValue, line: points),
        createdAt: file.time ?? Date())
    }
  }

  private static func readJSON(_ path: String, name: String?) throws(CairnError) -> PlannedRoute {
    var route = try PlannedRoute(file: path)
    if let name { route.name = name }
    return route
  }
}
