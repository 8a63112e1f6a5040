// SPDX-License-Identifier: Apache-2.0
import Formatting

extension ElevationDrawing {
  /// A text with its place, and the room that it takes.
  struct Label: Equatable {
    var text: String
    var isBold: Bool
    /// The middle of the text.
    var centre: Double
    var baseline: Double

    /// About as wide as the fonts that are asked for set it.
    static func width(of text: String) -> Double { Double(text.count) * 6.9 + 4 }

    func overlaps(_ other: Label) -> Bool {
      let reach = (Self.width(of: text) + Self.width(of: other.text)) / 2
      return abs(centre - other.centre) < reach && abs(baseline - other.baseline) < 15
    }
  }

  /// The lowest point is labelled where it is so many pixels below both ends.
  private static let leastLabelledDepth = 8.0

  /// Of two places nearer than so many pixels one is labelled.
  private static let leastDotDistance = 14.0

  /// A place whose elevation is written beside it.
  private struct Notable {
    var place: KnownStretch.Place
    var isHighest = false
    var isLowest = false
  }

  /// Writes the elevations of the highest point, the ends and the lowest point, the more important
  /// ones first, above the curve or below it; one that would stand on another is left out.
  func addLabels(to drawing: inout SVGText) {
    var labels: [Label] = []
    var dots: [(Double, Double)] = []
    for notable in notables {
      let dot = (x(notable.place.distance), y(notable.place.elevation))
      let isSaid = dots.contains {
        abs($0.0 - dot.0) < Self.leastDotDistance && abs($0.1 - dot.1) < Self.leastDotDistance
      }
      let free = candidates(for: notable).first { candidate in
        !labels.contains { $0.overlaps(candidate) }
      }
      guard !isSaid, let free else { continue }
      labels.append(free)
      dots.append(dot)
      addDot(at: dot, radius: 3.5, to: &drawing)
    }
    for label in labels { write(label, to: &drawing) }
  }

  /// Says why there is no curve.
  func addExcuse(to drawing: inout SVGText) {
    write(
      Label(
        text: "no elevation is known here", isBold: false,
        centre: Double(Plot.left + Plot.right) / 2, baseline: Double(Plot.top + Plot.bottom) / 2),
      to: &drawing)
  }

  /// The highest point, the ends, and the lowest point unless an end is about as low.
  private var notables: [Notable] {
    guard let first = stretches.first?.places.first, let last = stretches.last?.places.last else {
      return []
    }
    var (highest, lowest) = (first, first)
    for stretch in stretches {
      for place in stretch.places {
        if place.elevation > highest.elevation { highest = place }
        if place.elevation < lowest.elevation { lowest = place }
      }
    }
    var notables = [Notable(place: highest, isHighest: true)]
    for end in [first, last] where !notables.contains(where: { $0.place == end }) {
      notables.append(Notable(place: end))
    }
    let lowestEnd = min(first.elevation, last.elevation)
    if y(lowest.elevation) - y(lowestEnd) >= Self.leastLabelledDepth {
      notables.append(Notable(place: lowest, isLowest: true))
    }
    return notables
  }

  /// Where the label of a place may stand, the best first.
  private func candidates(for notable: Notable) -> [Label] {
    let place = notable.place
    let text = metres(place.elevation)
    let half = Label.width(of: text) / 2
    let centre = min(max(x(place.distance), Double(Plot.left) + half), Double(Plot.right) - half)
    func label(baseline: Double) -> Label {
      Label(text: text, isBold: notable.isHighest, centre: centre, baseline: baseline)
    }
    let above = label(
      baseline: highestRow(from: centre - half, to: centre + half, around: place) - 9)
    let below = label(baseline: y(place.elevation) + 19)
    return notable.isLowest ? [below, above] : [above, below]
  }

  /// The row of the curve's highest place between two columns, as far as it matters for a label at
  /// `place`.
  private func highestRow(from left: Double, to right: Double, around place: KnownStretch.Place)
    -> Double
  {
    var row = y(place.elevation)
    for stretch in stretches where x(stretch.start) <= right && x(stretch.end) >= left {
      for column in stride(from: left, through: right, by: 2) {
        let distance = (column - Double(Plot.left)) / Double(Plot.columns) * length
        guard distance >= stretch.start, distance <= stretch.end else { continue }
        row = min(row, y(stretch.elevation(at: distance)))
      }
    }
    return row
  }

  /// A text with a border of paper, drawn first and apart: not every program that shows SVG can
  /// paint a text's stroke before its fill.
  private func write(_ label: Label, to drawing: inout SVGText) {
    let weight = label.isBold ? "bold" : "normal"
    drawing.group(
      "g",
      [
        "text-anchor": "middle", "font-size": "12.5", "font-weight": weight,
        "transform": "translate(\(pixels(label.centre)) \(pixels(label.baseline)))",
      ]
    ) { group in
      group.add(
        "text",
        [
          "stroke": Ink.paper, "stroke-width": "3.5", "stroke-linejoin": "round",
          "stroke-opacity": "0.85", "aria-hidden": "true",
        ], text: label.text)
      group.add("text", text: label.text)
    }
  }
}
