// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The values of `distance` and `length` of routes.
enum TaggedDistance {
  /// The longest that is believed, in metres: once around the Earth.
  private static let longest = 40_075_000.0

  /// The metres of a value such as `11.8`, `11,8 km`, `750 m` or `7 mi`; kilometres without a unit. Nil for
  /// anything else, and for lengths of nothing.
  static func metres(_ text: String) -> Double? {
    let digits = text.prefix { "0123456789.,".contains($0) }
    let unit = text.dropFirst(digits.count).filter { $0 != " " }.lowercased()
    let scale: Double? =
      switch unit {
      case "", "km": 1000
      case "m": 1
      case "mi": 1609.344
      default: nil
      }
    guard let scale, let number = decimalNumber(digits.replacing(",", with: ".")), number > 0
    else { return nil }
    let metres = number * scale
    return metres <= longest ? metres : nil
  }
}
