// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import FoundationEssentials
import Glibc
import Guidance
import Routing
import RoutingDatabase

/// How a route that was found becomes one that is planned.
struct RoutePlan {
  /// The options that say more of it.
  static let options: [CommandDefinition.Option] = [
    .option("name", "NAME", help: "the name of a planned route (default: from where to where)"),
    .option(
      "created", "TIME",
      help: "when it was planned, in ISO 8601 (default: SOURCE_DATE_EPOCH, or now)"),
  ]

  let name: String?
  let createdAt: Date

  /// Reads the options. Throws 64 for what is no time.
  init(_ arguments: Arguments) throws(CairnError) {
    name = arguments.value("name")
    guard let text = arguments.value("created") else {
      let epoch = getenv("SOURCE_DATE_EPOCH").flatMap { Double(String(cString: $0)) }
      createdAt = epoch.map { Date(timeIntervalSince1970: $0) } ?? Date()
      return
    }
    guard let time = isoTime(text) else {
      throw arguments.usageError(
        "--created: “\(printable(text))” is no time such as "
          + "2026-07-15T08:30:00Z")
    }
    createdAt = time
  }

  /// The route with instructions and the elevation along it.
  func planned(
    _ route: ComputedRoute, _ choice: RouteChoice, _ engine: RoutingEngine, _ store: RoutingStore
  ) throws(RoutingError) -> PlannedRoute {
    let names = try store.profileNames()
    let instructions = try TurnInstructionGenerator.generate(
      from: route, in: store, profile: names.contains(choice.profileName) ? choice.profileName : nil
    )
    let name = name ?? Self.title(route)
    let line = route.coordinates.map { PlannedRoute.LinePoint(coordinate: $0) }
    return PlannedRoute.from(
      computedRoute: route, name: name, mode: choice.mode, instructions: instructions,
      profile: try engine.elevationProfile(of: route),
      regionId: try store.metadata()[RoutingMetadataKey.region],
      id: PlannedRoute.id(name: name, mode: choice.mode.rawValue, line: line),
      createdAt: createdAt)
  }

  /// “Dorfstraße – Krähenjochweg”, or the places where those have no name.
  private static func title(_ route: ComputedRoute) -> String {
    func place(_ node: RoutingNode?) -> String {
      node.map { "\(decimal($0.latitude, 4)),\(decimal($0.longitude, 4))" } ?? ""
    }
    let first = route.edges.first { !$0.isBarrier }?.name ?? place(route.nodes.first)
    let last = route.edges.last { !$0.isBarrier }?.name ?? place(route.nodes.last)
    return first == last ? first : "\(first) – \(last)"
  }
}

/// A time in ISO 8601, with parts of a second or without.
func isoTime(_ text: String) -> Date? {
  let whole = Date.ISO8601FormatStyle()
  let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  return (try? whole.parse(text)) ?? (try? fractional.parse(text))
}
