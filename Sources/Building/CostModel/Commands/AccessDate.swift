// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import TagRules
import TrailData

extension ComputeCostsCommand {
  /// The value of `--date`, if given. Throws 64 if it is not a calendar date.
  static func chosenDate(_ arguments: Arguments) throws(CairnError) -> CalendarDate? {
    guard let text = arguments.value("date") else { return nil }
    guard let date = CalendarDate(text) else {
      throw arguments.usageError(
        "--date must be a day of the calendar, not “\(text)”",
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

  /// Counts the access tags that cannot be interpreted, once per distinct set of tags.
  static func unclearAccess(_ graph: GraphFile) -> WarningTally {
    var warnings = WarningTally()
    for set in 0..<graph.tagSets.count {
      let tags = graph.wayTags(ofTagSet: set)
      for tag in Access.unreadableConditions(tags) { warnings.add("unreadable-condition", tag) }
      for tag in Access.unknownValues(tags) { warnings.add("unknown-access-value", tag) }
    }
    return warnings
  }
}
