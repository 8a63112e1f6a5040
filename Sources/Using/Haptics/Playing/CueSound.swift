// SPDX-License-Identifier: Apache-2.0

/// The sound for a cue that cannot be felt: a few tones for an app to play, unless it has its own
/// sound. They fall for left and rise for right, like a watch's taps.
public enum CueSound: String, Hashable, Sendable, CaseIterable {
  /// A notice: an instruction is near, or the way goes straight on.
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

  /// The tones, in order.
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
  /// The sound if it cannot be felt.
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
