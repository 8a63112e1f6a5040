// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnTagRules
import CommandLineKit
import TrailData

extension ComputeCostsCommand {
  /// The value of `--date`, if given. Throws 64 if it is not a calendar date.
  static func chosenDate(_ arguments: Arguments) throws(CairnError) -> CalendarDate? {
    guard let text = arguments.value("date") else { return nil }
    guard let date = CalendarDate(text) else {
      throw arguments.usageError(
        "--date must be a calendar date, not “\(text)”",
        hint: "write it as YYYY-MM-DD, such as 2026-07-15")
    }
    return date
  }

  /// The day for which seasons are evaluated, in the hemisphere of most nodes of the graph.
  static func accessDate(of graph: GraphFile, chosen: CalendarDate?) -> CalendarDate? {
    let timestamp = graph.container.provenance.dataTimestamp
    var date = chosen ?? timestamp.flatMap(CalendarDate.init(timestamp:))
    date?.isSouthern = graph.latitudes.count { $0 < 0 } > graph.latitudes.count / 2
    return date
  }

  /// Counts the durations of ferries that cannot be read, or that no ferry is fast enough for.
  static func unbelievableDurations(_ graph: GraphFile) -> WarningTally {
    var warnings = WarningTally()
    for edge in FerryTimes(graph).unbelievable {
      let tags = graph.tagList(ofTagSet: Int(graph.wayTagSets[Int(graph.ways[edge])]))
      warnings.add(
        "unbelievable-duration", name(ofWayOf: edge, graph) + "duration=\(tags["duration"] ?? "")")
    }
    return warnings
  }

  /// `way ID at LAT,LON: ` of an edge.
  private static func name(ofWayOf edge: Int, _ graph: GraphFile) -> String {
    let node = Int(graph.from[edge])
    let point = FixedCoordinate(
      latitude: graph.latitudes[node], longitude: graph.longitudes[node])
    return "way \(graph.wayIDs[Int(graph.ways[edge])]) at \(point.text): "
  }

  /// Counts the access tags that cannot be interpreted, once per distinct set of tags, with the
  /// first way of the set; the sets of the longest ways come first.
  static func unclearAccess(_ graph: GraphFile) -> WarningTally {
    var found: [UInt32: [(kind: String, tag: String)]] = [:]
    for set in 0..<graph.tagSets.count {
      let tags = graph.tagList(ofTagSet: set)
      let unclear =
        Access.unreadableConditions(tags).map { (kind: "unreadable-condition", tag: $0) }
        + Access.unknownValues(tags).map { (kind: "unknown-access-value", tag: $0) }
      if !unclear.isEmpty { found[UInt32(set)] = unclear }
    }
    guard !found.isEmpty else { return WarningTally() }
    var uses: [UInt32: (edge: Int, metres: Double)] = [:]
    for edge in 0..<graph.from.count {
      let set = graph.wayTagSets[Int(graph.ways[edge])]
      if found[set] != nil { uses[set, default: (edge, 0)].metres += graph.distances[edge] }
    }
    var warnings = WarningTally()
    for (set, unclear) in found.sorted(by: { $0.key < $1.key }) {
      let use = uses[set]
      let head = use.map { name(ofWayOf: $0.edge, graph) }
      for (kind, tag) in unclear {
        warnings.add(kind, severity: use?.metres ?? 0, (head ?? "") + tag)
      }
    }
    return warnings
  }
}
