// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TrailData

/// The values of `distance` and `length` of routes.
enum TaggedDistance {
  /// The longest that is believed, in metres: once around the Earth.
  private static let longest = 40_075_000.0

  /// Metres of a waymarked route by its tags.
  static func metres(ofRoute route: Int, in trails: TrailsFile) -> Double? {
    for key in ["distance", "length"] {
      let value = trails.strings.index(of: key)
        .flatMap { trails.routes.tags.value(of: $0, on: route) }
      if let metres = value.flatMap({ metres(trails.strings[Int($0)]) }) { return metres }
    }
    return nil
  }

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
