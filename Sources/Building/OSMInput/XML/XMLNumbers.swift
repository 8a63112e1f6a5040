// SPDX-License-Identifier: Apache-2.0

/// Parses decimal degrees as 10⁻⁷ degrees, rounded half away from zero; nil for anything except a
/// number. Huge numbers are clamped to a value far out of range.
///
/// The digits are never converted to a binary fraction, so the result is the same as for the same
/// decimal number in a PBF file.
func degreeUnits(_ text: UnsafeRawBufferPointer) -> Int64? {
  let tooMuch: Int64 = 1 << 40
  var offset = 0
  var isNegative = false
  if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
    isNegative = sign == UInt8(ascii: "-")
    offset = 1
  }
  var mantissa: UInt64 = 0
  // The value is mantissa · 10^exponent.
  var exponent = 0
  var hasDigits = false
  var isFraction = false
  while offset < text.count {
    let byte = text[offset]
    if byte &- 48 < 10 {
      hasDigits = true
      // Digits after the eighteenth cannot change the rounding of the seventh decimal.
      if mantissa < 100_000_000_000_000_000 {
        mantissa = mantissa * 10 + UInt64(byte &- 48)
        if isFraction { exponent -= 1 }
      } else if !isFraction {
        exponent += 1
      }
    } else if byte == UInt8(ascii: "."), !isFraction {
      isFraction = true
    } else {
      break
    }
    offset += 1
  }
  guard hasDigits else { return nil }
  if offset < text.count {
    guard let power = decimalPower(UnsafeRawBufferPointer(rebasing: text[offset...])) else {
      return nil
    }
    exponent += power
  }
  let units = min(shifted(mantissa, by: exponent + 7), UInt64(tooMuch))
  return isNegative ? -Int64(units) : Int64(units)
}

/// Parses an exponent such as `e-5`, clamped to ±10 000; nil for anything else.
private func decimalPower(_ text: UnsafeRawBufferPointer) -> Int? {
  guard text.count >= 2, text[0] | 0x20 == UInt8(ascii: "e") else { return nil }
  let hasSign = text[1] == UInt8(ascii: "-") || text[1] == UInt8(ascii: "+")
  var power = 0
  let digits = text[(hasSign ? 2 : 1)...]
  guard !digits.isEmpty else { return nil }
  for byte in digits {
    guard byte &- 48 < 10 else { return nil }
    power = min(10_000, power * 10 + Int(byte &- 48))
  }
  return text[1] == UInt8(ascii: "-") ? -power : power
}

/// `number` · 10^`power`, rounded half up and saturating.
private func shifted(_ number: UInt64, by power: Int) -> UInt64 {
  if number == 0 || power < -20 { return 0 }
  var scale: UInt64 = 1
  for _ in 0..<min(power.magnitude, 19) { scale *= 10 }
  if power >= 0 {
    let (product, overflow) = number.multipliedReportingOverflow(by: scale)
    return overflow || power > 19 ? .max : product
  }
  // A number has at most 18 digits, so that less than half a unit is left after 10^−20.
  if power == -20 { return 0 }
  let (quotient, remainder) = number.quotientAndRemainder(dividingBy: scale)
  return quotient + (remainder >= scale / 2 ? 1 : 0)
}

/// Parses a decimal integer; nil for anything else and for more than 64 bits.
func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
  let isNegative = text.first == UInt8(ascii: "-")
  let digits = text[(isNegative ? 1 : 0)...]
  guard !digits.isEmpty else { return nil }
  var number: Int64 = 0
  for byte in digits {
    guard byte &- 48 < 10 else { return nil }
    let (shifted, overflow) = number.multipliedReportingOverflow(by: 10)
    // Accumulated as a negative number, whose range is larger by one.
    let (sum, overflow2) = shifted.subtractingReportingOverflow(Int64(byte &- 48))
    guard !overflow, !overflow2 else { return nil }
    number = sum
  }
  if isNegative { return number }
  return number == .min ? nil : -number
}

/// Whether text is a time such as `2020-05-01T20:59:03Z`.
func isUTCTimestamp(_ text: String) -> Bool {
  let pattern = Array("0000-00-00T00:00:00Z".utf8)
  let bytes = Array(text.utf8)
  return bytes.count == pattern.count
    && zip(bytes, pattern).allSatisfy { byte, model in
      model == UInt8(ascii: "0") ? byte &- 48 < 10 : byte == model
    }
}
