// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy
import CairnPlaceDatabase
import Charts

/// Names on a map, most important first. As many are shown as fit without overlapping; the page's
/// script chooses anew when zooming.
struct MapNames: Equatable, Sendable {
  /// A name at its place.
  struct Name: Equatable, Sendable {
    var text: String
    var style: String
    var x: Double
    var y: Double
    /// Whether it fits on the whole map.
    var isShown: Bool
  }

  /// A rectangle in units.
  typealias Area = (x: ClosedRange<Double>, y: ClosedRange<Double>)

  /// More would make the page slow.
  static let most = 240
  /// The width of a letter for the size of its font.
  private static let letterWidth = 0.58

  private(set) var names: [Name] = []
  private let fontSize: Double

  /// - Parameters:
  ///   - fontSize: The size of the font on the whole map, in units.
  ///   - areas: Where names may be shown: each within one of them. Nil for the whole frame.
  init(_ labels: [PlaceLabel], _ frame: MapFrame, fontSize: Double = 220, in areas: [Area]? = nil) {
    self.fontSize = fontSize
    let areas = areas ?? [(x: 0...frame.width, y: -.infinity ... .infinity)]
    var taken: [Area] = []
    for label in labels.prefix(Self.most) {
      let (x, y) = frame.position(label.coordinate)
      guard (0...frame.width).contains(x), (0...frame.height).contains(y) else { continue }
      let text = printable(label.textOnMaps)
      let half = Double(text.count) * Self.letterWidth * fontSize / 2
      let box = (x: x - half...x + half, y: y - 0.6 * fontSize...y + 0.6 * fontSize)
      let isInside = areas.contains { $0.x.contains(box.x) && $0.y.contains(box.y) }
      let isFree = !taken.contains { $0.x.overlaps(box.x) && $0.y.overlaps(box.y) }
      if isInside, isFree { taken.append(box) }
      names.append(
        Name(text: text, style: label.kind.rawValue, x: x, y: y, isShown: isInside && isFree))
    }
  }

  func add(to page: inout SVGText) {
    guard !names.isEmpty else { return }
    page.group(
      "g",
      [
        "class": "names", "aria-hidden": "true", "font-size": shortDecimal(fontSize, 0),
        "stroke-width": shortDecimal(fontSize / 4, 0),
      ]
    ) { page in
      for name in names {
        page.add(
          "text",
          [
            "x": shortDecimal(name.x, 0), "y": shortDecimal(name.y, 0),
            "class": name.isShown ? name.style : "\(name.style) crowded",
          ], text: name.text)
      }
    }
  }
}
