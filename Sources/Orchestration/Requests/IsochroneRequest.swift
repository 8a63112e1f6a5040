// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation

/// A request for the area reachable from a point.
package struct IsochroneRequest {
  /// The options that describe it.
  package static let options: [CommandDefinition.Option] =
    [
      .option("from", "LAT,LON", required: true, help: "start; \(RouteRequest.namedPlace)"),
      .option("minutes", "LIST", required: true, help: "time limits in minutes, such as 30,60,90"),
      .flag("ways", help: "print the reached ways instead of areas"),
    ]

  /// The most time limits, and the longest one: a week.
  private static let maximumCount = 20
  private static let maximumMinutes = 10_080.0

  /// The databases to search.
  package let databases: DatabaseChoice
  /// The start.
  package let start: Coordinate
  /// The profile and the day.
  package private(set) var choice: RouteChoice
  private let minutes: [Double]
  private let givesAreas: Bool

  /// Reads the options. Throws 64 for an invalid point or list.
  package init(_ arguments: Arguments) throws(CairnError) {
    databases = try DatabaseChoice(arguments.positionals)
    start = try arguments.point("from", beside: databases.paths).coordinate
    minutes = try Self.minutes(arguments)
    choice = try RouteChoice(arguments)
    givesAreas = !arguments.has("ways")
  }

  /// Makes a request from given values and the list of `--minutes`. Throws 64 for an invalid list.
  package init(
    _ arguments: Arguments, from start: Coordinate, in databases: DatabaseChoice,
    _ choice: RouteChoice
  ) throws(CairnError) {
    (self.start, self.databases, self.choice) = (start, databases, choice)
    minutes = try Self.minutes(arguments)
    givesAreas = !arguments.has("ways")
  }

  /// The request with the profile that it means in a database.
  package func resolved(in store: RoutingStore, quietly: Bool = false) throws -> IsochroneRequest {
    var request = self
    request.choice = try choice.resolved(in: store, quietly: quietly)
    return request
  }

  /// The reachable area, and the distance of the start from the network; for a request that is
  /// ``resolved(in:)``.
  ///
  /// - Parameter engine: The engine of the choice, if kept for many requests.
  package func features(_ store: RoutingStore, on engine: RoutingEngine? = nil) throws -> (
    features: IsochroneFeatures, offNetwork: FoundRoute.OffNetwork?
  ) {
    let isochrones = try (engine ?? choice.engine(on: store)).isochrones(
      from: start, limitsSeconds: minutes.map { $0 * 60 }, profile: choice.profile)
    let offNetwork = isochrones.first.map {
      FoundRoute.OffNetwork(
        start: haversineDistance(start, $0.start), isCutOff: $0.startIsCutOff,
        $0.startLastResort)
    }
    return (
      IsochroneFeatures(
        isochrones, area: givesAreas ? IsochroneArea(isochrones) : nil,
        offNetworkMetres: offNetwork?.distanceMetres ?? 0,
        day: try JudgedDay(choice.otherDay, store)), offNetwork
    )
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
