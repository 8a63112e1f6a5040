// SPDX-License-Identifier: Apache-2.0

/// The elevation that an object is tagged with.
package enum TaggedElevation {
  /// No mountain is higher, in metres.
  private static let highestMetres = 9000.0

  /// The metres in a tag `ele`, such as `2912`, `2912.4`, `2912,4` or `2912 m`; nil for any other
  /// unit or form and for elevations that no terrain has.
  package static func metres(_ tag: String) -> Double? {
    var text = tag.utf8[...]
    if text.last == UInt8(ascii: "m") {
      text.removeLast()
      if text.last == UInt8(ascii: " ") { text.removeLast() }
    }
    let isBelowSea = text.first == UInt8(ascii: "-")
    if isBelowSea { text.removeFirst() }
    // Numbers of up to four digits before and behind a point.
    var (number, scale) = (0.0, 1.0)
    var (digits, hasPoint) = (0, false)
    for byte in text {
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        guard !hasPoint, digits > 0 else { return nil }
        (digits, hasPoint) = (0, true)
      } else {
        guard 48...57 ~= byte, digits < 4 else { return nil }
        digits += 1
        number = number * 10 + Double(byte - 48)
        if hasPoint { scale *= 10 }
      }
    }
    // Both are whole numbers without rounding, so the quotient is the nearest number.
    let metres = number / scale
    guard digits > 0, metres <= highestMetres else { return nil }
    return isBelowSea ? -metres : metres
  }
}
