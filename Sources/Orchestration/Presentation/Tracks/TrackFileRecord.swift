// SPDX-License-Identifier: Apache-2.0

import CairnTracks
import CommandLineKit

/// The figures of a file as JSON: metres, seconds, metres per second; null if unknown.
package struct TrackFileRecord: Encodable {
  private struct Track: Encodable {
    var name: Nullable<String>
    var total: Figures
    var segments: [Figures]
    var splits: [Split]
  }

  private struct Figures: Encodable {
    var points: Int
    var distanceMetres: Double
    var plainMetres: Double
    var movingMetres: Nullable<Double>
    var start: Nullable<String>
    var end: Nullable<String>
    var recordedSeconds: Nullable<Double>
    var movingSeconds: Nullable<Double>
    var restingSeconds: Nullable<Double>
    var averageSpeed: Nullable<Double>
    var movingSpeed: Nullable<Double>
    var maximumSpeed: Nullable<Double>
    var ascentMetres: Nullable<Double>
    var descentMetres: Nullable<Double>
    var unknownClimbMetres: Double
    var lowestMetres: Nullable<Double>
    var highestMetres: Nullable<Double>
    var untimelyPoints: Int

    init(_ statistics: TrackStatistics) {
      points = statistics.pointCount
      distanceMetres = tenths(statistics.distanceMetres)
      plainMetres = tenths(statistics.plainMetres)
      movingMetres = Nullable(statistics.movingMetres.map(tenths))
      start = Nullable(statistics.start.map(isoText))
      end = Nullable(statistics.end.map(isoText))
      recordedSeconds = Nullable(statistics.recordedSeconds.map(tenths))
      movingSeconds = Nullable(statistics.movingSeconds.map(tenths))
      restingSeconds = Nullable(statistics.restingSeconds.map(tenths))
      averageSpeed = Nullable(statistics.averageSpeed.map(hundredths))
      movingSpeed = Nullable(statistics.movingSpeed.map(hundredths))
      maximumSpeed = Nullable(statistics.maximumSpeed.map(hundredths))
      ascentMetres = Nullable(statistics.ascentMetres.map(tenths))
      descentMetres = Nullable(statistics.descentMetres.map(tenths))
      unknownClimbMetres = tenths(statistics.unknownClimbMetres)
      lowestMetres = Nullable(statistics.lowestMetres.map(tenths))
      highestMetres = Nullable(statistics.highestMetres.map(tenths))
      untimelyPoints = statistics.untimelyPoints
    }
  }

  private struct Split: Encodable {
    var distanceMetres: Double
    var recordedSeconds: Nullable<Double>
    var movingSeconds: Nullable<Double>
    var ascentMetres: Nullable<Double>
    var descentMetres: Nullable<Double>

    init(_ split: TrackReport.Split) {
      distanceMetres = tenths(split.distanceMetres)
      recordedSeconds = Nullable(split.recordedSeconds.map(tenths))
      movingSeconds = Nullable(split.movingSeconds.map(tenths))
      ascentMetres = Nullable(split.ascentMetres.map(tenths))
      descentMetres = Nullable(split.descentMetres.map(tenths))
    }
  }

  private var file: String
  private var total: Figures
  private var tracks: [Track]

  /// Writes out the figures of a file.
  package init(_ file: String, _ figures: TrackFigures) {
    self.file = file
    total = Figures(figures.total.total)
    tracks = figures.tracks.map { name, report in
      Track(
        name: Nullable(name), total: Figures(report.total),
        segments: report.segments.map(Figures.init), splits: report.splits.map(Split.init))
    }
  }
}

/// A number to two decimals.
private func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }
