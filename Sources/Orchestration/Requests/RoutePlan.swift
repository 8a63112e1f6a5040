// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CairnSearch
import CommandLineKit
import FoundationEssentials
import Glibc
import Presentation
import SystemIO

/// Turns a computed route into a planned route.
package struct RoutePlan {
  /// The options for its name and time.
  package static let options: [CommandDefinition.Option] = [
    .option(
      "name", "NAME",
      help: "name of a planned route or GPX file (default: its places, or first and last way)"),
    .option(
      "created", "TIME",
      help: "creation time of a planned route in ISO 8601 (default: SOURCE_DATE_EPOCH, or now)"),
    noWaypoints,
  ]

  /// The option for a GPX file without waypoints.
  package static let noWaypoints = CommandDefinition.Option.flag(
    "no-waypoints",
    help: "leave out the waypoints of GPX: warnings, and huts, summits and passes on the route")

  /// The name; nil for the title of the route.
  package private(set) var name: String?
  /// When it was made.
  package let createdAt: Date
  private let hasWaypoints: Bool

  /// A plan without a name of its own.
  package init(createdAt: Date, hasWaypoints: Bool) {
    (name, self.createdAt, self.hasWaypoints) = (nil, createdAt, hasWaypoints)
  }

  /// Reads the options. Throws 64 for an invalid time, and for waypoints left out of a file that has
  /// none.
  package init(_ arguments: Arguments) throws(CairnError) {
    name = arguments.value("name")
    hasWaypoints = try Self.hasWaypoints(arguments)
    guard let text = arguments.value("created") else {
      createdAt = try currentTime()
      return
    }
    guard let time = parsedTimestamp(text) else {
      throw arguments.usageError(
        "--created takes a time such as 2026-07-15T08:30:00Z, not “\(printable(text))”")
    }
    createdAt = time
  }

  /// Whether a GPX file has waypoints. Throws 64 if they are left out of a file that has none.
  package static func hasWaypoints(_ arguments: Arguments) throws(CairnError) -> Bool {
    guard arguments.has("no-waypoints") else { return true }
    guard arguments.value("format") == RouteFormat.gpx.rawValue else {
      throw arguments.usageError("--no-waypoints needs --format gpx")
    }
    return false
  }

  /// The same with a name.
  package func named(_ name: String) -> RoutePlan {
    var plan = self
    plan.name = name
    return plan
  }

  /// Routes with the waypoints of their GPX file, or without any if those are not wanted.
  ///
  /// - Parameter search: Opens the places of the databases; nil if there are none.
  package func withWaypoints(
    _ routes: [FoundRoute], from databases: DatabaseChoice,
    _ search: () throws(CairnError) -> SearchSet?
  ) throws(CairnError) -> [FoundRoute] {
    guard hasWaypoints else { return routes.map { $0.withoutWaypoints() } }
    guard let places = try search() else { return routes }
    do throws(SearchError) {
      return try routes.map { route throws(SearchError) in try route.withLandmarks(places) }
    } catch { throw error.ofCommand(at: title(of: databases.paths.compactMap(placesBeside))) }
  }

  /// The route with instructions and elevation profile; for a resolved choice. The closures of
  /// adjoining ways come from the profile in the database.
  ///
  /// - Parameter places: The names of its points; see ``FoundRoute/names``.
  package func planned(
    _ route: ComputedRoute, through places: [String?] = [], _ choice: RouteChoice,
    _ store: RoutingStore
  ) throws(RoutingError) -> PlannedRoute {
    let instructions = try TurnInstructionGenerator.generate(
      from: route, in: store, profile: choice.chosen?.storedName)
    let name = name ?? PlannedRoute.title(of: route, through: places)
    let metadata = try store.metadata()
    let line = route.coordinates.map { PlannedRoute.LinePoint(coordinate: $0) }
    let needed = try store.regionIds(of: route)
    var planned = PlannedRoute.from(
      computedRoute: route, name: name, mode: choice.mode, instructions: instructions,
      profile: try RoutingEngine(store: store).elevationProfile(of: route),
      regionId: needed.first,
      profileName: choice.profile ?? metadata[RoutingMetadataKey.profile],
      id: PlannedRoute.id(name: name, mode: choice.mode.rawValue, line: line),
      createdAt: createdAt)
    planned.regionIds = needed.count > 1 ? needed : nil
    planned.day = try store.judgedDay(of: route)
    return planned
  }
}

/// The time of a new record: SOURCE_DATE_EPOCH, or now. Throws 64 if that variable is invalid.
package func currentTime() throws(CairnError) -> Date {
  guard let epoch = getenv("SOURCE_DATE_EPOCH") else { return Date() }
  return Date(timeIntervalSince1970: Double(try sourceDateEpoch(String(cString: epoch))))
}

extension PlannedRoute {
  /// An id derived from the content of the route, so that the same route is not stored twice.
  package static func id(name: String, mode: String, line: [LinePoint]) -> UUID {
    let digest = SHA256Digest()
    digest.update("\(mode)\n\(name)\n")
    for point in line {
      digest.update(
        "\(point.coordinate.latitude) \(point.coordinate.longitude) "
          + "\(point.elevation.map { "\($0)" } ?? "")\n")
    }
    return UUID(version8: digest)
  }
}
