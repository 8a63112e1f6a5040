// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy

/// A list of starts and ends: lines `LAT,LON,LAT,LON`, see ``PlaceLines``.
struct RoutePairs {
  /// A line of the list.
  struct Pair {
    /// The number of the line, from 1.
    var line: Int
    var start: Coordinate
    var end: Coordinate
  }

  let pairs: [Pair]

  /// Reads a file. Throws 66 if it is not there, and 65 for lines that are no pairs.
  init(_ path: String) throws(CairnError) {
    pairs = try PlaceLines(path, placesPerLine: 2).lines.map {
      Pair(line: $0.number, start: $0.places[0], end: $0.places[1])
    }
  }
}
