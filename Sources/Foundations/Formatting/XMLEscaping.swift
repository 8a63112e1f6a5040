// SPDX-License-Identifier: Apache-2.0

/// A text as the content of an XML element or the value of an attribute in either kind of
/// quotation marks.
///
/// The five characters of markup become entities. Tabs and line breaks become spaces, as a parser
/// reads them in attributes. Characters that XML 1.0 forbids (section 2.2) become U+FFFD.
///
/// - Parameter keepsApostrophes: Whether an apostrophe stays one, which is right in elements and
///   between double quotation marks.
package func xmlEscaped(_ text: String, keepsApostrophes: Bool = false) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += keepsApostrophes ? "'" : "&apos;"
    case "\t", "\n", "\r": result += " "
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
