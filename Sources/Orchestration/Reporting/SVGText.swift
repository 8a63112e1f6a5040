// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// An SVG file under construction, one element per line.
struct SVGText {
  private(set) var lines: [String] = []

  /// Adds an element without content.
  mutating func add(_ element: String, _ attributes: KeyValuePairs<String, String>) {
    lines.append("<\(element)\(Self.list(attributes))/>")
  }

  /// Adds an element with a text.
  mutating func add(
    _ element: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) {
    lines.append("<\(element)\(Self.list(attributes))>\(xmlEscaped(text))</\(element)>")
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

  /// The whole file.
  var document: String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0)=\"\(xmlEscaped($1))\"" }.joined()
  }
}

/// A coordinate of the drawing to a tenth of a pixel: `12`, `12.5`.
func pixels(_ value: Double) -> String { shortDecimal(value, 1) }
