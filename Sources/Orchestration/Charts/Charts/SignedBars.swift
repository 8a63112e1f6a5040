// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// Values above and below 0 in two versions, as pairs of bars to both sides of a line.
package struct SignedBars: Equatable, Sendable {
  /// A class with both values.
  package struct Row: Equatable, Sendable {
    let name: String
    let base: Double
    let candidate: Double

    /// Describes a class; NaN counts as 0.
    package init(_ name: String, base: Double, candidate: Double) {
      self.name = name
      self.base = base.isFinite ? min(max(base, -Self.limit), Self.limit) : 0
      self.candidate = candidate.isFinite ? min(max(candidate, -Self.limit), Self.limit) : 0
    }

    private static let limit = 1e9
  }

  private static let (width, row, names, margin) = (460.0, 34.0, 104.0, 68.0)

  let rows: [Row]
  let unit: String

  /// Takes the classes from top to bottom.
  package init(_ rows: [Row], unit: String) { (self.rows, self.unit) = (rows, unit) }

  /// Adds the drawing.
  ///
  /// - Parameter label: A description for screen readers.
  package func add(to page: inout SVGText, label: String) {
    let height = Double(rows.count) * Self.row + 4
    let most = max(1, rows.map { max(abs($0.base), abs($0.candidate)) }.max() ?? 1)
    let (left, right) = (Self.names + Self.margin, Self.width - Self.margin)
    // The line is in the middle only if there are bars on both sides.
    let lowest = rows.map { min($0.base, $0.candidate, 0) }.min() ?? 0
    let highest = rows.map { max($0.base, $0.candidate, 0) }.max() ?? 0
    let scale = (right - left) / max(highest - lowest, most)
    let zero = left - lowest * scale
    page.group(
      "svg",
      [
        "class": "chart bars", "role": "img", "aria-label": label,
        "viewBox": "0 0 \(pixels(Self.width)) \(pixels(height))",
      ]
    ) { page in
      for (index, row) in rows.enumerated() {
        let top = Double(index) * Self.row + 4
        page.add(
          "text", ["x": pixels(Self.names - 8), "y": pixels(top + 18), "text-anchor": "end"],
          text: row.name)
        for (offset, style, value) in [(0.0, "base", row.base), (13.0, "candidate", row.candidate)]
        {
          let end = zero + value * scale
          page.add(
            "rect",
            [
              "class": "bar \(style)", "x": pixels(min(zero, end)), "y": pixels(top + offset),
              "width": pixels(max(abs(end - zero), 1)), "height": "11", "rx": "2",
            ])
          page.add(
            "text",
            [
              "class": "value", "x": pixels(value < 0 ? end - 6 : end + 6),
              "y": pixels(top + offset + 10), "text-anchor": value < 0 ? "end" : "start",
            ], text: text(value))
        }
      }
      page.add("path", ["class": "axis", "d": "M\(pixels(zero)) 0V\(pixels(height))"])
    }
  }

  private func text(_ value: Double) -> String {
    let rounded = value.rounded()
    return rounded == 0
      ? "0 \(unit)"
      : (rounded < 0 ? "\u{2212}" : "+") + "\(grouped(abs(rounded), decimals: 0)) \(unit)"
  }
}
