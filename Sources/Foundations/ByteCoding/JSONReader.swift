// SPDX-License-Identifier: Apache-2.0

/// Reads JSON in UTF-8 (RFC 8259) value by value. Foundation's decoder, which looks up types by their
/// names, takes as long to start as a search for a short route.
///
/// Each function returns nil or false where the text is not JSON or has a value of another type there;
/// then nothing more may be read.
package struct JSONReader {
  /// The type of a value.
  package enum Kind: Sendable { case object, list, text, number, boolean, null }

  /// The deepest nesting that is read.
  private static let mostLevels = 512

  private let bytes: [UInt8]
  /// The index of the next byte; of the first one of a value after ``next()``.
  package private(set) var offset = 0
  private var level = 0

  /// Reads bytes, which may begin with the mark of UTF-8 that some editors write.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  /// The type of the next value by its first byte; nil where none begins.
  package mutating func next() -> Kind? {
    switch peek() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .list
    case UInt8(ascii: "\""): .text
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: nil
    }
  }

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
  package mutating func isAtEnd() -> Bool { peek() == 0 && offset == bytes.count }

  /// Reads an object: `body` has to read or skip the value of each key.
  package mutating func object(_ body: (_ key: String, inout JSONReader) -> Bool) -> Bool {
    guard take("{"), level < Self.mostLevels else { return false }
    level += 1
    defer { level -= 1 }
    if take("}") { return true }
    repeat {
      guard let key = text(), take(":"), body(key, &self) else { return false }
    } while take(",")
    return take("}")
  }

  /// Reads a list: `body` has to read or skip each element.
  package mutating func list(_ body: (inout JSONReader) -> Bool) -> Bool {
    guard take("["), level < Self.mostLevels else { return false }
    level += 1
    defer { level -= 1 }
    if take("]") { return true }
    repeat { guard body(&self) else { return false } } while take(",")
    return take("]")
  }

  /// Reads true or false.
  package mutating func boolean() -> Bool? {
    peek() == UInt8(ascii: "t") ? (word("true") ? true : nil) : (word("false") ? false : nil)
  }

  /// Reads null, if that is next.
  package mutating func null() -> Bool { peek() == UInt8(ascii: "n") && word("null") }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    for index in offset..<end where bytes[index] != word.utf8Start[index - offset] { return false }
    offset = end
    return true
  }

  /// Reads a finite number.
  package mutating func number() -> Double? {
    guard let number = digits(), let value = Double(number.text) else { return nil }
    return value.isFinite ? value : nil
  }

  /// Reads a number: its digits, and whether it has neither a fraction nor an exponent.
  package mutating func digits() -> (text: String, isInteger: Bool)? {
    _ = peek()
    let start = offset
    var isInteger = true
    func isDigit(_ index: Int) -> Bool {
      index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= bytes[index]
    }
    func isNext(_ character: Unicode.Scalar) -> Bool {
      offset < bytes.count && bytes[offset] == UInt8(ascii: character)
    }
    func takeDigits() -> Bool {
      guard isDigit(offset) else { return false }
      while isDigit(offset) { offset += 1 }
      return true
    }
    if isNext("-") { offset += 1 }
    if isNext("0"), isDigit(offset + 1) { return nil }
    guard takeDigits() else { return nil }
    if isNext(".") {
      isInteger = false
      offset += 1
      guard takeDigits() else { return nil }
    }
    if isNext("e") || isNext("E") {
      isInteger = false
      offset += 1
      if isNext("+") || isNext("-") { offset += 1 }
      guard takeDigits() else { return nil }
    }
    return (String(decoding: bytes[start..<offset], as: UTF8.self), isInteger)
  }

  /// Reads a text.
  package mutating func text() -> String? {
    guard take("\"") else { return nil }
    var found: [UInt8] = []
    var start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        found += bytes[start..<offset - 1]
        let text = String(decoding: found, as: UTF8.self)
        // What is not UTF-8 would have been replaced.
        return text.utf8.elementsEqual(found) ? text : nil
      case UInt8(ascii: "\\"):
        found += bytes[start..<offset - 1]
        guard let scalar = escaped() else { return nil }
        found += Array(String(scalar).utf8)
        start = offset
      case 0..<0x20: return nil
      default: continue
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
  package mutating func skip() -> Bool {
    switch next() {
    case .object: object { _, reader in reader.skip() }
    case .list: list { reader in reader.skip() }
    case .text: text() != nil
    case .boolean: boolean() != nil
    case .null: null()
    case .number: number() != nil
    case nil: false
    }
  }
}
