// SPDX-License-Identifier: Apache-2.0

/// Whether a byte is XML white space: space, tab, line feed, carriage return.
package func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 32 || byte == 9 || byte == 10 || byte == 13
}

/// A text without white space at its ends.
func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var (start, end) = (0, bytes.count)
  while start < end, isXMLSpace(bytes[start]) { start += 1 }
  while end > start, isXMLSpace(bytes[end - 1]) { end -= 1 }
  return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
}

/// A trimmed text, otherwise unchanged.
func textLines(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

/// A trimmed text on one line, with single spaces between words.
func oneLine(_ bytes: UnsafeRawBufferPointer) -> String {
  var words: [UInt8] = []
  words.reserveCapacity(bytes.count)
  for byte in bytes {
    if !isXMLSpace(byte) { words.append(byte) } else if words.last != 32 { words.append(32) }
  }
  return String(decoding: words, as: UTF8.self)
}

/// A finite number, with or without white space around it; nil for anything else, including `nan`
/// and the hexadecimal `0x1p3`, which `Double` would accept.
func decimalValue(_ bytes: UnsafeRawBufferPointer) -> Double? {
  let digits = trimmed(bytes)
  // Longer texts than any number needs are slow to read.
  guard digits.count <= 100,
    digits.allSatisfy({ 48...57 ~= $0 || "+-.eE".utf8.contains($0) })
  else { return nil }
  return Double(String(decoding: digits, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
}
