// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension ElevationDrawing {
  /// A text with its position, and the space that it takes.
  struct Label: Equatable {
    var text: String
    var isBold: Bool
    /// The middle of the text.
    var centre: Double
    var baseline: Double

    /// An estimate of the width with the requested fonts.
    static func width(of text: String) -> Double { Double(text.count) * 6.9 + 4 }

    func overlaps(_ other: Label) -> Bool {
      let reach = (Self.width(of: text) + Self.width(of: other.text)) / 2
      return abs(centre - other.centre) < reach && abs(baseline - other.baseline) < 15
    }
  }

  /// Points closer than this many pixels share one label.
  private static let minimumDotDistance = 14.0

  /// A point labelled with its elevation.
  private struct Notable {
    var point: KnownStretch.Point
    var isHighest = false
    var isLowest = false
  }

  /// Labels the highest point, the lowest point and the ends with their elevations above or below
  /// the curve, in this order of priority, then the via points at the top; a label that would
  /// overlap another one is left out.
  func addLabels(to drawing: inout SVGText) {
    var labels: [Label] = []
    var dots: [(Double, Double)] = []
    for notable in notables {
      let dot = (x(notable.point.distance), y(notable.point.elevation))
      let isLabelled = dots.contains {
        abs($0.0 - dot.0) < Self.minimumDotDistance && abs($0.1 - dot.1) < Self.minimumDotDistance
      }
      let free = candidates(for: notable).first { candidate in
        !labels.contains { $0.overlaps(candidate) }
      }
      guard !isLabelled, let free else { continue }
      labels.append(free)
      dots.append(dot)
      addDot(at: dot, radius: 3.5, to: &drawing)
    }
    for (index, distance) in viaDistances.enumerated() {
      let text = "via \(index + 1)"
      let half = Label.width(of: text) / 2
      let centre = min(max(x(distance), Double(Plot.left) + half), Double(Plot.right) - half)
      let free = [12.0, 27.0].map {
        Label(text: text, isBold: false, centre: centre, baseline: Double(Plot.top) + $0)
      }.first { candidate in !labels.contains { $0.overlaps(candidate) } }
      if let free { labels.append(free) }
    }
    for label in labels { write(label, to: &drawing) }
  }

  /// Writes a text in place of the missing curve.
  func addMissingCurveNote(to drawing: inout SVGText) {
    write(
      Label(
        text: "no elevation data", isBold: false,
        centre: Double(Plot.left + Plot.right) / 2, baseline: Double(Plot.top + Plot.bottom) / 2),
      to: &drawing)
  }

  /// The highest point, the lowest point and the ends, each point once.
  private var notables: [Notable] {
    guard let first = stretches.first?.points.first, let last = stretches.last?.points.last else {
      return []
    }
    var (highest, lowest) = (first, first)
    for stretch in stretches {
      for point in stretch.points {
        if point.elevation > highest.elevation { highest = point }
        if point.elevation < lowest.elevation { lowest = point }
      }
    }
    var notables = [Notable(point: highest, isHighest: true)]
    let isEnd = lowest == first || lowest == last
    for point in [lowest, first, last] where !notables.contains(where: { $0.point == point }) {
      notables.append(Notable(point: point, isLowest: !isEnd && point == lowest))
    }
    return notables
  }

  /// The possible positions of a label, best first.
  private func candidates(for notable: Notable) -> [Label] {
    let point = notable.point
    let text = metres(point.elevation)
    let half = Label.width(of: text) / 2
    let centre = min(max(x(point.distance), Double(Plot.left) + half), Double(Plot.right) - half)
    func label(baseline: Double) -> Label {
      Label(text: text, isBold: notable.isHighest, centre: centre, baseline: baseline)
    }
    let above = label(
      baseline: topOfCurve(from: centre - half, to: centre + half, around: point) - 9)
    let below = label(baseline: y(point.elevation) + 19)
    return notable.isLowest ? [below, above] : [above, below]
  }

  /// The y coordinate of the highest point of the curve between two x coordinates, at least that of
  /// `point`.
  private func topOfCurve(from left: Double, to right: Double, around point: KnownStretch.Point)
    -> Double
  {
    var top = y(point.elevation)
    for stretch in stretches where x(stretch.start) <= right && x(stretch.end) >= left {
      for column in stride(from: left, through: right, by: 2) {
        let distance = (column - Double(Plot.left)) / Double(Plot.columns) * length
        guard distance >= stretch.start, distance <= stretch.end else { continue }
        top = min(top, y(stretch.elevation(at: distance)))
      }
    }
    return top
  }

  /// Writes a text with an outline in the background colour. The outline is a separate element,
  /// since not every SVG viewer supports painting the stroke before the fill.
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
