// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Routing
import RoutingDatabase
import SystemIO

/// How `cairn routes batch` prints a route: its totals on one line.
enum BatchFormat: String, CaseIterable {
  case csv, jsonl

  var header: String {
    switch self {
    case .csv:
      "line,distance_m,duration_s,ascent_m,descent_m,cost,error,start_off_network_m,"
        + "destination_off_network_m,unmet,duration_p10_s,duration_p50_s,duration_p90_s,"
        + "start_where,destination_where\n"
    case .jsonl: ""
    }
  }

  /// The line of a route; unknown climb is empty in CSV and null in JSON.
  ///
  /// - Parameters:
  ///   - unmet: The preferences that it goes against.
  ///   - places: Where start and destination lie.
  func line(
    _ pair: RoutePairs.Pair, _ route: ComputedRoute, unmet: [RoutePreference], _ places: [String?]
  ) -> String {
    let isClimbKnown = route.isClimbKnown
    let numbers = [
      route.totalDistance, route.estimatedDuration, isClimbKnown ? route.elevationGain : nil,
      isClimbKnown ? route.elevationLoss : nil, route.totalCost,
    ].map { value in value.map { decimal($0, 1) } ?? (self == .csv ? "" : "null") }
    let off = FoundRoute.offNetwork(route, [pair.start, pair.end])
      .map { decimal($0.distanceMetres, 1) }
    let names = unmet.map(\.rawValue)
    let range = route.durationRange.map { [$0.p10, $0.p50, $0.p90].map { decimal($0, 1) } }
    switch self {
    case .csv:
      let cells =
        ["\(pair.line)"] + numbers + [""] + off + [names.joined(separator: " ")]
        + (range ?? ["", "", ""]) + places.map(Self.cell)
      return cells.joined(separator: ",") + "\n"
    case .jsonl:
      let keys = [
        "distanceMetres", "durationSeconds", "ascentMetres", "descentMetres", "cost",
      ]
      let remarks = [
        "\"durationWithoutClimb\":\(route.unknownClimbMetres > 0)",
        "\"durationRange\":"
          + (range.map { "{\"p10\":\($0[0]),\"p50\":\($0[1]),\"p90\":\($0[2])}" } ?? "null"),
        "\"offNetworkMetres\":[\(off.joined(separator: ","))]",
        "\"unmet\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]",
        Self.member(places),
      ]
      let members = zip(keys, numbers).map { "\"\($0)\":\($1)" } + remarks
      return "{\"line\":\(pair.line),\(members.joined(separator: ","))}\n"
    }
  }

  /// The line of a pair without a route.
  ///
  /// - Parameters:
  ///   - error: The description of the error.
  ///   - places: Where start and destination lie.
  func line(_ pair: RoutePairs.Pair, error: String, _ places: [String?]) -> String {
    switch self {
    // No message contains a quotation mark or a comma between thousands.
    case .csv:
      "\(pair.line),,,,,,\"\(error)\",,,,,,,\(places.map(Self.cell).joined(separator: ","))\n"
    case .jsonl: "{\"line\":\(pair.line),\"error\":\"\(error)\",\(Self.member(places))}\n"
    }
  }

  /// A name as a cell of CSV; empty where it is unknown.
  private static func cell(_ name: String?) -> String {
    let name = printable(name ?? "")
    let isPlain = !name.contains { "\",".contains($0) }
    return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Names as a member of a JSON object; null where one is unknown.
  private static func member(_ names: [String?]) -> String {
    let texts = names.map { name -> String in
      guard let name else { return "null" }
      return "\"" + printable(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        + "\""
    }
    return "\"where\":[\(texts.joined(separator: ","))]"
  }
}

/// How long it takes to find routes in this process. Each route is searched for several times, one
/// search after the other.
struct RouteBenchmark: Encodable {
  /// Pairs that have a route.
  var routes = 0
  /// Pairs that have none.
  var pairsWithoutRoute = 0
  /// The median over the pairs of each pair's median.
  var medianMilliseconds = 0.0
  /// The mean over the pairs of each pair's median.
  var meanMilliseconds = 0.0
  /// The 95th percentile of the medians.
  var percentile95Milliseconds = 0.0
  /// The peak memory of the whole process.
  var peakMegabytes = 0.0

  /// How often each route is searched for after one warm-up round.
  private static let rounds = 5

  init(_ engine: RoutingEngine, _ pairs: [RoutePairs.Pair], _ choice: RouteChoice)
    throws(RoutingError)
  {
    let clock = ContinuousClock()
    var times: [[Double]] = Array(repeating: [], count: pairs.count)
    for round in 0...Self.rounds {
      for (index, pair) in pairs.enumerated() {
        let start = clock.now
        do throws(RoutingError) {
          _ = try choice.findRoute(engine, [pair.start, pair.end])
        } catch {
          guard error.exitCode == .negative else { throw error }
          if case .profileNotAvailable = error { throw error }
          if round == 0 { pairsWithoutRoute += 1 }
          continue
        }
        let elapsed = start.duration(to: clock.now) / Duration.milliseconds(1)
        if round > 0 { times[index].append(elapsed) }
      }
    }
    let medians = times.filter { !$0.isEmpty }.map { $0.sorted()[$0.count / 2] }.sorted()
    routes = medians.count
    peakMegabytes = Double(ResourceUse.current().peakBytes) / 1e6
    guard !medians.isEmpty else { return }
    medianMilliseconds = medians[medians.count / 2]
    meanMilliseconds = medians.reduce(0, +) / Double(medians.count)
    percentile95Milliseconds = medians[medians.count * 95 / 100]
  }
}
