// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import SystemIO

/// `cairn isochrone`: everything that can be reached within a time.
struct IsochroneCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn isochrone",
    summary: "compute what can be reached from a point within a time, as GeoJSON",
    discussion: """
      Prints one feature per time limit with all ways that can be reached within it, using the \
      travel times stored in the database; partly reached ways are cut where the time runs out. \
      Each feature contains those of shorter limits. With --polygons, prints areas instead: the \
      cells of a 100 m grid that contain a reached way. The property cellMetres states the size of \
      the cells, which are larger for very large areas. Coordinates on the command line are \
      LAT,LON in degrees: latitude first; in GeoJSON, longitude comes first. The property \
      offNetworkMetres says how far the start lies from the path or road that it was snapped to, \
      and a note on stderr if that is more than 20 m; accessDate and departure for which day it was \
      judged what is open.
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option("from", "LAT,LON", required: true, help: "start; \(RouteRequest.namedPlace)"),
      .option("minutes", "LIST", required: true, help: "time limits in minutes, such as 30,60,90"),
      .flag("polygons", help: "print areas instead of ways"),
      .option("output", "FILE", help: "file to write (default stdout)"),
    ] + RouteChoice.profileOptions,
    examples: [
      "cairn isochrone valley.routing.db --from 47.0301,10.0502 --minutes 30,60,90",
      "cairn isochrone valley.routing.db --from 47.0301,10.0502 --minutes 120 --polygons "
        + "--output reach.geojson",
    ])

  /// How many time limits may be given, and the longest one: a week.
  private static let maximumCount = 20
  private static let maximumMinutes = 10_080.0

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let databases = try DatabaseChoice(arguments.positionals)
    let start = try arguments.point("from", beside: databases.paths)
    let minutes = try minutes(arguments)
    let requested = try RouteChoice(arguments)
    let (isochrones, day) = try withStore(databases, requested, points: [start]) {
      store -> ([Isochrone], JudgedDay) in
      let choice = try requested.resolved(in: store)
      let isochrones = try choice.engine(on: store).isochrones(
        from: start, limitsSeconds: minutes.map { $0 * 60 }, profile: choice.profile)
      return (isochrones, try JudgedDay(choice.otherDay, store))
    }
    let offNetwork = isochrones.first.map {
      FoundRoute.OffNetwork(
        start: haversineDistance(start, $0.start), isCutOff: $0.startIsCutOff)
    }
    let features = IsochroneFeatures(
      isochrones, area: arguments.has("polygons") ? IsochroneArea(isochrones) : nil,
      offNetworkMetres: offNetwork?.distanceMetres ?? 0, day: day)
    for line in FoundRoute.lines(offNetwork.map { [$0] } ?? []) {
      Console.note("\(definition.name): \(line)")
    }
    let bytes = try encodeJSON(features, pretty: false)
    guard let output = arguments.outputFile else {
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    }
    try AtomicOutput.write(bytes, to: output, replacing: isGeoJSONOfCairn)
    return .success
  }

  /// The distinct time limits in ascending order. Throws 64 for an invalid list.
  private static func minutes(_ arguments: Arguments) throws(CairnError) -> [Double] {
    let text = try arguments.required("minutes")
    var minutes: Set<Double> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let isDecimal = part.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
      guard isDecimal, let number = Double(part), number > 0, number <= maximumMinutes else {
        throw arguments.usageError(
          "--minutes takes numbers above 0 and up to 10080 (a week), such as 30,60,90, not “\(text)”"
        )
      }
      minutes.insert(number)
    }
    guard minutes.count <= maximumCount else {
      throw arguments.usageError("--minutes takes at most \(maximumCount) numbers")
    }
    return minutes.sorted()
  }
}
