// SPDX-License-Identifier: Apache-2.0

/// Taps and hums that together mean something.
public struct HapticPattern: Hashable, Sendable {
  /// The latest start of an event, in seconds; guidance needs nothing longer.
  public static let longestSeconds = 60.0

  /// The events in the order of their times.
  public let events: [HapticEvent]
  /// Seconds from the start until the last event is no longer felt.
  public let duration: Double
  /// The factor on the intensity of every event, 0…1: the strength that the user prefers.
  public let intensity: Double
  /// The watch's built-in pattern to play instead.
  public let watchHaptic: WatchHaptic

  /// Makes a pattern. An intensity out of range is clamped.
  public init(_ events: [HapticEvent], intensity: Double = 1, watchHaptic: WatchHaptic) {
    self.events = events.sorted { $0.time < $1.time }
    duration = events.reduce(0) { max($0, $1.end) }
    self.intensity = within(intensity, 1)
    self.watchHaptic = watchHaptic
  }

  /// The same pattern with another overall intensity.
  public func with(intensity: Double) -> HapticPattern {
    HapticPattern(events, intensity: intensity, watchHaptic: watchHaptic)
  }
}

/// The haptics of a watch that Cairn's cues use, by the names of `WKHapticType`.
public enum WatchHaptic: String, Hashable, Sendable, CaseIterable {
  /// A light click.
  case click
  /// A turn to the left.
  case directionDown
  /// A turn to the right.
  case directionUp
  /// Something went wrong.
  case failure
  /// A notice.
  case notification
  /// Something did not succeed, and is tried again.
  case retry
  /// Something begins.
  case start
  /// Something is over.
  case stop
  /// Something was completed.
  case success
}
