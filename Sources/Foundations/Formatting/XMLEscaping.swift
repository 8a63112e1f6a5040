// SPDX-License-Identifier: Apache-2.0

/// A text as the content of an XML element or the value of an attribute in either kind of quotation
/// marks.
///
/// The five characters of markup become entities.
///
/// - Parameters:
///   - keepsApostrophes: Whether to keep apostrophes, which is valid in elements and between double
///     quotation marks.
///   - forbidden: The replacement for a character that XML 1.0 forbids (section 2.2).
///   - keepsLines: Whether to keep tabs and line breaks, which is possible only in elements;
///     otherwise they become spaces, as a parser reads them in attributes.
package func xmlEscaped(
  _ text: String, keepsApostrophes: Bool = false, forbidden: String = "\u{FFFD}",
  keepsLines: Bool = false
) -> String {
  // Most texts have nothing to escape.
  let isPlain = text.utf8.allSatisfy {
    $0 >= 0x20 && $0 < 0x80 && !"&<>\"'".utf8.contains($0)
  }
  guard !isPlain else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += keepsApostrophes ? "'" : "&apos;"
    // A parser reads a bare carriage return as a line feed.
    case "\r" where keepsLines: result += "&#13;"
    case "\t" where keepsLines, "\n" where keepsLines: result.unicodeScalars.append(scalar)
    case "\t", "\n", "\r": result += " "
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += forbidden
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
