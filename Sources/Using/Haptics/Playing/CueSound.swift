// SPDX-License-Identifier: Apache-2.0

/// What is heard where a cue cannot be felt: a few tones that an app plays, or a sound of its own in their
/// place. To the left they fall and to the right they rise, as a watch taps.
public enum CueSound: String, Hashable, Sendable, CaseIterable {
  /// Something comes: an instruction is near, or the way goes straight on.
  case notice
  /// Left.
  case left
  /// Right.
  case right
  /// Something is wrong: turn around, off the route, the position is lost.
  case alert
  /// All is well: arrived, back on the route, the position is found.
  case success

  /// A tone.
  public struct Tone: Hashable, Sendable {
    /// Its pitch in hertz.
    public var hertz: Double
    /// How long it sounds.
    public var seconds: Double
  }

  /// The tones, one after the other.
  public var tones: [Tone] {
    switch self {
    case .notice: [Tone(hertz: 660, seconds: 0.15)]
    case .left: [Tone(hertz: 880, seconds: 0.15), Tone(hertz: 440, seconds: 0.25)]
    case .right: [Tone(hertz: 440, seconds: 0.15), Tone(hertz: 880, seconds: 0.25)]
    case .alert: Array(repeating: Tone(hertz: 330, seconds: 0.2), count: 3)
    case .success: [523, 659, 784].map { Tone(hertz: $0, seconds: 0.15) }
    }
  }
}

extension HapticCue {
  /// What is heard where it cannot be felt.
  public var sound: CueSound {
    switch self {
    case .approaching, .straight: .notice
    case .left: .left
    case .right: .right
    case .uTurn, .offRoute, .positionLost: .alert
    case .arrived, .backOnRoute, .positionFound: .success
    }
  }
}
