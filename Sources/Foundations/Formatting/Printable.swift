// SPDX-License-Identifier: Apache-2.0

/// A text as one line that is safe to print, whatever its origin.
///
/// Control characters, which could move the cursor or forge a line of a log, are shown as escapes
/// such as `\n` and `\u{1B}`. Text beyond 2 000 characters is cut off with an ellipsis.
package func printable(_ text: String) -> String {
  let limit = 2_000
  // As nearly all texts.
  if text.utf8.count <= limit, text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
  let isLong = text.unicodeScalars.count > limit
  guard isLong || text.unicodeScalars.contains(where: isControl) else { return text }
  var line = ""
  for scalar in text.unicodeScalars.prefix(limit) {
    line += isControl(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return isLong ? line + "…" : line
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
  // Marks that reorder text can make a name look like another.
  case 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}
