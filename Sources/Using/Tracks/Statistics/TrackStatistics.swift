// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The figures of a recorded line: a segment, a split, or a whole track. Unknown figures are nil,
/// never 0.
///
/// docs/tracks.md explains how each is found.
public struct TrackStatistics: Hashable, Sendable {
  /// The number of points.
  public var pointCount = 0
  /// The horizontal length in metres, on a sphere of 6 371 000 m. If the track is provably noisy,
  /// the length added by noise is removed; otherwise it equals ``plainMetres``. Stray positions and
  /// the gaps between segments add nothing.
  public var distanceMetres = 0.0
  /// The plain sum of the great circles between neighbouring points in metres, noise and all.
  public var plainMetres = 0.0
  /// The part of it outside of rests, in metres; nil without times.
  public var movingMetres: Double?
  /// The time of the first point.
  public var start: Date?
  /// The time of the last point.
  public var end: Date?
  /// Seconds from the first to the last point of each segment, summed up.
  public var recordedSeconds: Double?
  /// The part of them without rests.
  public var movingSeconds: Double?
  /// The length in metres of the parts with times, on which speeds are based.
  public var timedMetres = 0.0
  /// The speed in metres per second that was kept up for most of about a minute; robust against
  /// single wrong positions, and never below an average.
  public var maximumSpeed: Double?
  /// Metres climbed, after `ElevationSmoothing`.
  public var ascentMetres: Double?
  /// Metres descended.
  public var descentMetres: Double?
  /// The length in metres with unknown climb.
  public var unknownClimbMetres = 0.0
  /// The lowest elevation after smoothing, in metres.
  public var lowestMetres: Double?
  /// The highest elevation after smoothing, in metres.
  public var highestMetres: Double?
  /// Points whose times are not after the previous ones and are not used.
  public var untimelyPoints = 0

  /// Makes empty figures.
  public init() {}

  /// Seconds of rest.
  public var restingSeconds: Double? {
    guard let recordedSeconds, let movingSeconds else { return nil }
    return max(0, recordedSeconds - movingSeconds)
  }

  /// Metres per second over the whole recording, rests included.
  public var averageSpeed: Double? {
    recordedSeconds.flatMap { $0 > 0 ? timedMetres / $0 : nil }
  }

  /// Metres per second without rests.
  public var movingSpeed: Double? {
    guard let movingSeconds, let movingMetres, movingSeconds > 0 else { return nil }
    return movingMetres / movingSeconds
  }

  /// The figures of this line followed by another.
  func followed(by other: TrackStatistics) -> TrackStatistics {
    var sum = self
    sum.pointCount += other.pointCount
    sum.distanceMetres += other.distanceMetres
    sum.plainMetres += other.plainMetres
    sum.movingMetres = Self.sum(movingMetres, other.movingMetres)
    sum.start = Self.choose(start, other.start, min)
    sum.end = Self.choose(end, other.end, max)
    sum.recordedSeconds = Self.sum(recordedSeconds, other.recordedSeconds)
    sum.movingSeconds = Self.sum(movingSeconds, other.movingSeconds)
    sum.timedMetres += other.timedMetres
    sum.maximumSpeed = Self.choose(maximumSpeed, other.maximumSpeed, max)
    sum.ascentMetres = Self.sum(ascentMetres, other.ascentMetres)
    sum.descentMetres = Self.sum(descentMetres, other.descentMetres)
    sum.unknownClimbMetres += other.unknownClimbMetres
    sum.lowestMetres = Self.choose(lowestMetres, other.lowestMetres, min)
    sum.highestMetres = Self.choose(highestMetres, other.highestMetres, max)
    sum.untimelyPoints += other.untimelyPoints
    return sum
  }

  private static func sum(_ one: Double?, _ other: Double?) -> Double? { choose(one, other, +) }

  private static func choose<Value>(
    _ one: Value?, _ other: Value?, _ choice: (Value, Value) -> Value
  ) -> Value? {
    guard let one, let other else { return one ?? other }
    return choice(one, other)
  }
}
