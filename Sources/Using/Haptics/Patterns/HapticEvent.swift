// SPDX-License-Identifier: Apache-2.0

/// A tap or a hum within a pattern, as haptic engines know them.
public struct HapticEvent: Hashable, Sendable {
  /// How it feels.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A tap, without a duration.
    case transient
    /// A hum for a while.
    case continuous
  }

  /// The time for which a tap is felt, in seconds. Engines do not state it; a linear actuator rings
  /// for about this long.
  public static let transientSeconds = 0.05
  /// The longest hum that Core Haptics plays, in seconds.
  public static let longestSeconds = 30.0

  /// A tap or a hum.
  public let kind: Kind
  /// When it begins, in seconds from the start of the pattern, at least 0.
  public let time: Double
  /// How long it lasts in seconds, 0…``longestSeconds``; 0 for a tap.
  public let duration: Double
  /// Its strength, 0…1.
  public let intensity: Double
  /// Whether it feels dull (0) or crisp (1).
  public let sharpness: Double

  /// The time at which it is no longer felt, in seconds from the start of the pattern.
  public var end: Double { time + (kind == .transient ? Self.transientSeconds : duration) }

  /// A tap. Values out of range are clamped; NaN counts as 0.
  public static func tap(at time: Double, intensity: Double, sharpness: Double) -> HapticEvent {
    HapticEvent(
      kind: .transient, time: time, duration: 0, intensity: intensity, sharpness: sharpness)
  }

  /// A hum. Values out of range are clamped; NaN counts as 0.
  public static func hum(
    at time: Double, for duration: Double, intensity: Double, sharpness: Double
  )
    -> HapticEvent
  {
    HapticEvent(
      kind: .continuous, time: time, duration: duration, intensity: intensity,
      sharpness: sharpness)
  }

  private init(kind: Kind, time: Double, duration: Double, intensity: Double, sharpness: Double) {
    self.kind = kind
    self.time = within(time, HapticPattern.longestSeconds)
    self.duration = within(duration, Self.longestSeconds)
    self.intensity = within(intensity, 1)
    self.sharpness = within(sharpness, 1)
  }
}

/// The nearest number of 0…`most`; 0 for NaN.
func within(_ value: Double, _ most: Double) -> Double { value > 0 ? min(value, most) : 0 }
