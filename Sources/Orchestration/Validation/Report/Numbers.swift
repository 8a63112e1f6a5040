// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// A length as people read it, to the centimetre: `12.34 m`.
func metres(_ length: Double) -> String { "\(hundredths(length)) m" }

/// A number with two decimals; whatever is too large for that, or no number, as it is.
func hundredths(_ number: Double) -> String {
  guard abs(number) < 1e12 else { return "\(number)" }
  let whole = Int((abs(number) * 100).rounded())
  let rest = whole % 100
  let sign = number < 0 && whole > 0 ? "−" : ""
  return "\(sign)\(grouped(whole / 100)).\(rest < 10 ? "0" : "")\(rest)"
}

/// A share as people read it, rounded down so that only all is 100 %: `99.9 %`.
func percent(_ share: Double) -> String {
  guard abs(share) < 1e9 else { return "\(share)" }
  let tenths = Int((share * 1000).rounded(.down))
  return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(abs(tenths % 10)) %"
}

/// The size of a file as people read it: `4.2 MB`.
func bytes(_ count: Double) -> String {
  let units: [(name: String, bytes: Double)] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)]
  guard count.isFinite, let unit = units.first(where: { count >= $0.bytes }) else {
    return "\(Int(max(0, min(count, 1e15)))) bytes"
  }
  let tenths = Int((min(count, 1e18) / unit.bytes * 10).rounded())
  return "\(grouped(tenths / 10)).\(tenths % 10) \(unit.name)"
}
