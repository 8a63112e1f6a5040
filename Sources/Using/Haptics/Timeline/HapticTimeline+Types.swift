// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HapticTimeline {
  /// A cue with its place in time.
  public struct Entry: Hashable, Sendable {
    /// What is said.
    public var cue: HapticCue
    /// How it is said by touch.
    public var pattern: HapticPattern
    /// The same in words: a sentence in English without a full stop.
    public var text: String
    /// The index in the route's `turnInstructions` that it is about, if it is about one.
    public var instruction: Int?
    /// The time of the event that led to it.
    public var eventTime: Date
    /// When it begins, not before ``eventTime``.
    public var start: Date

    /// When its pattern is over.
    public var end: Date { start.addingTimeInterval(pattern.duration) }
  }

  /// A cue that is not played.
  public struct Drop: Hashable, Sendable {
    /// Why it is not played.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
      /// The same pattern was played shortly before.
      case repeated
      /// It could not be played in time.
      case tooOld
      /// What happened since makes it pointless.
      case overtaken
      /// Its time is not one of the years 1…9999.
      case invalidTime
    }

    /// What would have been said.
    public var cue: HapticCue
    /// The same in words.
    public var text: String
    /// The index of the instruction that it is about, if it is about one.
    public var instruction: Int?
    /// The time of the event that led to it.
    public var eventTime: Date
    /// Why it is not.
    public var reason: Reason
  }

  /// What became of cues.
  public struct Outcome: Hashable, Sendable {
    /// Those that begin now, in the order of their starts.
    public var entries: [Entry] = []
    /// Those that will never begin.
    public var drops: [Drop] = []

    /// Nothing.
    public init() {}

    /// Adds what came later.
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
  /// The language of what is said.
  public var language = Language.english

  /// The default values.
  public init() {}
}
