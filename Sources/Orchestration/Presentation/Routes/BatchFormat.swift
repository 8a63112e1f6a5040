// SPDX-License-Identifier: Apache-2.0

import CairnFormatting
import CairnGeodesy
import CairnRouting

/// The format of a route in `cairn routes batch`: its totals on one line.
package enum BatchFormat: String, CaseIterable, Sendable {
  /// Cells between commas.
  case csv
  /// One JSON object per line.
  case jsonl

  /// A pair of points, and its line in the file, from 1.
  package typealias Pair = (line: Int, start: Coordinate, end: Coordinate)

  /// The header before all lines.
  package var header: String {
    switch self {
    case .csv:
      "line,distance_m,duration_s,ascent_m,descent_m,cost,error,start_off_network_m,"
        + "destination_off_network_m,unmet,duration_p10_s,duration_p50_s,duration_p90_s,"
        + "start_where,destination_where,access_date,departure,rules,uncertain_rules,"
        + "start_last_resort,destination_last_resort\n"
    case .jsonl: ""
    }
  }

  /// The line of a route; unknown climb is empty in CSV and null in JSON.
  ///
  /// - Parameters:
  ///   - unmet: The preferences that it violates.
  ///   - places: The locations of start and destination.
  ///   - day: The day of the route.
  ///   - rules: The rules on times that apply to it.
  package func line(
    _ pair: Pair, _ route: ComputedRoute, unmet: [RoutePreference], _ places: [String?],
    _ day: JudgedDay, _ rules: RuleTally?
  ) -> String {
    let isClimbKnown = route.isClimbKnown
    let numbers = [
      route.totalDistance, route.estimatedDuration, isClimbKnown ? route.elevationGain : nil,
      isClimbKnown ? route.elevationLoss : nil, route.totalCost,
    ].map { value in value.map { decimal($0, 1) } ?? (self == .csv ? "" : "null") }
    let points = FoundRoute.offNetwork(route, [pair.start, pair.end])
    let off = points.map { decimal($0.distanceMetres, 1) }
    let lastResorts = points.map(\.lastResort.value)
    let names = unmet.map(\.rawValue)
    let range = route.durationRange.map { [$0.p10, $0.p50, $0.p90].map { decimal($0, 1) } }
    switch self {
    case .csv:
      let cells =
        ["\(pair.line)"] + numbers + [""] + off + [names.joined(separator: " ")]
        + (range ?? ["", "", ""]) + places.map(Self.cell) + Self.cells(day)
        + [rules?.count, rules?.uncertain].map { $0.map { "\($0)" } ?? "" }
        + lastResorts.map { $0 ?? "" }
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
        "\"lastResort\":[\(lastResorts.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ","))]",
        "\"unmet\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]",
        Self.member(places), Self.members(day),
        "\"rules\":"
          + (rules.map {
            "{\"count\":\($0.count),\"uncertain\":\($0.uncertain),"
              + "\"unreadable\":\($0.unreadable)}"
          } ?? "null"),
      ]
      let members = zip(keys, numbers).map { "\"\($0)\":\($1)" } + remarks
      return "{\"line\":\(pair.line),\(members.joined(separator: ","))}\n"
    }
  }

  /// The line of a pair without a route.
  ///
  /// - Parameters:
  ///   - error: The description of the error.
  ///   - places: The locations of start and destination.
  ///   - day: The day of the search.
  package func line(_ pair: Pair, error: String, _ places: [String?], _ day: JudgedDay) -> String {
    switch self {
    // No message contains a quotation mark or a comma between thousands.
    case .csv:
      "\(pair.line),,,,,,\"\(error)\",,,,,,,"
        + (places.map(Self.cell) + Self.cells(day)).joined(separator: ",") + ",,,,\n"
    case .jsonl:
      "{\"line\":\(pair.line),\"error\":\"\(error)\",\(Self.member(places)),"
        + "\(Self.members(day))}\n"
    }
  }

  private static func cells(_ day: JudgedDay) -> [String] {
    [day.accessDate ?? "", day.departure ?? ""]
  }

  private static func members(_ day: JudgedDay) -> String {
    zip(["accessDate", "departure"], [day.accessDate, day.departure]).map { key, text in
      "\"\(key)\":" + (text.map { "\"\($0)\"" } ?? "null")
    }.joined(separator: ",")
  }

  /// A name as a cell of CSV; empty if unknown.
  private static func cell(_ name: String?) -> String {
    let name = printable(name ?? "")
    let isPlain = !name.utf8.contains { "\",".utf8.contains($0) }
    return isPlain ? name : "\"" + name.replacing(scalar: "\"", with: "\"\"") + "\""
  }

  /// Names as a member of a JSON object; null if unknown.
  private static func member(_ names: [String?]) -> String {
    let texts = names.map { name -> String in
      guard let name else { return "null" }
      return "\""
        + printable(name).replacing(scalar: "\\", with: "\\\\")
        .replacing(scalar: "\"", with: "\\\"") + "\""
    }
    return "\"where\":[\(texts.joined(separator: ","))]"
  }
}
