// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Reads JSON in UTF-8, of one value; nil if it is not well-formed, nested more than 512 levels
  /// deep, or has a number that is too large. Of equal keys of an object, the last one counts.
  ///
  /// It takes a tenth of the time of Foundation's decoder, which looks up types by their names.
  package init?(json bytes: UnsafeRawBufferPointer) {
    var reader = JSONReader(bytes)
    guard let value = reader.readWhole() else { return nil }
    self = value
  }

  /// The same for bytes in memory.
  package init?(json bytes: [UInt8]) {
    guard let value = bytes.withUnsafeBytes({ JSONValue(json: $0) }) else { return nil }
    self = value
  }

  /// The text; nil for another value.
  package var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The integer; nil for another value.
  package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The number or integer; nil for another value.
  package var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  /// The elements; nil for another value.
  package var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }
  /// The texts of a list; nil for another value or other elements.
  package var texts: [String]? { list?.all(\.text) }
  /// The values by key; nil for another value.
  package var object: [String: JSONValue]? {
    if case .object(let values) = self { values } else { nil }
  }
}

extension [JSONValue] {
  /// What is read of each element; nil if one of them is refused.
  package func all<Content>(_ read: (JSONValue) -> Content?) -> [Content]? {
    var values: [Content] = []
    for element in self {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }
}

extension [String: JSONValue] {
  /// What is read of each value; nil if one of them is refused.
  package func all<Content>(_ read: (JSONValue) -> Content?) -> [String: Content]? {
    var values: [String: Content] = [:]
    for (key, value) in self {
      guard let value = read(value) else { return nil }
      values[key] = value
    }
    return values
  }

  /// What is read of the value of a key, or an inner nil where it is missing or null; an outer nil
  /// if it is refused.
  package func optional<Content>(_ key: String, _ read: (JSONValue) -> Content?) -> Content?? {
    guard let value = self[key], value != .null else { return .some(nil) }
    return read(value).map { .some($0) }
  }
}

/// Reads JSON as RFC 8259 defines it.
private struct JSONReader {
  private static let depthLimit = 512
  /// Up to here, a number with a fraction or an exponent is an integer if it has no fraction.
  private static let greatestExact = 0x1p53

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Reads bytes, which may begin with the mark of UTF-8 that some editors write.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func readWhole() -> JSONValue? {
    guard let value = readValue(depth: 0) else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private mutating func readValue(depth: Int) -> JSONValue? {
    guard depth <= Self.depthLimit else { return nil }
    skipSpace()
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "{"): return readObject(depth: depth)
    case UInt8(ascii: "["): return readList(depth: depth)
    case UInt8(ascii: "\""): return readText().map { .text($0) }
    case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return readNumber()
    }
  }

  private mutating func readObject(depth: Int) -> JSONValue? {
    position += 1
    var values: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(values) }
    while true {
      skipSpace()
      guard let key = readText() else { return nil }
      skipSpace()
      guard take(":"), let value = readValue(depth: depth + 1) else { return nil }
      values[key] = value
      skipSpace()
      if take("}") { return .object(values) }
      guard take(",") else { return nil }
    }
  }

  private mutating func readList(depth: Int) -> JSONValue? {
    position += 1
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .list(values) }
    while true {
      guard let value = readValue(depth: depth + 1) else { return nil }
      values.append(value)
      skipSpace()
      if take("]") { return .list(values) }
      guard take(",") else { return nil }
    }
  }

  private mutating func readNumber() -> JSONValue? {
    let start = position
    _ = take("-")
    guard let first = digits() else { return nil }
    // No leading zero.
    guard first == 1 || bytes[position - first] != UInt8(ascii: "0") else { return nil }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard digits() != nil else { return nil }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("-") { _ = take("+") }
      guard digits() != nil else { return nil }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { return nil }
    guard abs(value) <= Self.greatestExact else { return .number(value) }
    return Int(exactly: value).map { .integer($0) } ?? .number(value)
  }

  /// Takes digits; their number, or nil without any.
  private mutating func digits() -> Int? {
    let start = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    return position > start ? position - start : nil
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func readText() -> String? {
    guard take("\"") else { return nil }
    var start = position
    var escaped: [UInt8]?
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        let rest = bytes[start..<position]
        position += 1
        guard var text = escaped else { return String(validating: rest, as: UTF8.self) }
        text += rest
        return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        var text = (escaped ?? []) + bytes[start..<position]
        position += 1
        guard appendEscape(to: &text) else { return nil }
        escaped = text
        start = position
      case 0..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  private mutating func appendEscape(to text: inout [UInt8]) -> Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
    case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
    case UInt8(ascii: "t"): text.append(UInt8(ascii: "\t"))
    case UInt8(ascii: "u"):
      guard let scalar = readScalar() else { return false }
      text += Array(String(Character(scalar)).utf8)
    default: return false
    }
    return true
  }

  /// The scalar of `XXXX` or, outside the basic plane, of `XXXX\uXXXX`.
  private mutating func readScalar() -> Unicode.Scalar? {
    guard let high = readUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
    guard take("\\u"), let low = readUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func readUnit() -> UInt32? {
    guard bytes.count - position >= 4 else { return nil }
    var unit: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    position += 4
    return unit
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }

  /// Takes an expected text, if it is next.
  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where bytes[position + index] != text.utf8Start[index] { return false }
    position += count
    return true
  }
}
