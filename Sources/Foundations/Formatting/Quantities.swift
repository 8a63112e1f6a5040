// SPDX-License-Identifier: Apache-2.0

/// A length in metres with a fixed number of decimals: `1 116 m`, `12.34 m`.
package func metres(_ metres: Double, decimals: Int = 0) -> String {
  minusSign(grouped(metres, decimals: decimals)) + " m"
}

/// A length to the centimetre: `12.34 m`.
package func preciseMetres(_ length: Double) -> String { metres(length, decimals: 2) }

/// A length in kilometres with a fixed number of decimals: `8.11 km`.
///
/// - Parameter metres: The length in metres.
package func kilometres(_ metres: Double, decimals: Int = 2) -> String {
  minusSign(grouped(metres / 1000, decimals: decimals)) + " km"
}

/// The units in which sizes are given, in bytes.
package let byteUnits: [String: Double] = [
  "kB": 1e3, "KiB": 1024, "MB": 1e6, "MiB": 1_048_576, "GB": 1e9, "GiB": 1_073_741_824,
]

/// The units in which times are given, in seconds.
package let timeUnits: [String: Double] = ["s": 1, "min": 60, "h": 3600, "d": 86_400]

/// The number and the unit of a text such as `1.5 GiB`, `90s` or `8`; nil without a number.
package func splitQuantity(_ text: String) -> (number: Double, unit: String)? {
  let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
  return Double(digits).map { ($0, String(text.dropFirst(digits.count).drop { $0 == " " })) }
}

/// A size in bytes, rounded to a tenth of its unit: `512 B`, `9.8 kB`, `1.2 MB`, `3.4 GB`.
package func byteSize(_ bytes: Int) -> String { byteSize(Double(bytes)) }

/// A computed size in bytes; negative values and NaN count as 0.
package func byteSize(_ bytes: Double) -> String {
  let units = ["kB", "MB", "GB", "TB"]
  let whole = bytes > 0 ? bytes.rounded(.down) : 0
  guard whole >= 1000 else { return "\(Int(whole)) B" }
  var size = whole / 1000
  var unit = 0
  while size >= 999.95, unit < units.count - 1 {
    size /= 1000
    unit += 1
  }
  return "\(grouped(size, decimals: 1)) \(units[unit])"
}

/// A share as a percentage: `12 %`, `94.9 %`.
///
/// Rounded to a tenth. If that would make it look like 0 %, 100 % or `limit` although it differs,
/// more decimals show the difference: 0.9496 compared with 0.95 is `94.96 %`, and 0.9998 is
/// `99.98 %`. So two different shares in a comparison never look equal.
package func percent(_ share: Double, comparedWith limit: Double? = nil) -> String {
  guard share.isFinite, abs(share) < 1e9 else { return "\(share)" }
  let others = [0, 1, limit].compactMap { $0 }.filter { $0.isFinite && $0 != share }
  let most = 6
  for decimals in 1...most {
    let text = decimal(share * 100, decimals)
    guard !others.contains(where: { decimal($0 * 100, decimals) == text }) else { continue }
    return minusSign(grouped(shortDecimal(share * 100, decimals))) + " %"
  }
  // The difference is below the last decimal: show one unit of it.
  let nearest = others.min { abs($0 - share) < abs($1 - share) } ?? 0
  let unit = share < nearest ? -0.000_001 : 0.000_001
  return minusSign(grouped(shortDecimal(nearest * 100 + unit, most))) + " %"
}

/// A change as a percentage with its sign: `+12 %`, `−34.7 %`, `0 %`.
package func signedPercent(_ change: Double, comparedWith limit: Double? = nil) -> String {
  (change > 0 ? "+" : "") + percent(change, comparedWith: limit)
}
