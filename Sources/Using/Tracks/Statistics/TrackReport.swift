// SPDX-License-Identifier: Apache-2.0
import CairnGPX

/// The figures of a track: as a whole, by segment and by split.
public struct TrackReport: Hashable, Sendable {
  /// A piece of a track of a certain length.
  public struct Split: Hashable, Sendable {
    /// Its length in metres; the last split is shorter than the others.
    public var distanceMetres: Double
    /// Seconds that it took, rests included.
    public var recordedSeconds: Double?
    /// Seconds that it took, without rests.
    public var movingSeconds: Double?
    /// Metres climbed.
    public var ascentMetres: Double?
    /// Metres descended.
    public var descentMetres: Double?

    /// Metres per second without rests.
    public var movingSpeed: Double? {
      movingSeconds.flatMap { $0 > 0 ? distanceMetres / $0 : nil }
    }
  }

  /// The default length of splits: a kilometre.
  public static let standardSplitMetres = 1000.0
  /// Beyond this number of splits, the last one is the rest of the track.
  public static let maximumSplits = 10_000

  /// The figures of all segments together.
  public var total: TrackStatistics
  /// The figures of each segment.
  public var segments: [TrackStatistics]
  /// The splits, across segment boundaries. A segment without times or elevations makes those of
  /// its splits unknown.
  public var splits: [Split]

  /// Measures a track.
  ///
  /// - Parameters:
  ///   - segments: Its segments, as recorded; noise is removed from their lengths only.
  ///   - smoothing: The noise limits for elevations.
  ///   - splitMetres: The length of splits, at least 1 m; nil for none.
  public init(
    segments: [[GPXFile.Point]], smoothing: ElevationSmoothing = .standard,
    splitMetres: Double? = standardSplitMetres
  ) {
    let measured = segments.map { MeasuredSegment($0, smoothing) }
    self.segments = measured.map(\.statistics)
    var total = self.segments.first ?? TrackStatistics()
    for segment in self.segments.dropFirst() { total = total.followed(by: segment) }
    self.total = total
    splits = splitMetres.map { Self.splits(measured, metres: $0 >= 1 ? $0 : 1) } ?? []
  }

  /// Measures a recorded route.
  public init(
    _ route: RecordedRoute, smoothing: ElevationSmoothing = .standard,
    splitMetres: Double? = standardSplitMetres
  ) {
    self.init(
      segments: route.segments.map { $0.map(GPXFile.Point.init) }, smoothing: smoothing,
      splitMetres: splitMetres)
  }

  private static func splits(_ segments: [MeasuredSegment], metres length: Double) -> [Split] {
    var splits: [Split] = []
    var split = SplitSum()
    for segment in segments where segment.passed.count > 1 {
      var last = segment.passed[0]
      for passed in segment.passed.dropFirst() {
        // A long step may contain the ends of several splits.
        while splits.count < maximumSplits - 1, passed.metres - last.metres > 0,
          split.metres + passed.metres - last.metres >= length
        {
          let share = (length - split.metres) / (passed.metres - last.metres)
          let end = share < 1 ? last.towards(passed, max(share, 0)) : passed
          split.add(last, end, segment)
          splits.append(split.split)
          split = SplitSum()
          last = end
        }
        split.add(last, passed, segment)
        last = passed
      }
    }
    // A remainder from rounding is not a split.
    if split.metres > 0.01 { splits.append(split.split) }
    return splits
  }
}

private struct SplitSum {
  var metres = 0.0
  private var seconds = 0.0
  private var moving = 0.0
  private var ascent = 0.0
  private var descent = 0.0
  private var hasTimes = true
  private var hasClimb = true

  mutating func add(
    _ start: MeasuredSegment.Passed, _ end: MeasuredSegment.Passed, _ segment: MeasuredSegment
  ) {
    metres += end.metres - start.metres
    seconds += end.seconds - start.seconds
    moving += end.movingSeconds - start.movingSeconds
    ascent += end.ascent - start.ascent
    descent += end.descent - start.descent
    hasTimes = hasTimes && segment.hasTimes
    hasClimb = hasClimb && segment.hasClimb
  }

  var split: TrackReport.Split {
    TrackReport.Split(
      distanceMetres: metres, recordedSeconds: hasTimes ? seconds : nil,
      movingSeconds: hasTimes ? moving : nil, ascentMetres: hasClimb ? ascent : nil,
      descentMetres: hasClimb ? descent : nil)
  }
}
