// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGPX

/// Tracks as CSV, one point per line; unknown values are empty.
package struct TrackCSV {
  /// The first line.
  package static let header = "track,segment,latitude,longitude,elevation_m,time\n"
  /// The lines.
  package let text: String

  /// Lists the points of some tracks.
  package init(_ tracks: [GPXFile.Line]) {
    var text = Self.header
    for (track, line) in tracks.enumerated() {
      for (segment, points) in line.segments.enumerated() {
        for point in points {
          let coordinate = point.coordinate
          text += "\(track + 1),\(segment + 1),\(decimal(coordinate.latitude, 7)),"
          text += "\(decimal(coordinate.longitude, 7)),"
          text += (point.elevation.map { shortDecimal($0, 3) } ?? "") + ","
          text += (point.time.map(isoText) ?? "") + "\n"
        }
      }
    }
    self.text = text
  }
}
