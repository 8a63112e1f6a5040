// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// An SVG file in the making, an element a line.
struct SVGText {
  private(set) var lines: [String] = []

  /// Adds an element without content.
  mutating func add(_ element: String, _ attributes: KeyValuePairs<String, String>) {
    lines.append("<\(element)\(Self.list(attributes))/>")
  }

  /// Adds an element that holds a text.
  mutating func add(
    _ element: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) {
    lines.append("<\(element)\(Self.list(attributes))>\(escaped(text))</\(element)>")
  }

  /// Adds an element around others.
  mutating func group(
    _ element: String, _ attributes: KeyValuePairs<String, String>,
    _ content: (inout SVGText) -> Void
  ) {
    lines.append("<\(element)\(Self.list(attributes))>")
    content(&self)
    lines.append("</\(element)>")
  }

  private static func list(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }
}

/// A text as XML has it in elements and attributes. Characters that XML 1.0 forbids (section 2.2)
/// become U+FFFD, line breaks become spaces.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\t", "\n", "\r": result += " "
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A coordinate of the drawing to a tenth of a pixel: `12`, `12.5`.
func pixels(_ value: Double) -> String {
  let text = decimal(value, 1)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
