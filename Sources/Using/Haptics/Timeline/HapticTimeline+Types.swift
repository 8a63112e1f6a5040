// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HapticTimeline {
  /// A cue with its place in time.
  public struct Entry: Hashable, Sendable {
    /// The cue.
    public var cue: HapticCue
    /// Its pattern.
    public var pattern: HapticPattern
    /// The text in ``HapticTimelineConfig/language``, a sentence without a full stop.
    public var text: String
    /// The index of its instruction in the route's `turnInstructions`, if any.
    public var instruction: Int?
    /// The time of the event that led to it.
    public var eventTime: Date
    /// The time at which it starts, not before ``eventTime``.
    public var start: Date

    /// When its pattern is over.
    public var end: Date { start.addingTimeInterval(pattern.duration) }
  }

  /// A cue that is not played.
  public struct Drop: Hashable, Sendable {
    /// The reason why it is not played.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
      /// The same pattern was played shortly before.
      case repeated
      /// It could not be played in time.
      case tooOld
      /// A later event made it pointless.
      case overtaken
      /// Its time is not in the years 1…9999.
      case invalidTime
    }

    /// The cue.
    public var cue: HapticCue
    /// The text.
    public var text: String
    /// The index of its instruction, if any.
    public var instruction: Int?
    /// The time of the event that led to it.
    public var eventTime: Date
    /// The reason why it is not played.
    public var reason: Reason
  }

  /// The outcome of cues.
  public struct Outcome: Hashable, Sendable {
    /// The cues that start now, in the order of their starts.
    public var entries: [Entry] = []
    /// The cues that will never start.
    public var drops: [Drop] = []

    /// Nothing.
    public init() {}

    /// Appends a later outcome.
    public mutating func append(_ later: Outcome) {
      entries += later.entries
      drops += later.drops
    }
  }
}

/// A cue without a place in time.
struct SpokenCue {
  var cue: HapticCue
  var text: String
  var instruction: Int?
}

/// The intervals, in seconds, by which ``HapticTimeline`` schedules cues. A negative value or NaN
/// counts as 0.
public struct HapticTimelineConfig: Hashable, Sendable {
  /// The least time between the end of one pattern and the start of the next. Shorter pauses occur
  /// within patterns, so two patterns would feel like one.
  public var gapSeconds = 0.7
  /// The least time between the end of a pattern and its next repetition.
  public var quietSeconds = 4.0
  /// A cue that could not be played within this time of its event is dropped: at walking pace it is
  /// ten metres old. Being off the route, the arrival and a lost position stay true and are not
  /// dropped.
  public var latestSeconds = 8.0
  /// The language of the texts.
  public var language = Language.english

  /// The default values.
  public init() {}
}
