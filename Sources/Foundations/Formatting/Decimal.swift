// SPDX-License-Identifier: Apache-2.0

/// A number with a fixed count of decimal places, rounded; without a locale, and the same on every
/// machine. Numbers beyond 2⁶³ are written as Swift does.
package func decimal(_ value: Double, _ places: Int) -> String {
  let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
  let scaled = (value * scale).rounded()
  guard let whole = Int(exactly: scaled) else { return "\(value)" }
  let digits = String(whole.magnitude)
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  let sign = whole < 0 ? "-" : ""
  guard places > 0 else { return sign + padded }
  return sign + padded.dropLast(places) + "." + padded.suffix(places)
}

/// A time as hikers read it, `45 min` or `3 h 23 min`, to the minute; `–` for no time.
package func duration(_ seconds: Double) -> String {
  guard let minutes = Int(exactly: (seconds / 60).rounded()), minutes >= 0 else { return "–" }
  return minutes < 60 ? "\(minutes) min" : "\(grouped(minutes / 60)) h \(minutes % 60) min"
}

/// A whole number with spaces between its thousands: `33 554 432`.
package func grouped(_ number: some BinaryInteger) -> String {
  let digits = String(number.magnitude)
  var text = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text.append(" ") }
    text.append(digit)
  }
  return text
}
