// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text value by value, for some values of a small one: Foundation's decoder takes as long
/// to start as a search for a short route. Each function returns nil or false where the text is not
/// JSON or has a value of another type there; then nothing more may be read.
struct JSONReader {
  /// The deepest nesting that is read.
  private static let mostLevels = 100

  private let bytes: [UInt8]
  private var offset = 0
  private var level = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Skips white space, and returns the next byte; 0 at the end.
  private mutating func peek() -> UInt8 {
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      offset += 1
    }
    return 0
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Whether nothing follows.
  mutating func isAtEnd() -> Bool { peek() == 0 && offset == bytes.count }

  /// Reads an object: `body` has to read or skip the value of each key.
  mutating func object(_ body: (_ key: String, inout JSONReader) -> Bool) -> Bool {
    guard take("{"), level < Self.mostLevels else { return false }
    level += 1
    defer { level -= 1 }
    if take("}") { return true }
    repeat {
      guard let key = text(), take(":"), body(key, &self) else { return false }
    } while take(",")
    return take("}")
  }

  /// Reads null, if that is next.
  mutating func null() -> Bool { peek() == UInt8(ascii: "n") && word("null") }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for index in offset..<end where bytes[index] != word.utf8Start[index - offset] { return false }
    offset = end
    return true
  }

  /// Reads a finite number.
  mutating func number() -> Double? {
    _ = peek()
    let start = offset
    func isDigit(_ index: Int) -> Bool {
      index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= bytes[index]
    }
    func isNext(_ character: Unicode.Scalar) -> Bool {
      offset < bytes.count && bytes[offset] == UInt8(ascii: character)
    }
    func digits() -> Bool {
      guard isDigit(offset) else { return false }
      while isDigit(offset) { offset += 1 }
      return true
    }
    if isNext("-") { offset += 1 }
    if isNext("0"), isDigit(offset + 1) { return nil }
    guard digits() else { return nil }
    if isNext(".") {
      offset += 1
      guard digits() else { return nil }
    }
    if isNext("e") || isNext("E") {
      offset += 1
      if isNext("+") || isNext("-") { offset += 1 }
      guard digits() else { return nil }
    }
    let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self))
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Reads a text.
  mutating func text() -> String? {
    guard take("\"") else { return nil }
    var found: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: found, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escaped() else { return nil }
        found.append(contentsOf: String(scalar).utf8)
      case 0..<0x20: return nil
      default: found.append(byte)
      }
    }
    return nil
  }

  /// What is behind a backslash.
  private mutating func escaped() -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    offset += 1
    switch bytes[offset - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let unit = codeUnit() else { return nil }
      guard 0xD800..<0xDC00 ~= unit else { return Unicode.Scalar(unit) }
      guard word("\\u"), let second = codeUnit(), 0xDC00..<0xE000 ~= second else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    default: return nil
    }
  }

  private mutating func codeUnit() -> UInt32? {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue
      else { return nil }
      unit = unit << 4 | UInt32(digit)
      offset += 1
    }
    return unit
  }

  /// Skips a value of any type.
  mutating func skip() -> Bool {
    switch peek() {
    case UInt8(ascii: "{"): return object { _, reader in reader.skip() }
    case UInt8(ascii: "["):
      guard take("["), level < Self.mostLevels else { return false }
      level += 1
      defer { level -= 1 }
      if take("]") { return true }
      repeat { guard skip() else { return false } } while take(",")
      return take("]")
    case UInt8(ascii: "\""): return text() != nil
    case UInt8(ascii: "t"): return word("true")
    case UInt8(ascii: "f"): return word("false")
    case UInt8(ascii: "n"): return word("null")
    default: return number() != nil
    }
  }
}
