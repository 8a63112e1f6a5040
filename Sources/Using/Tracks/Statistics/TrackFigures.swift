// SPDX-License-Identifier: Apache-2.0
import CairnGPX

/// The figures of the tracks of a file.
package struct TrackFigures: Sendable {
  /// Each track with its name.
  package let tracks: [(name: String?, report: TrackReport)]
  /// All segments as one.
  package let total: TrackReport

  /// Measures tracks, each by itself and all together; see ``TrackReport``.
  package init(_ lines: [GPXFile.Line], smoothing: ElevationSmoothing, splitMetres: Double?) {
    tracks = lines.map {
      ($0.name, TrackReport(segments: $0.segments, smoothing: smoothing, splitMetres: splitMetres))
    }
    total =
      tracks.count == 1
      ? tracks[0].report
      : TrackReport(
        segments: lines.flatMap(\.segments), smoothing: smoothing, splitMetres: splitMetres)
  }
}
