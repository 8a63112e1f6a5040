// SPDX-License-Identifier: Apache-2.0

// Bare numbers have a hyphen as their sign, so programs can read them; quantities with a unit are
// for people and have the minus sign U+2212.

/// A number rounded to a fixed number of decimals, independent of locale and machine. Numbers
/// beyond 2⁶³ are written as Swift does.
package func decimal(_ value: Double, _ decimals: Int) -> String {
  let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
  let scaled = (value * scale).rounded()
  guard let whole = Int64(exactly: scaled) else { return "\(value)" }
  let digits = String(whole.magnitude)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = whole < 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded }
  let point = padded.utf8.index(padded.utf8.endIndex, offsetBy: -decimals)
  // Appending a part of a text that is not a text itself takes ten times as long.
  return sign + String(padded[..<point]) + "." + String(padded[point...])
}

/// A number with at most `decimals` decimals and no trailing zeros: `1.5`, `12`.
package func shortDecimal(_ value: Double, _ decimals: Int) -> String {
  let text = decimal(value, decimals)
  guard text.contains("."), !text.contains("e") else { return text }
  let end = text.lastIndex { $0 != "0" } ?? text.startIndex
  return String(text[end] == "." ? text[..<end] : text[...end])
}

/// A finite number with as few digits as reading it back needs, never with an exponent: `47.03`,
/// `-0.00001`, `12`.
package func exactDecimal(_ value: Double) -> String {
  let text = "\(value)"
  guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")),
    let exponent = Int(text[text.index(after: mark)...])
  else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
  let parts = text[..<mark].drop { $0 == "-" }.split(separator: ".")
  let (whole, fraction) = (parts.first ?? "0", parts.dropFirst().first ?? "")
  let digits = whole + (fraction == "0" ? "" : fraction)
  let point = whole.count + exponent
  let zeros = String(repeating: "0", count: max(0, point <= 0 ? -point : point - digits.count))
  let sign = value < 0 ? "-" : ""
  if point <= 0 { return sign + "0." + zeros + digits }
  guard point < digits.count else { return sign + digits + zeros }
  return sign + digits.prefix(point) + "." + digits.dropFirst(point)
}

/// A whole number for people: `33 554 432`. A no-break space between thousands keeps it together, also
/// for programs that take columns apart.
package func grouped(_ number: some BinaryInteger) -> String {
  if number.magnitude < 1000 { return String(number) }
  let digits = Array(String(number.magnitude).utf8)
  var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "\u{A0}".utf8 }
    text.append(digit)
  }
  return String(decoding: text, as: UTF8.self)
}

/// `1 region`, `2 regions`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// Words as people list them: `hiking`, `hiking and cycling`, `hiking, family and cycling`.
package func listed(_ words: some Collection<String>) -> String {
  let words = Array(words)
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + last
}

/// The texts in their order, each once.
package func unrepeated(_ texts: [String]) -> [String] {
  var known: Set<String> = []
  return texts.filter { known.insert($0).inserted }
}

/// A number with a fixed number of decimals and spaces between its thousands: `1 234.50`.
package func grouped(_ value: Double, decimals: Int) -> String { grouped(decimal(value, decimals)) }

/// The text of a number with spaces between its thousands, if it consists only of digits.
func grouped(_ text: String) -> String {
  if text.utf8.prefix(while: { $0 != UInt8(ascii: ".") }).count <= 3 { return text }
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, let whole = Int(parts[0]) else { return text }
  let sign = whole == 0 && text.hasPrefix("-") ? "-" : ""
  return sign + grouped(whole)
    + (parts.count == 2 && !text.contains("e") ? "." + String(parts[1]) : "")
}

/// The text of a number with a minus sign instead of a hyphen.
package func minusSign(_ number: String) -> String {
  number.hasPrefix("-") ? "\u{2212}" + String(number.dropFirst()) : number
}
