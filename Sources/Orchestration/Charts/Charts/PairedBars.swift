// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// Shares under two profiles, a pair of bars a class: the base's filled, the candidate's hatched.
package struct PairedBars: Equatable, Sendable {
  /// A class with both shares, 0…1.
  package struct Row: Equatable, Sendable {
    let name: String
    let base: Double
    let candidate: Double

    /// Whether either share is worth a bar.
    package var isVisible: Bool { max(base, candidate) >= 0.001 }

    /// Describes a class.
    package init(_ name: String, base: Double, candidate: Double) {
      self.name = name
      self.base = base.isFinite ? min(max(base, 0), 1) : 0
      self.candidate = candidate.isFinite ? min(max(candidate, 0), 1) : 0
    }
  }

  private static let (width, row, left, right) = (380.0, 34.0, 112.0, 326.0)

  let rows: [Row]

  /// Takes the classes from top to bottom.
  package init(_ rows: [Row]) { self.rows = rows }

  /// Adds the drawing.
  ///
  /// - Parameter label: A description for screen readers.
  package func add(to page: inout SVGText, label: String) {
    let height = Double(rows.count) * Self.row + 4
    let most = max(0.01, rows.map { max($0.base, $0.candidate) }.max() ?? 1)
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
          "text",
          ["x": pixels(Self.left - 8), "y": pixels(top + 18), "text-anchor": "end"],
          text: row.name.count > 17 ? "\(row.name.prefix(16))…" : row.name)
        for (offset, style, share) in [(0.0, "base", row.base), (13.0, "candidate", row.candidate)]
        {
          let length = share / most * (Self.right - Self.left)
          page.add(
            "rect",
            [
              "class": "bar \(style)", "x": pixels(Self.left), "y": pixels(top + offset),
              "width": pixels(max(length, 1)), "height": "11", "rx": "2",
            ])
          page.add(
            "text",
            [
              "class": "value", "x": pixels(Self.left + length + 6), "y": pixels(top + offset + 10),
            ],
            text: text(share))
        }
      }
    }
  }

  /// A share with as many digits as the others of its chart.
  private func text(_ share: Double) -> String {
    share > 0 && share < 0.0005 ? "< 0.1 %" : "\(decimal(share * 100, 1)) %"
  }
}
