// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// An SVG file, or a page with drawings in it, under construction: one element per line.
package struct SVGText {
  private(set) var lines: [String] = []

  /// Starts empty.
  package init() {}

  /// The elements so far, one per line.
  package var markup: String { lines.joined(separator: "\n") }

  /// Adds markup unchanged, with its texts already escaped.
  package mutating func raw(_ markup: String) { lines.append(markup) }

  /// Adds an element without content.
  package mutating func add(_ element: String, _ attributes: KeyValuePairs<String, String>) {
    lines.append("<\(element)\(Self.list(attributes))/>")
  }

  /// Adds an element with a text.
  package mutating func add(
    _ element: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) {
    lines.append("<\(element)\(Self.list(attributes))>\(xmlEscaped(text))</\(element)>")
  }

  /// Adds an element around others.
  package mutating func group(
    _ element: String, _ attributes: KeyValuePairs<String, String> = [:],
    _ content: (inout SVGText) -> Void
  ) {
    lines.append("<\(element)\(Self.list(attributes))>")
    content(&self)
    lines.append("</\(element)>")
  }

  /// A whole file: a picture on plain ground, with a title and description for screen readers.
  package static func picture(
    width: Double, height: Double, title: String, description: String,
    _ content: (inout SVGText) -> Void
  ) -> String {
    var drawing = SVGText()
    let (width, height) = (pixels(width), pixels(height))
    drawing.group(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)", "role": "img",
        "font-family": ElevationDrawing.Ink.fonts, "font-size": "12",
        "fill": ElevationDrawing.Ink.text,
      ]
    ) { drawing in
      drawing.add("title", text: title)
      drawing.add("desc", text: description)
      drawing.add("rect", ["width": width, "height": height, "fill": ElevationDrawing.Ink.paper])
      content(&drawing)
    }
    return drawing.document
  }

  /// The whole file.
  private var document: String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0)=\"\(xmlEscaped($1))\"" }.joined()
  }
}

/// A coordinate of the drawing to a tenth of a pixel: `12`, `12.5`.
package func pixels(_ value: Double) -> String { shortDecimal(value, 1) }
