// SPDX-License-Identifier: Apache-2.0

/// The times by which ``HapticTimeline`` places cues, in seconds. A value that is negative or not a
/// number counts as 0.
public struct HapticTimelineConfig: Hashable, Sendable {
  /// Between the end of one pattern and the start of the next one. Shorter pauses occur within
  /// patterns, so that two would feel like one.
  public var gapSeconds = 0.7
  /// Between the end of a pattern and the next time that the same one is played.
  public var quietSeconds = 4.0
  /// A cue that could not be played this long after its event is dropped: at a walker's pace it is
  /// ten metres old. Being off the route, having arrived and a lost position stay true, and are not dropped for that.
  public var latestSeconds = 8.0

  /// The default values.
  public init() {}
}
