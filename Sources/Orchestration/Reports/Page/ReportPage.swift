// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Charts
import CommandLineKit

/// A self-contained page: styles, scripts and pictures are embedded, and it loads nothing.
package struct ReportPage {
  private static let signature = "<!DOCTYPE html>\n<!-- cairn report"
  /// The content security policy: nothing from outside, whatever its texts contain.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    + "base-uri 'none'; form-action 'none'"

  let title: String
  let subtitle: String
  private var contents = SVGText()
  private var links: [(id: String, name: String)] = []
  /// The map library, if the page has a map and it is installed.
  var leaflet: LeafletFiles?
  /// The attributions of the pictures, in addition to OpenStreetMap.
  var attributions: [String] = []

  /// Starts a page.
  init(title: String, subtitle: String) {
    self.title = title
    self.subtitle = subtitle
  }

  /// Whether a file with these first bytes is a page of Cairn's.
  package static func isReport(head: [UInt8]) -> Bool { head.starts(with: signature.utf8) }

  /// Adds a section with a heading, which the page's list of contents names.
  mutating func section(_ id: String, _ name: String, _ content: (inout SVGText) -> Void) {
    links.append((id, name))
    contents.group("section", ["id": id, "aria-labelledby": "\(id)-heading"]) { page in
      page.add("h2", ["id": "\(id)-heading"], text: name)
      content(&page)
    }
  }

  /// Adds content before the first section.
  mutating func add(_ content: (inout SVGText) -> Void) { content(&contents) }

  /// The file.
  package var html: String {
    var page = SVGText()
    page.group("html", ["lang": "en"]) { page in
      page.group("head", [:], addHead)
      page.group("body") { page in
        page.add("a", ["class": "skip", "href": "#content"], text: "Skip to the content")
        page.group("header") { page in
          page.add("p", ["class": "brand"], text: "Cairn")
          page.add("h1", text: title)
          page.add("p", ["class": "subtitle"], text: subtitle)
          page.group("nav", ["aria-label": "Contents"]) { page in
            for link in links { page.add("a", ["href": "#\(link.id)"], text: link.name) }
          }
        }
        page.group("main", ["id": "content"]) { $0.raw(contents.markup) }
        page.group("footer") { page in
          page.add(
            "p",
            text: "Made by Cairn \(cairnVersion). Map data © OpenStreetMap contributors, ODbL 1.0."
              + (attributions.isEmpty
                ? "" : " Elevations: \(attributions.joined(separator: ", ")).")
          )
        }
        if let leaflet { page.raw("<script>\(leaflet.script)</script>") }
        page.raw("<script>\(Self.script)</script>")
      }
    }
    return Self.signature + " \(cairnVersion) -->\n" + page.markup + "\n"
  }

  private func addHead(to head: inout SVGText) {
    head.add("meta", ["charset": "utf-8"])
    head.add("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
    head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    head.add("meta", ["name": "color-scheme", "content": "light dark"])
    head.add("title", text: "\(title) – Cairn")
    // Without an icon of its own, a browser would request one.
    head.add("link", ["rel": "icon", "href": "data:,"])
    if let leaflet { head.raw("<style>\(leaflet.style)</style>") }
    head.raw("<style>\(Self.baseStyle)\(Self.chartStyle)</style>")
  }
}

extension SVGText {
  /// A cell of a table.
  struct Cell {
    let markup: String
    var isNumber = false
    var style = ""

    /// A text.
    static func text(_ text: String, style: String = "") -> Cell {
      Cell(markup: xmlEscaped(text), style: style)
    }
    /// A number with its unit.
    static func number(_ text: String) -> Cell { Cell(markup: xmlEscaped(text), isNumber: true) }
    /// Markup with its texts already escaped.
    static func markup(_ markup: String) -> Cell { Cell(markup: markup) }
  }

  /// Adds a table, which scrolls by itself on narrow screens. The first cell of a row is its
  /// heading.
  mutating func table(caption: String, _ heads: [String], _ rows: [[Cell]]) {
    let firstRow = rows.first ?? []
    group("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption]) {
      page in
      page.group("table") { page in
        page.add("caption", text: caption)
        let head = heads.enumerated().map { index, text in
          let isNumber = index < firstRow.count && firstRow[index].isNumber
          return "<th scope=\"col\"\(isNumber ? " class=\"number\"" : "")>\(xmlEscaped(text))</th>"
        }
        page.raw("<thead><tr>\(head.joined())</tr></thead><tbody>")
        for row in rows {
          let cells = row.enumerated().map { index, cell in
            let styles = [cell.isNumber ? "number" : "", cell.style].filter { !$0.isEmpty }
            let list = styles.isEmpty ? "" : " class=\"\(styles.joined(separator: " "))\""
            return index == 0
              ? "<th scope=\"row\"\(list)>\(cell.markup)</th>"
              : "<td\(list) data-head=\"\(xmlEscaped(index < heads.count ? heads[index] : ""))\">"
                + "\(cell.markup)</td>"
          }
          page.raw("<tr>\(cells.joined())</tr>")
        }
        page.raw("</tbody>")
      }
    }
  }

  /// Adds figures with their names, as tiles.
  mutating func tiles(_ tiles: [(value: String, name: String)]) {
    group("dl", ["class": "tiles"]) { page in
      for tile in tiles {
        page.raw(
          "<div><dt>\(xmlEscaped(tile.name))</dt><dd>\(xmlEscaped(tile.value))</dd></div>")
      }
    }
  }
}

/// A text with links to the OpenStreetMap objects that it names; everything else is escaped.
func linked(_ text: String) -> String {
  let escaped = xmlEscaped(text)
  var result = ""
  var previous: Substring?
  for (index, word) in escaped.split(separator: " ", omittingEmptySubsequences: false).enumerated()
  {
    if index > 0 { result += " " }
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    if let kind = previous, ["way", "node", "relation"].contains(kind), !digits.isEmpty,
      digits.count < 20
    {
      result += osmLink("\(kind)/\(digits)", text: String(digits)) + word.dropFirst(digits.count)
    } else if let point = coordinate(word) {
      result +=
        osmLink(
          "?mlat=\(point.latitude)&amp;mlon=\(point.longitude)#map=17/\(point.latitude)/"
            + point.longitude, text: "\(point.latitude),\(point.longitude)")
        + word.dropFirst(point.latitude.count + point.longitude.count + 1)
    } else if let object = shortID(word) {
      result +=
        "(" + osmLink(object.path, text: object.text) + word.dropFirst(object.length - 1)
    } else {
      result += word
    }
    previous = word
  }
  return result
}

/// The coordinate that a word begins with, such as `42.6454747,1.5187225:`.
private func coordinate(_ word: Substring) -> (latitude: String, longitude: String)? {
  let parts = word.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, parts[0].contains("."), let latitude = Double(parts[0]),
    abs(latitude) <= 90
  else { return nil }
  let number = parts[1].prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
  let text = number.last == "." ? number.dropLast() : number
  guard text.contains("."), let longitude = Double(text), abs(longitude) <= 180 else { return nil }
  return (String(parts[0]), String(text))
}

/// The object that a word such as `(n45160922)` names.
private func shortID(_ word: Substring) -> (path: String, text: String, length: Int)? {
  let kinds: [Character: String] = ["n": "node", "w": "way", "r": "relation"]
  guard word.first == "(", let kind = word.dropFirst().first.flatMap({ kinds[$0] }) else {
    return nil
  }
  let digits = word.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
  guard (1..<20).contains(digits.count), word.dropFirst(2 + digits.count).first == ")" else {
    return nil
  }
  return ("\(kind)/\(digits)", "\(kind) \(digits)", 3 + digits.count)
}

/// A link to an object of OpenStreetMap, such as `way/123`. Both are escaped already.
func osmLink(_ object: String, text: String) -> String {
  "<a href=\"https://www.openstreetmap.org/\(object)\" target=\"_blank\" "
    + "rel=\"noopener noreferrer\">\(text)</a>"
}
