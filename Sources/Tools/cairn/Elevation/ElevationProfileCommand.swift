// SPDX-License-Identifier: Apache-2.0

import Charts
import CommandLineKit
import Diagnostics
import Formatting
import Routing
import RoutingDatabase
import SystemIO

/// `cairn elevation-profile DB`: the elevation profile of a route as a chart or as numbers.
struct ElevationProfileCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn elevation-profile",
    summary: "draw the elevation profile of a route in a .routing.db",
    discussion: """
      Finds a route like cairn route and draws its elevation over its distance, coloured by \
      slope. The curve has gaps where the elevation is unknown. Exits with 1, and says why, if \
      there is no route. The earlier name of this command, cairn profile DB, still works.
      """,
    positionals: [.init("DB", help: "a routing database, or the folder of a bundle")],
    options: RouteRequest.options + [
      .option("title", "TEXT", help: "title of the chart"),
      .option("format", "FORMAT", help: "svg, json or csv (default svg)"),
      .option("output", "FILE", help: "file to write (default stdout)"),
    ],
    examples: [
      "cairn elevation-profile valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--output hike.svg"
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .svg
    let (found, profile) = try withStore(arguments.positionals[0], request.choice) {
      store -> (FoundRoute, ElevationProfile) in
      let found = try request.resolved(in: store).findRoute(store)
      return (found, try RoutingEngine(store: store).elevationProfile(of: found.route))
    }
    let text = try format.text(found.route, profile, title: arguments.value("title"))
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output, replacing: format.recognises)
    } else {
      try Console.write(text)
    }
    for note in found.notes(isText: false) { Console.note("\(definition.name): \(note)") }
    return .success
  }

  /// How the elevation profile is written.
  private enum Format: String, CaseIterable {
    case svg, json, csv

    func text(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?)
      throws(CairnError) -> String
    {
      switch self {
      case .svg:
        // An unknown climb is not a climb of 0 m.
        let chart = ElevationChart(
          points: profile.points.map { ($0.distanceMetres, $0.elevationMetres) }, title: title,
          totals: .init(
            distanceMetres: route.totalDistance,
            ascentMetres: route.isClimbKnown ? route.elevationGain : nil,
            descentMetres: route.isClimbKnown ? route.elevationLoss : nil,
            seconds: route.estimatedDuration),
          viaMetres: route.viaNodes.map { node in
            route.edges.prefix(node).reduce(0) { $0 + $1.distance }
          })
        return signedSVG(chart.svg)
      case .json:
        return String(
          decoding: try encodeJSON(
            ElevationProfileRecord(route, profile, title: title), pretty: false),
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

    /// Whether a file with these first bytes may have been written by this command in this format.
    func recognises(_ head: [UInt8]) -> Bool {
      let text = String(decoding: head, as: UTF8.self)
      return switch self {
      case .svg: isSVGOfCairn(head)
      case .json: text.hasPrefix(#"{"distanceMetres":"#)
      case .csv: text.hasPrefix(Self.csvHeader + "\n0.0,")
      }
    }
  }
}

/// The elevation profile of a route as JSON.
private struct ElevationProfileRecord: Encodable {
  var title: String?
  var distanceMetres: Double
  var elevationGainMetres: Nullable<Double>
  var elevationLossMetres: Nullable<Double>
  var durationSeconds: Double
  var durationWithoutClimb: Bool
  /// Metres from the start, and metres above sea level or null.
  var points: [[Double?]]

  init(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?) {
    self.title = title
    distanceMetres = route.totalDistance
    elevationGainMetres = Nullable(route.isClimbKnown ? route.elevationGain : nil)
    elevationLossMetres = Nullable(route.isClimbKnown ? route.elevationLoss : nil)
    durationSeconds = route.estimatedDuration
    durationWithoutClimb = route.unknownClimbMetres > 0
    points = profile.points.map {
      [tenths($0.distanceMetres), $0.elevationMetres.map(tenths)]
    }
  }
}
