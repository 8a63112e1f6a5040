// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Reporting
import Routing
import RoutingDatabase
import SystemIO

/// `cairn profile DB`: the elevation along a route, as a drawing or as numbers.
struct RouteProfileCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn profile",
    summary: "draw the elevation along a route in a .routing.db",
    discussion: """
      Finds a route as cairn route does and draws its elevation over its distance, coloured by \
      slope. Where the elevation is unknown the curve has a gap. Ends with 1 where there is no \
      route, and says why.
      """,
    positionals: [.init("DB", help: "a routing database")],
    options: RouteRequest.options + [
      .option("title", "TEXT", help: "what stands above the drawing"),
      .option("format", "FORMAT", help: "svg, json or csv (default svg)"),
      .option("output", "FILE", help: "where to write it (default stdout)"),
    ],
    examples: [
      "cairn profile valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403 "
        + "--output hike.svg"
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .svg
    let (route, profile) = try withStore(arguments.positionals[0]) {
      store throws(RoutingError) -> (ComputedRoute, ElevationProfile) in
      let engine = RoutingEngine(store: store)
      let route = try request.findRoute(engine)
      return (route, try engine.elevationProfile(of: route))
    }
    let text = try format.text(route, profile, title: arguments.value("title"))
    if let output = arguments.value("output") {
      try AtomicOutput.write(Array(text.utf8), to: output, replacing: format.recognises)
    } else {
      try Console.write(text)
    }
    return .success
  }

  /// How the elevation is told.
  private enum Format: String, CaseIterable {
    case svg, json, csv

    func text(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?)
      throws(CairnError) -> String
    {
      switch self {
      case .svg:
        // What nobody knows is no climb of 0 m.
        let isClimbKnown = profile.points.contains { $0.elevationMetres != nil }
        return ElevationChart(
          points: profile.points.map { ($0.distanceMetres, $0.elevationMetres) }, title: title,
          totals: .init(
            distanceMetres: route.totalDistance,
            ascentMetres: isClimbKnown ? route.elevationGain : .nan,
            descentMetres: isClimbKnown ? route.elevationLoss : .nan,
            seconds: route.estimatedDuration)
        ).svg
      case .json:
        return String(
          decoding: try encodeJSON(ProfileRecord(route, profile, title: title), pretty: false),
          as: UTF8.self)
      case .csv:
        return Self.csvHeader + "\n"
          + profile.points.map { point in
            decimal(point.distanceMetres, 1) + ","
              + (point.elevationMetres.map { decimal($0, 1) } ?? "") + "\n"
          }.joined()
      }
    }

    private static let csvHeader = "distance_m,elevation_m"

    /// Whether a file is one that this command may have written in this format.
    func recognises(_ head: [UInt8]) -> Bool {
      let text = String(decoding: head, as: UTF8.self)
      return switch self {
      case .svg: text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ")
      case .json: text.hasPrefix(#"{"distanceMetres":"#)
      case .csv: text.hasPrefix(Self.csvHeader)
      }
    }
  }
}

/// The elevation along a route in JSON.
private struct ProfileRecord: Encodable {
  var title: String?
  var distanceMetres: Double
  var elevationGainMetres: Double
  var elevationLossMetres: Double
  var durationSeconds: Double
  /// Metres from the start, and metres above sea level or null.
  var points: [[Double?]]

  init(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?) {
    self.title = title
    distanceMetres = route.totalDistance
    elevationGainMetres = route.elevationGain
    elevationLossMetres = route.elevationLoss
    durationSeconds = route.estimatedDuration
    points = profile.points.map {
      [Self.tenths($0.distanceMetres), $0.elevationMetres.map(Self.tenths)]
    }
  }

  private static func tenths(_ metres: Double) -> Double { (metres * 10).rounded() / 10 }
}
