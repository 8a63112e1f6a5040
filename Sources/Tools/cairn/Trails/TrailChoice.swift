// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// The waymarked routes of some databases, and the options for travelling them.
struct TrailChoice {
  static let options: [CommandDefinition.Option] = RouteChoice.profileOptions.filter {
    !["radius", "depart"].contains($0.name)
  }

  /// The text on them in help pages.
  static let discussion = """
    Each relation is put in order from its members, including the parts of superroutes: in the \
    listed order where they join, otherwise by their ends. Gaps of up to \
    \(Int(RoutingEngine.bridgedGapMetres)) m are closed if a short way closes them. Bicycle routes \
    are timed by the profile for cycling if there is one. The routes come from the .places.db \
    beside the database; if an earlier version made it, the command exits with 65.
    """

  static let route = CommandDefinition.Positional(
    "ROUTE", repeats: true,
    help: "after the last DB: the relation's id, such as r2748977, its number, or words of the "
      + "name")

  let databases: DatabaseChoice
  let routes: WaymarkedRoutes
  private let arguments: Arguments

  /// Reads the routes. Throws 66 if there is no database of places, and 65 if it has no routes.
  init(_ arguments: Arguments, _ words: some Collection<String>) throws {
    self.arguments = arguments
    // Wrong options are reported before anything is read.
    _ = try RouteChoice(arguments)
    databases = try DatabaseChoice(words)
    let paths = try placesPaths(databases.paths)
    do throws(SearchError) {
      routes = try SearchSet(paths: paths).waymarkedRoutes()
    } catch { throw error.ofCommand(at: title(of: paths)) }
  }

  /// The databases at the beginning of a list of words, and the route that the others name.
  static func named(_ arguments: Arguments) throws -> (choice: TrailChoice, route: WaymarkedRoute) {
    let words = arguments.positionals
    let count = countOfDatabases(words.dropLast())
    let choice = try TrailChoice(arguments, words.prefix(count))
    let name = words.dropFirst(count).joined(separator: " ")
    return (choice, try choice.route(name))
  }

  /// The only route of a name. Throws 66 if there is none, or several.
  private func route(_ name: String) throws(CairnError) -> WaymarkedRoute {
    let found = routes.routes(named: name)
    if let route = found.first, found.count == 1 { return route }
    guard !found.isEmpty else {
      throw CairnError(
        "no-such-route", .noInput, "no waymarked route is called “\(printable(name))”",
        at: Location(file: databases.title), hint: "cairn trails list shows all routes")
    }
    let named = found.prefix(6).map { "r\($0.id) (\(printable($0.title)))" }
    throw CairnError(
      "ambiguous-route", .noInput,
      "\(counted(found.count, "route")) match “\(printable(name))”",
      at: Location(file: databases.title),
      hint: "give one relation: \(named.joined(separator: ", "))"
        + (found.count > named.count ? ", …" : ""))
  }

  /// The profile for a route, in an open store.
  func profile(for route: WaymarkedRoute, in store: RoutingStore) throws -> RouteChoice {
    let serves = try route.isForBicycles && store.profileName(for: .cycling) != nil
    return try RouteChoice(arguments, mode: serves ? .cycling : nil).resolved(in: store)
  }
}
