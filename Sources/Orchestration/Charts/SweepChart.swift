// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A picture of the effect of one or two varied numbers: for one, a line over its values with a
/// panel for each measure; for two, a table of the first measure, shaded from light to dark, with
/// its numbers.
///
/// Standalone SVG 1.1 without scripts. The same values give the same bytes.
package struct SweepChart: Equatable, Sendable {
  /// A varied number.
  package struct Axis: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// Its values, ascending.
    package var values: [Double]
    /// Its current value, which is marked; nil if unknown.
    package var marked: Double?

    /// Names an axis.
    package init(name: String, values: [Double], marked: Double?) {
      (self.name, self.values) = (name, values)
      self.marked = marked.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// A measured quantity.
  package struct Measure: Equatable, Sendable {
    /// Its name and unit.
    package var title: String
    /// Its values: for the only axis, or for all combinations, with the second axis changing
    /// fastest; nil if unknown.
    package var values: [Double?]

    /// Names a measure.
    package init(title: String, values: [Double?]) { (self.title, self.values) = (title, values) }
  }

  enum Layout {
    static let width = 900.0
    static let left = 84.0
    static let right = 868.0
    static let top = 72.0
    static let panel = 118.0
    static let gap = 46.0
    static let bottom = 60.0
    static let cell = 34.0
    /// As deep as the curve of an elevation profile, and told apart by everybody.
    static let line = "#1f5a99"
  }

  let title: String
  let axes: [Axis]
  let measures: [Measure]

  /// Makes a picture of one or two axes; measures with a different number of values are left out.
  package init(title: String, axes: [Axis], measures: [Measure]) {
    self.title = title
    self.axes = Array(axes.prefix(2))
    let count = self.axes.reduce(1) { $0 * $1.values.count }
    let known = measures.map { measure in
      Measure(
        title: measure.title,
        values: measure.values.map { $0.flatMap { abs($0) < 1e12 ? $0 : nil } })
    }
    self.measures = count > 0 && !self.axes.isEmpty ? known.filter { $0.values.count == count } : []
  }

  /// The picture as an SVG file.
  package var svg: String {
    axes.count == 2 ? heatMap : lines
  }

  private var lines: String {
    let count = Double(measures.count)
    let height = Layout.top + count * (Layout.panel + Layout.gap) + Layout.bottom
    let names = measures.map(\.title).joined(separator: "; ")
    return SVGText.picture(
      width: Layout.width, height: height, title: title,
      description: "For each value of \(axes.first?.name ?? ""): \(names)."
    ) { drawing in
      addTitle(to: &drawing)
      for (index, measure) in measures.enumerated() {
        let top = Layout.top + Double(index) * (Layout.panel + Layout.gap) + 20
        addPanel(measure, top: top, to: &drawing)
      }
      addAxis(bottom: height - Layout.bottom - 4, to: &drawing)
    }
  }

  private func addTitle(to drawing: inout SVGText) {
    drawing.add(
      "text", ["x": "24", "y": "36", "font-size": "17", "font-weight": "bold"],
      text: String(title.prefix(90)))
  }

  /// The column of a value of the first axis.
  private func x(_ value: Double) -> Double {
    guard let low = axes.first?.values.first, let high = axes.first?.values.last, high > low else {
      return (Layout.left + Layout.right) / 2
    }
    return Layout.left + (value - low) / (high - low) * (Layout.right - Layout.left)
  }

  private func addPanel(_ measure: Measure, top: Double, to drawing: inout SVGText) {
    let bottom = top + Layout.panel
    drawing.add(
      "text", ["x": "24", "y": pixels(top - 14), "font-weight": "bold"], text: measure.title)
    let known = measure.values.compactMap { $0 }
    let scale = ValueScale(known, bottom: bottom, top: top)
    drawing.group("g", ["stroke": ElevationDrawing.Ink.grid, "stroke-width": "1"]) { grid in
      for tick in scale.ticks {
        grid.add(
          "path",
          [
            "d": "M\(pixels(Layout.left)) \(pixels(scale.y(tick)))H\(pixels(Layout.right))"
          ])
      }
    }
    drawing.group("g", ["fill": ElevationDrawing.Ink.faintText, "text-anchor": "end"]) { labels in
      for tick in scale.ticks {
        labels.add(
          "text", ["x": pixels(Layout.left - 8), "y": pixels(scale.y(tick) + 4)],
          text: scale.text(tick))
      }
    }
    addMark(top: top, bottom: bottom, to: &drawing)
    addCurve(measure, scale, to: &drawing)
  }

  /// Marks the current value.
  private func addMark(top: Double, bottom: Double, to drawing: inout SVGText) {
    guard let axis = axes.first, let marked = axis.marked, let low = axis.values.first,
      let high = axis.values.last, low <= marked, marked <= high
    else { return }
    drawing.add(
      "path",
      [
        "d": "M\(pixels(x(marked))) \(pixels(top))V\(pixels(bottom))",
        "stroke": ElevationDrawing.Ink.axis, "stroke-width": "1.5", "stroke-dasharray": "4 3",
      ])
  }

  private func addCurve(_ measure: Measure, _ scale: ValueScale, to drawing: inout SVGText) {
    let points = zip(axes.first?.values ?? [], measure.values).map { value, outcome in
      outcome.map { (x: x(value), y: scale.y($0)) }
    }
    var path = ""
    var isDrawing = false
    for point in points {
      guard let point else {
        isDrawing = false
        continue
      }
      path += "\(isDrawing ? "L" : "M")\(pixels(point.x)) \(pixels(point.y))"
      isDrawing = true
    }
    drawing.add(
      "path",
      [
        "d": path.isEmpty ? "M0 0" : path, "fill": "none", "stroke": Layout.line,
        "stroke-width": "2.5", "stroke-linejoin": "round",
      ])
    drawing.group("g", ["fill": Layout.line]) { dots in
      for case .some(let point) in points {
        dots.add("circle", ["cx": pixels(point.x), "cy": pixels(point.y), "r": "3.5"])
      }
    }
  }

  private func addAxis(bottom: Double, to drawing: inout SVGText) {
    guard let axis = axes.first else { return }
    // As many labels as fit, including the first one.
    let step = max(1, (axis.values.count + 13) / 14)
    drawing.group("g", ["fill": ElevationDrawing.Ink.faintText, "text-anchor": "middle"]) {
      for (index, value) in axis.values.enumerated() where index % step == 0 {
        $0.add("text", ["x": pixels(x(value)), "y": pixels(bottom)], text: shortDecimal(value, 4))
      }
    }
    let mark = axis.marked.map { " (dashed: \(shortDecimal($0, 4)), as it is)" } ?? ""
    drawing.add(
      "text",
      [
        "x": pixels((Layout.left + Layout.right) / 2), "y": pixels(bottom + 26),
        "text-anchor": "middle", "font-weight": "bold",
      ], text: axis.name + mark)
  }
}
