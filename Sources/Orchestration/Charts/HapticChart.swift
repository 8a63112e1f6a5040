// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnHaptics

/// A picture of haptic patterns, one row each: taps as pins and hums as blocks over time, with
/// their intensity as height and their sharpness as colour.
///
/// Standalone SVG 1.1 without scripts. The same patterns give the same bytes.
package struct HapticChart {
  /// A pattern with its words.
  package struct Row {
    /// Its name.
    package var name: String
    /// Its meaning.
    package var meaning: String
    /// The pattern.
    package var pattern: HapticPattern

    /// Makes a row.
    package init(name: String, meaning: String, pattern: HapticPattern) {
      self.name = name
      self.meaning = meaning
      self.pattern = pattern
    }
  }

  private enum Layout {
    static let width = 900.0
    static let top = 64.0
    static let rowHeight = 76.0
    static let plotLeft = 300.0
    static let plotRight = 868.0
    static let strength = 46.0
    static let bottom = 78.0
  }

  private let rows: [Row]
  /// The end of the axis: a whole number of tenths of a second.
  private let seconds: Double

  /// Makes a picture of patterns in their order.
  package init(_ rows: [Row]) {
    self.rows = rows
    let longest = rows.reduce(0.5) { max($0, $1.pattern.duration) }
    seconds = (longest * 10).rounded(.up) / 10
  }

  private var height: Double {
    Layout.top + Layout.rowHeight * Double(rows.count) + Layout.bottom
  }

  private func x(_ time: Double) -> Double {
    Layout.plotLeft + time / seconds * (Layout.plotRight - Layout.plotLeft)
  }

  /// The picture as an SVG file.
  package var svg: String {
    SVGText.picture(
      width: Layout.width, height: height, title: "Haptic patterns",
      description: "\(rows.count) patterns of taps and hums over time."
    ) { drawing in
      drawing.add(
        "text", ["x": "24", "y": "36", "font-size": "17", "font-weight": "bold"],
        text: "Haptic patterns")
      addGrid(to: &drawing)
      for (index, row) in rows.enumerated() {
        add(row, floor: Layout.top + Layout.rowHeight * Double(index + 1) - 14, to: &drawing)
      }
      addLegend(to: &drawing)
    }
  }

  private func addGrid(to drawing: inout SVGText) {
    let bottom = Layout.top + Layout.rowHeight * Double(rows.count)
    let ticks = AxisTicks(length: seconds * 10, atMost: 12).values(in: 0...seconds * 10 + 0.01)
    drawing.group("g", ["stroke": ElevationDrawing.Ink.grid, "stroke-width": "1"]) { grid in
      for tick in ticks {
        let column = x(Double(tick) / 10).rounded() + 0.5
        grid.add("path", ["d": "M\(pixels(column)) \(pixels(Layout.top))V\(pixels(bottom))"])
      }
    }
    drawing.group(
      "g", ["fill": ElevationDrawing.Ink.faintText, "text-anchor": "middle"]
    ) { labels in
      for tick in ticks {
        labels.add(
          "text", ["x": pixels(x(Double(tick) / 10)), "y": pixels(bottom + 18)],
          text: shortDecimal(Double(tick) / 10, 1) + (tick == ticks.last ? " s" : ""))
      }
    }
  }

  private func add(_ row: Row, floor: Double, to drawing: inout SVGText) {
    drawing.add(
      "text",
      ["x": "24", "y": pixels(floor - 26), "font-size": "14", "font-weight": "bold"],
      text: row.name)
    drawing.add(
      "text", ["x": "24", "y": pixels(floor - 8), "fill": ElevationDrawing.Ink.faintText],
      text: "\(row.meaning), \(decimal(row.pattern.duration, 2)) s")
    drawing.add(
      "path",
      [
        "d": "M\(pixels(Layout.plotLeft)) \(pixels(floor + 0.5))H\(pixels(Layout.plotRight))",
        "stroke": ElevationDrawing.Ink.axis, "stroke-width": "1",
      ])
    for event in row.pattern.events {
      add(event, strength: event.intensity * row.pattern.intensity, floor: floor, to: &drawing)
    }
  }

  private func add(
    _ event: HapticEvent, strength: Double, floor: Double, to drawing: inout SVGText
  ) {
    let top = floor - strength * Layout.strength
    let colour = Self.colour(event.sharpness)
    switch event.kind {
    case .transient:
      // Felt for a moment, so it is drawn next to its line.
      let column = x(event.time + HapticEvent.transientSeconds / 2)
      drawing.add(
        "path",
        [
          "d": "M\(pixels(column)) \(pixels(floor))V\(pixels(top))", "stroke": colour,
          "stroke-width": "4",
        ])
      drawing.add(
        "circle", ["cx": pixels(column), "cy": pixels(top), "r": "6", "fill": colour])
    case .continuous:
      drawing.add(
        "rect",
        [
          "x": pixels(x(event.time)), "y": pixels(top),
          "width": pixels(x(event.end) - x(event.time)), "height": pixels(floor - top),
          "rx": "3", "fill": colour,
        ])
    }
  }

  private func addLegend(to drawing: inout SVGText) {
    let baseline = height - 24
    drawing.group("g", ["fill": ElevationDrawing.Ink.faintText]) { legend in
      legend.add(
        "text", ["x": "24", "y": pixels(baseline)],
        text: "Height: strength. Pin: tap. Block: hum.")
      let left = Layout.plotLeft
      legend.add("text", ["x": pixels(left), "y": pixels(baseline)], text: "dull")
      for step in 0...10 {
        legend.add(
          "rect",
          [
            "x": pixels(left + 30 + Double(step) * 16), "y": pixels(baseline - 10),
            "width": "16", "height": "12", "fill": Self.colour(Double(step) / 10),
          ])
      }
      legend.add("text", ["x": pixels(left + 214), "y": pixels(baseline)], text: "crisp")
    }
  }

  /// From a dark blue (dull) over violet to orange (crisp), which differ in lightness, too.
  private static func colour(_ sharpness: Double) -> String {
    let stops = [(44.0, 62.0, 112.0), (150.0, 70.0, 130.0), (240.0, 140.0, 40.0)]
    let position = min(max(sharpness, 0), 1) * 2
    let (one, two) = position < 1 ? (stops[0], stops[1]) : (stops[1], stops[2])
    let share = position < 1 ? position : position - 1
    func mixed(_ from: Double, _ to: Double) -> String {
      let hex = String(Int((from + share * (to - from)).rounded()), radix: 16)
      return hex.count < 2 ? "0" + hex : hex
    }
    return "#" + mixed(one.0, two.0) + mixed(one.1, two.1) + mixed(one.2, two.2)
  }
}
