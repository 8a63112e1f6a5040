// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

extension SweepChart {
  /// Two axes: a table of the first measure, light for low and dark for high in one hue, so that
  /// lightness alone tells the values apart. Each cell contains its number.
  var heatMap: String {
    let (rows, columns) = (axes[0].values, axes[1].values)
    let values = measures.first?.values ?? []
    let known = values.compactMap { $0 }
    let height = Layout.top + 40 + Double(rows.count) * Layout.cell + Layout.bottom
    let width = (Layout.right - Layout.left - 60) / Double(max(columns.count, 1))
    return SVGText.picture(
      width: Layout.width, height: height, title: title,
      description: "\(measures.first?.title ?? "Nothing") by \(axes[0].name) and \(axes[1].name)."
    ) { drawing in
      drawing.add(
        "text", ["x": "24", "y": "36", "font-size": "17", "font-weight": "bold"],
        text: String(title.prefix(90)))
      drawing.add(
        "text", ["x": "24", "y": "60"],
        text: "\(measures.first?.title ?? ""), by \(axes[0].name) (rows) and \(axes[1].name)")
      let top = Layout.top + 30
      for (column, value) in columns.enumerated() {
        addLabel(
          value, axes[1].marked, x: Layout.left + 60 + (Double(column) + 0.5) * width, y: top - 8,
          to: &drawing)
      }
      for (row, value) in rows.enumerated() {
        let y = top + Double(row) * Layout.cell
        addLabel(value, axes[0].marked, x: Layout.left + 20, y: y + 21, to: &drawing)
        for column in columns.indices {
          addCell(
            values[row * columns.count + column], known,
            x: Layout.left + 60 + Double(column) * width,
            y: y, width: width, to: &drawing)
        }
      }
      drawing.add(
        "text",
        ["x": "24", "y": pixels(height - 20), "fill": ElevationDrawing.Ink.faintText],
        text: "Dark is high. Bold: as it is.")
    }
  }

  private func addLabel(
    _ value: Double, _ marked: Double?, x: Double, y: Double, to drawing: inout SVGText
  ) {
    let isMarked = marked.map { abs($0 - value) < 1e-9 } ?? false
    drawing.add(
      "text",
      [
        "x": pixels(x), "y": pixels(y), "text-anchor": "middle",
        "font-weight": isMarked ? "bold" : "normal",
      ], text: shortDecimal(value, 4))
  }

  private func addCell(
    _ value: Double?, _ known: [Double], x: Double, y: Double, width: Double,
    to drawing: inout SVGText
  ) {
    let (low, high) = (known.min() ?? 0, known.max() ?? 0)
    let share = value.map { high > low ? ($0 - low) / (high - low) : 0.5 }
    drawing.add(
      "rect",
      [
        "x": pixels(x), "y": pixels(y), "width": pixels(width - 2),
        "height": pixels(Layout.cell - 2),
        "fill": share.map(Self.shade) ?? ElevationDrawing.Ink.unknown,
      ])
    drawing.add(
      "text",
      [
        "x": pixels(x + width / 2 - 1), "y": pixels(y + 21), "text-anchor": "middle",
        "fill": share ?? 0 > 0.65 ? ElevationDrawing.Ink.paper : ElevationDrawing.Ink.text,
      ], text: value.map { decimal($0, high - low < 10 ? 2 : 1) } ?? "–")
  }

  /// From near white to dark blue.
  private static func shade(_ share: Double) -> String {
    let (from, to) = ((238.0, 243.0, 249.0), (22.0, 62.0, 110.0))
    func part(_ low: Double, _ high: Double) -> String {
      let hex = String(Int((low + min(max(share, 0), 1) * (high - low)).rounded()), radix: 16)
      return hex.count < 2 ? "0" + hex : hex
    }
    return "#" + part(from.0, to.0) + part(from.1, to.1) + part(from.2, to.2)
  }
}

/// A vertical scale with round ticks.
struct ValueScale {
  /// The values of the ticks.
  let ticks: [Double]
  private let low: Double
  private let high: Double
  private let bottom: Double
  private let top: Double
  private let decimals: Int

  /// Makes room for values between two heights.
  init(_ values: [Double], bottom: Double, top: Double) {
    (self.bottom, self.top) = (bottom, top)
    var (low, high) = (values.min() ?? 0, values.max() ?? 1)
    // A flat line is drawn in the middle.
    if high - low < 1e-6 * max(abs(high), 1) {
      let margin = max(abs(high) * 0.1, 0.5)
      (low, high) = (low - margin, high + margin)
    }
    var step = 1e-6
    var decimals = 6
    // 1, 2, 5, 10, …: the smallest that leaves at most four intervals.
    steps: while step < 1e12 {
      for factor in [1.0, 2, 5] where (high - low) / (step * factor) <= 4 {
        step *= factor
        break steps
      }
      step *= 10
      decimals = max(0, decimals - 1)
    }
    let first = (low / step).rounded(.down)
    let last = (high / step).rounded(.up)
    self.decimals = decimals
    self.low = first * step
    self.high = last * step
    ticks = (0...Int(min(max(last - first, 1), 20))).map { (first + Double($0)) * step }
  }

  /// The height of a value.
  func y(_ value: Double) -> Double { bottom - (value - low) / (high - low) * (bottom - top) }

  /// A tick's label.
  func text(_ tick: Double) -> String { decimal(tick == 0 ? 0 : tick, decimals) }
}
