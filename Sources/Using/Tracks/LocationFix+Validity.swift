// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LocationFix {
  /// The years that times are accepted in, 1…9999, as seconds since 1970.
  static let secondsRange = -62_135_596_800.0...253_402_300_799.0

  /// Whether position and time are numbers within their ranges.
  public var isValid: Bool {
    coordinate.isValid && Self.secondsRange.contains(timestamp.timeIntervalSince1970)
  }

  /// The fix without negative accuracies, courses and speeds, by which receivers mean “unknown”,
  /// and without infinities and NaN.
  public var cleaned: LocationFix {
    func atLeastZero(_ value: Double?) -> Double? {
      value.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    }
    var fix = self
    fix.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
    fix.horizontalAccuracy = atLeastZero(horizontalAccuracy)
    fix.verticalAccuracy = atLeastZero(verticalAccuracy)
    fix.course = atLeastZero(course).flatMap { $0 < 360 ? $0 : nil }
    fix.speed = atLeastZero(speed)
    return fix
  }
}
