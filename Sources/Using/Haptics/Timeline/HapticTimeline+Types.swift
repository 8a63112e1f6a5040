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
