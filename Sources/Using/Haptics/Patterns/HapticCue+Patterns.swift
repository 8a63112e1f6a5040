// SPDX-License-Identifier: Apache-2.0

// Patterns differ in rhythm first: the number and spacing of taps are easiest to tell apart, even
// through a sleeve, strength and crispness hardest. Good news ends crisp; bad news hums dully.
// `HapticPattern.distance(to:)` measures the difference, and a test ensures that no two patterns
// are close.
extension HapticCue {
  /// The pattern that it is played as.
  public var pattern: HapticPattern {
    switch self {
    case .approaching: Self.approachingPattern
    case .left: Self.leftPattern
    case .right: Self.rightPattern
    case .straight: Self.straightPattern
    case .uTurn: Self.uTurnPattern
    case .offRoute: Self.offRoutePattern
    case .backOnRoute: Self.backOnRoutePattern
    case .arrived: Self.arrivedPattern
    case .positionLost: Self.positionLostPattern
    case .positionFound: Self.positionFoundPattern
    }
  }

  /// One light tap.
  private static let approachingPattern = HapticPattern(
    [.tap(at: 0, intensity: 0.6, sharpness: 0.6)], watchHaptic: .click)

  /// Two pairs of taps, the second duller: falling.
  private static let leftPattern = HapticPattern(
    [
      .tap(at: 0, intensity: 1, sharpness: 0.7), .tap(at: 0.12, intensity: 1, sharpness: 0.7),
      .tap(at: 0.48, intensity: 1, sharpness: 0.1), .tap(at: 0.6, intensity: 1, sharpness: 0.1),
    ], watchHaptic: .directionDown)

  /// Three even taps, each crisper than the last: rising.
  private static let rightPattern = HapticPattern(
    [
      .tap(at: 0, intensity: 0.8, sharpness: 0.2), .tap(at: 0.24, intensity: 0.9, sharpness: 0.6),
      .tap(at: 0.48, intensity: 1, sharpness: 1),
    ], watchHaptic: .directionUp)

  /// One soft hum.
  private static let straightPattern = HapticPattern(
    [.hum(at: 0, for: 0.35, intensity: 0.5, sharpness: 0.4)], watchHaptic: .start)

  /// Two long dull hums: there, and back.
  private static let uTurnPattern = HapticPattern(
    [
      .hum(at: 0, for: 0.4, intensity: 0.9, sharpness: 0.2),
      .hum(at: 0.6, for: 0.4, intensity: 0.9, sharpness: 0.2),
    ], watchHaptic: .failure)

  /// Four short strong hums: an alarm.
  private static let offRoutePattern = HapticPattern(
    [
      .hum(at: 0, for: 0.14, intensity: 1, sharpness: 0.9),
      .hum(at: 0.28, for: 0.14, intensity: 1, sharpness: 0.9),
      .hum(at: 0.56, for: 0.14, intensity: 1, sharpness: 0.9),
      .hum(at: 0.84, for: 0.14, intensity: 1, sharpness: 0.9),
    ], watchHaptic: .failure)

  /// A soft hum that ends with two crisp taps.
  private static let backOnRoutePattern = HapticPattern(
    [
      .hum(at: 0, for: 0.25, intensity: 0.45, sharpness: 0.1),
      .tap(at: 0.37, intensity: 1, sharpness: 1), .tap(at: 0.49, intensity: 1, sharpness: 1),
    ], watchHaptic: .stop)

  /// Three quick taps and a long crisp hum: a fanfare.
  private static let arrivedPattern = HapticPattern(
    [
      .tap(at: 0, intensity: 0.7, sharpness: 0.4), .tap(at: 0.12, intensity: 0.85, sharpness: 0.6),
      .tap(at: 0.24, intensity: 1, sharpness: 0.8),
      .hum(at: 0.4, for: 0.6, intensity: 0.8, sharpness: 0.6),
    ], watchHaptic: .success)

  /// Four slow dull taps, each weaker than the last: fading.
  private static let positionLostPattern = HapticPattern(
    [
      .tap(at: 0, intensity: 1, sharpness: 0), .tap(at: 0.36, intensity: 0.9, sharpness: 0),
      .tap(at: 0.72, intensity: 0.75, sharpness: 0), .tap(at: 1.08, intensity: 0.6, sharpness: 0),
    ], watchHaptic: .retry)

  /// Two dull taps and a crisp hum.
  private static let positionFoundPattern = HapticPattern(
    [
      .tap(at: 0, intensity: 0.8, sharpness: 0.2), .tap(at: 0.3, intensity: 0.8, sharpness: 0.2),
      .hum(at: 0.5, for: 0.3, intensity: 0.8, sharpness: 0.9),
    ], watchHaptic: .notification)
}
