// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An SVG file as an XML parser sees it.
final class SVGDocument: NSObject, XMLParserDelegate {
  /// An element: its name, its attributes, and the text directly within.
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""

    func number(_ name: String) throws -> Double {
      try #require(attributes[name].flatMap { Double($0) }, "\(name) of \(self)")
    }
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []

  /// Parses a file. Throws unless it is well-formed.
  init(_ svg: String) throws {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else {
      throw TestFailure("not well-formed XML, line \(parser.lineNumber): \(svg)")
    }
  }

  func parser(
    _: XMLParser, didStartElement name: String, namespaceURI _: String?,
    qualifiedName _: String?, attributes: [String: String]
  ) {
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes))
  }

  func parser(
    _: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?
  ) {
    open.removeLast()
  }

  func parser(_: XMLParser, foundCharacters text: String) {
    if let last = open.last { elements[last].text += text }
  }

  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// The visible texts.
  var texts: [String] {
    (all("text") + all("tspan")).filter { $0.attributes["aria-hidden"] == nil }
      .map { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }

  /// The y coordinate of a label at the curve.
  func labelHeight(_ text: String) -> Double? {
    guard let index = elements.firstIndex(where: { $0.name == "text" && $0.text == text }) else {
      return nil
    }
    let group = elements[..<index].last { $0.attributes["transform"] != nil }
    return group?.attributes["transform"]?.dropLast().split(separator: " ").last
      .flatMap { Double($0) }
  }

  /// The lines of the curve: paths without fill.
  var curves: [Element] { all("path").filter { $0.attributes["fill"] == "none" } }

  /// The colours of the areas below the curve, in order.
  var areaColours: [String] {
    all("path").filter { $0.attributes["d"]?.hasSuffix("Z") == true }
      .compactMap { $0.attributes["fill"] }
  }
}

/// The corners of a path of straight lines.
func corners(_ path: SVGDocument.Element) throws -> [(x: Double, y: Double)] {
  let data = try #require(path.attributes["d"])
  return try data.filter { !"MZ".contains($0) }.split(separator: "L").map { corner in
    let numbers = corner.split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count == 2, "\(corner)")
    return (numbers[0], numbers[1])
  }
}
