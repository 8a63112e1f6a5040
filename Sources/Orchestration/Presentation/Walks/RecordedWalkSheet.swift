// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnLocationProviders
import CommandLineKit

/// Recorded walks, each along a planned route, and how well guidance served on them.
package struct RecordedWalkSheet {
  /// The name of a track's file, and the judgement; nil if it follows no route.
  package typealias Walk = (track: String, judged: RecordedWalk?)

  private struct Record: Encodable {
    var track: String
    var route: Nullable<String>
    var seconds: Double?
    var turnsPassed: Int?
    var turnsTold: Int?
    var missedTurns: Int?
    var lateWarnings: Int?
    var alarms: Int?
    var falseAlarms: Int?
    var arrived: Bool?
  }

  private let walks: [Walk]

  /// Lists some walks.
  package init(_ walks: [Walk]) { self.walks = walks }

  /// A line for each track.
  package var text: String {
    let header = [
      "track", "route", "time", "turns passed", "told", "missed", "late", "alarms", "false", "end",
    ]
    let rows = walks.map { walk in
      guard let judged = walk.judged else {
        return [printable(walk.track), "(follows none)"] + header.dropFirst(2).map { _ in "–" }
      }
      return [
        printable(walk.track), printable(judged.route.name), duration(judged.seconds),
        grouped(judged.passed), grouped(judged.told), grouped(judged.missed), grouped(judged.late),
        grouped(judged.alarms), grouped(judged.falseAlarms),
        judged.hasArrived ? "arrived" : percent(judged.progress),
      ]
    }
    return TextTable(
      [.left, .left] + header.dropFirst(2).map { _ in .right }, rows: [header] + rows
    ).text
  }

  /// An array with an object for each track.
  package var json: String {
    get throws(CairnError) {
      let records = walks.map { walk in
        var record = Record(track: walk.track, route: Nullable(walk.judged?.route.name))
        guard let judged = walk.judged else { return record }
        record.seconds = tenths(judged.seconds)
        record.turnsPassed = judged.passed
        record.turnsTold = judged.told
        record.missedTurns = judged.missed
        record.lateWarnings = judged.late
        record.alarms = judged.alarms
        record.falseAlarms = judged.falseAlarms
        record.arrived = judged.hasArrived
        return record
      }
      return String(decoding: try encodeJSON(records), as: UTF8.self)
    }
  }
}
