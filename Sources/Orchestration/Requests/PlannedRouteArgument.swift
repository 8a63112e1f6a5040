// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CommandLineKit
import FoundationEssentials
import SystemIO

/// A planned route in a command's arguments: a file, or a folder and a name in it.
package struct PlannedRouteArgument {
  /// The route.
  package let route: PlannedRoute

  /// Throws 66 if there is no such route, and 65 for a file of another kind.
  package init(_ words: [String]) throws(CairnError) {
    let path = words[0]
    if folderExists(path) {
      let store = try plannedRoutes(path)
      if words.count > 1 {
        route = try store.route(called: words[1])
      } else if let only = store.routes.first, store.routes.count == 1 {
        route = only
      } else {
        throw CairnError(
          "no-name", .usage,
          store.routes.isEmpty
            ? "has no planned routes" : "has \(grouped(store.routes.count)) planned routes",
          at: Location(file: path),
          hint: store.routes.isEmpty
            ? "import GPX files with cairn planned import" : "add the name of one after the folder")
      }
      return
    }
    guard words.count == 1 else {
      throw CairnError(
        "no-planned-folder", .noInput,
        "is not a folder, so it has no route “\(printable(words[1]))”",
        at: Location(file: path))
    }
    route = try PlannedRoute(file: path)
  }
}

extension PlannedRouteArgument {
  /// The arguments of commands that take one.
  package static let positionals: [CommandDefinition.Positional] = [
    .init("FOLDER", help: "a folder of planned routes, or the file of one"),
    .init(
      "ROUTE", required: false,
      help: "in a folder, the name of the route, or the first characters of its id"),
  ]

  /// Reads ``positionals``. Throws 64 for a folder without a name.
  package static func route(_ arguments: Arguments) throws(CairnError) -> PlannedRoute {
    let words = arguments.positionals
    if words.count > 1 { return try plannedRoutes(words[0]).route(called: words[1]) }
    guard !folderExists(words[0]) else {
      throw arguments.usageError(
        "ROUTE is required after a folder",
        hint: "cairn planned list \(words[0]) lists its routes")
    }
    return try PlannedRoute(file: words[0])
  }
}

extension PlannedRoute {
  /// Reads a file of one route. Throws 66 if it does not exist, and 65 if it is not a route.
  package init(file path: String) throws(CairnError) {
    let bytes = try InputFile(path).readAll(limit: PlannedRouteStore.maximumFileBytes)
    do { self = try PlannedRoute(json: Data(bytes)) } catch {
      throw CairnError(
        "bad-planned-route", .dataError,
        "is not a planned route: \(printable(PlannedRouteStore.problem(error)))",
        at: Location(file: path))
    }
  }
}
