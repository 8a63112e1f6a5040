// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Presentation
import SystemIO
import TuningSuites

/// A list of starts and ends: lines `LAT,LON,LAT,LON`, see ``PointList``.
struct RoutePairs {
  let pairs: [BatchFormat.Pair]

  /// Reads a file, or standard input for `-`. Throws 66 if it does not exist, and 65 for lines
  /// without a pair.
  init(_ path: String) throws(CairnError) {
    let list: PointList
    if path == "-" {
      let copy = try StandardInputCopy()
      list = try PointList(
        text: InputFile(copy.path).readAll(limit: PointList.limitBytes), file: "stdin",
        pointsPerLine: 2)
    } else {
      list = try PointList(path, pointsPerLine: 2)
    }
    pairs = list.lines.map {
      (line: $0.number, start: $0.points[0], end: $0.points[1])
    }
  }
}
