// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A small elevation profile for a page, styled by the page's CSS classes `area`, `curve`, `grid`
/// and `axis`. Panels that share a frame can be compared by eye.
package struct ElevationPanel: Sendable {
  /// The axes that panels share.
  package struct Frame: Equatable, Sendable {
    let lengthMetres: Double
    let elevations: ClosedRange<Double>

    /// The axes that all of some panels fit into.
    package init(_ panels: [ElevationPanel]) {
      lengthMetres = max(1, panels.map(\.lengthMetres).max() ?? 1)
      let known = panels.flatMap { $0.stretches.flatMap(\.points).map(\.elevation) }
      let (lowest, highest) = (known.min() ?? 0, known.max() ?? 0)
      let margin = max(0, ElevationDrawing.minimumSpanMetres - (highest - lowest)) / 2
      let span = highest - lowest + 2 * margin
      elevations = (lowest - margin - 0.08 * span)...(highest + margin + 0.08 * span)
    }
  }

  /// The size in the drawing's own pixels.
  private static let (width, height) = (380.0, 190.0)
  private static let (left, right, top, bottom) = (44.0, 370.0, 10.0, 160.0)
  /// More points than this would not be seen.
  private static let buckets = 160

  let lengthMetres: Double
  let stretches: [KnownStretch]

  /// Takes the points of a profile, cleaned as for an ``ElevationChart``.
  package init(points: [(distanceMetres: Double, elevationMetres: Double?)]) {
    let chart = ElevationChart(points: points)
    lengthMetres = chart.points.last?.distance ?? 0
    stretches = KnownStretch.stretches(of: chart.points)
  }

  /// Whether any elevation is known.
  package var isKnown: Bool { !stretches.isEmpty }

  /// Adds the drawing.
  ///
  /// - Parameters:
  ///   - label: A description for screen readers.
  ///   - style: A further CSS class.
  package func add(to page: inout SVGText, in frame: Frame, label: String, style: String) {
    func x(_ distance: Double) -> Double {
      Self.left + distance / frame.lengthMetres * (Self.right - Self.left)
    }
    func y(_ elevation: Double) -> Double {
      let range = frame.elevations
      let share = (elevation - range.lowerBound) / (range.upperBound - range.lowerBound)
      return Self.bottom - share * (Self.bottom - Self.top)
    }
    page.group(
      "svg",
      [
        "class": "chart profile \(style)", "role": "img", "aria-label": label,
        "viewBox": "0 0 \(pixels(Self.width)) \(pixels(Self.height))",
      ]
    ) { page in
      addAxes(to: &page, frame, x, y)
      for stretch in stretches {
        let points = stretch.thinned(to: Self.buckets, of: lengthMetres)
        let line = points.map { "\(pixels(x($0.distance))) \(pixels(y($0.elevation)))" }
          .joined(separator: "L")
        if let first = points.first, let last = points.last, points.count > 1 {
          let floor = pixels(Self.bottom)
          page.add(
            "path",
            [
              "class": "area",
              "d": "M\(pixels(x(first.distance))) \(floor)L\(line)"
                + "L\(pixels(x(last.distance))) \(floor)Z",
            ])
        }
        page.add("path", ["class": "curve", "d": "M\(line)"])
      }
    }
  }

  private func addAxes(
    to page: inout SVGText, _ frame: Frame, _ x: (Double) -> Double, _ y: (Double) -> Double
  ) {
    let range = frame.elevations
    for tick in AxisTicks(length: range.upperBound - range.lowerBound, atMost: 4).values(in: range)
    {
      let height = y(Double(tick))
      page.add(
        "path",
        ["class": "grid", "d": "M\(pixels(Self.left)) \(pixels(height))H\(pixels(Self.right))"])
      page.add(
        "text",
        ["x": pixels(Self.left - 5), "y": pixels(height + 4), "text-anchor": "end"],
        text: grouped(tick))
    }
    page.add(
      "path",
      ["class": "axis", "d": "M\(pixels(Self.left)) \(pixels(Self.bottom))H\(pixels(Self.right))"])
    // Short routes are labelled in metres.
    let isShort = frame.lengthMetres < 2000
    let unit = isShort ? 1.0 : 1000.0
    let length = frame.lengthMetres / unit
    for tick in AxisTicks(length: length, atMost: 6).values(in: 0...length) {
      page.add(
        "text",
        [
          "x": pixels(x(Double(tick) * unit)), "y": pixels(Self.bottom + 16),
          "text-anchor": "middle",
        ], text: tick == 0 ? (isShort ? "0 m" : "0 km") : grouped(tick))
    }
  }
}
