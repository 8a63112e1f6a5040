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

  /// More would make the page slow.
  static let most = 240
  /// The width of a letter for the size of its font.
  private static let letterWidth = 0.58

  private(set) var names: [Name] = []
  private let fontSize: Double

  /// - Parameter fontSize: The size of the font on the whole map, in units.
  init(_ labels: [PlaceLabel], _ frame: MapFrame, fontSize: Double = 220) {
    self.fontSize = fontSize
    var taken: [(x: ClosedRange<Double>, y: ClosedRange<Double>)] = []
    for label in labels.prefix(Self.most) {
      let (x, y) = frame.position(label.coordinate)
      guard (0...frame.width).contains(x), (0...frame.height).contains(y) else { continue }
      let text = printable(label.textOnMaps)
      let half = Double(text.count) * Self.letterWidth * fontSize / 2
      let box = (x: x - half...x + half, y: y - 0.6 * fontSize...y + 0.6 * fontSize)
      let isInside = box.x.lowerBound > 0 && box.x.upperBound < frame.width
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
