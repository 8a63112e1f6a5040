// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGuidance
import CairnSearch
import CommandLineKit
import FoundationEssentials
import Presentation
import Requests
import SystemIO

/// `cairn planned list`: the planned routes in a folder.
struct PlannedListCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn planned list",
    summary: "list the planned routes in a folder, newest first",
    positionals: [.init("FOLDER", help: "a folder of planned routes, one JSON file each")],
    options: [.flag("json", help: "print JSON"), LanguageChoice.option],
    examples: ["cairn planned list routes"])

  private struct Row: Encodable {
    var id: String
    var name: String
    var mode: String
    var createdAt: String
    var totalDistance: Double
    var elevationGain: Nullable<Double>
    var elevationLoss: Nullable<Double>
    var estimatedDuration: Double
  }

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let language = try LanguageChoice.language(arguments, unless: "json")
    let routes = try plannedRoutes(arguments.positionals[0]).routes
    if arguments.has("json") {
      let rows = routes.map {
        Row(
          id: $0.id.uuidString, name: $0.name, mode: $0.mode.rawValue,
          createdAt: $0.createdAt.formatted(.iso8601), totalDistance: $0.totalDistance,
          elevationGain: Nullable($0.knownGain), elevationLoss: Nullable($0.knownLoss),
          estimatedDuration: $0.estimatedDuration)
      }
      try Console.write(String(decoding: try encodeJSON(rows), as: UTF8.self))
      return .success
    }
    guard !routes.isEmpty else {
      Console.note("cairn planned: no planned routes in \(arguments.positionals[0])")
      return .success
    }
    let rows = routes.map { route in
      [
        String(route.id.uuidString.prefix(8)),
        String(route.createdAt.formatted(.iso8601).prefix(10)),
        language.term(route.mode.rawValue),
        language.length(kilometresOf: route.totalDistance, decimals: 1),
        route.knownGain.map { "+\(language.length(metres: $0))" } ?? "–",
        duration(route.estimatedDuration), printable(route.name),
      ]
    }
    let columns: [TextTable.Alignment] = [.left, .left, .left, .right, .right, .right, .left]
    try Console.write(TextTable(columns, rows: rows).fitting(Console.columns).text)
    return .success
  }
}

/// `cairn planned export`: one route in a format for other programs.
struct PlannedExportCommand: Command {
  private enum Format: String, CaseIterable { case gpx, geojson, json }

  static let definition = CommandDefinition(
    name: "cairn planned export",
    summary: "export a planned route as GPX, GeoJSON or JSON",
    positionals: PlannedRouteArgument.positionals,
    options: [
      .option("format", "FORMAT", help: "gpx, geojson or json (default gpx)"),
      .option(
        "places", "DB",
        help: "a .places.db, or a database beside one, for huts, summits and passes on the route"),
      RoutePlan.noWaypoints,
      .option("output", "FILE", help: "file to write (default stdout)"),
    ],
    examples: [
      "cairn planned export routes Krähenjoch --output hike.gpx",
      "cairn planned export krähenjoch.json --format geojson",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let names = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: names).flatMap(Format.init) ?? .gpx
    for name in ["places", "no-waypoints"] where arguments.has(name) && format != .gpx {
      throw arguments.usageError("--\(name) needs --format gpx")
    }
    let route = try PlannedRouteArgument.route(arguments)
    let text =
      switch format {
      case .gpx: try gpx(route, arguments)
      case .geojson: try route.geoJSON()
      case .json: String(decoding: try route.json(), as: UTF8.self)
      }
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output) { head in
        switch format {
        case .gpx: GPXExporter.recognises(head: head, ofCreator: "cairn ")
        case .geojson: isGeoJSONOfCairn(head)
        // It has no room for a signature, since apps read it.
        case .json: isPlannedRoute(output)
        }
      }
    } else {
      try Console.write(text)
    }
    return .success
  }
}

extension PlannedExportCommand {
  private static func gpx(_ route: PlannedRoute, _ arguments: Arguments) throws(CairnError)
    -> String
  {
    let hasWaypoints = !arguments.has("no-waypoints")
    var landmarks: [SearchResult] = []
    if hasWaypoints, let places = arguments.value("places") {
      let path = try placesPath(places)
      do throws(SearchError) {
        landmarks = try Landmarks.along(route.coordinates, try SearchSet(paths: [path]))
      } catch { throw error.ofCommand(at: path) }
    }
    return route.gpx(with: landmarks, showsWarnings: hasWaypoints)
  }
}

/// `cairn planned delete`: removes one route.
struct PlannedDeleteCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn planned delete",
    summary: "delete a planned route",
    discussion: """
      Does not ask for confirmation. Only planned routes are deleted, and none if several have the \
      name.
      """,
    positionals: [
      .init("FOLDER", help: "a folder of planned routes"),
      .init("ROUTE", help: "the name of the route, or the first characters of its id"),
    ],
    options: [],
    examples: ["cairn planned delete routes Krähenjoch"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let store = try plannedRoutes(arguments.positionals[0])
    let route = try store.route(called: arguments.positionals[1])
    do throws(PlannedRouteStore.Failure) { try store.delete(id: route.id) } catch {
      throw cairnError(error)
    }
    Console.note("cairn planned: deleted \(printable(route.name))")
    return .success
  }
}
