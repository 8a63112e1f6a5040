// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// A chart of work over time: a bar for each piece, with concurrent work in separate rows.
package struct GanttChart: Equatable, Sendable {
  /// A piece of work.
  package struct Bar: Equatable, Sendable {
    let name: String
    let detail: String
    /// The index of its style, `work0` … `work7`.
    let kind: Int
    let start: Double
    let seconds: Double

    /// Describes a piece of work; nil for invalid times.
    package init?(name: String, detail: String, kind: Int, start: Double, seconds: Double) {
      guard start.isFinite, seconds.isFinite, seconds >= 0, start + seconds < 1e9 else {
        return nil
      }
      (self.name, self.detail, self.kind) = (name, detail, kind)
      (self.start, self.seconds) = (max(0, start), seconds)
    }
  }

  private static let (width, row, left, right) = (920.0, 30.0, 74.0, 912.0)
  /// The number of styles.
  package static let kinds = 8

  /// The bars of each row, in order of time, without overlaps.
  let rows: [[Bar]]
  private let length: Double

  /// Puts each bar into the first free row.
  package init(_ bars: [Bar]) {
    var rows: [[Bar]] = []
    let sorted = bars.sorted { ($0.start, $0.name, $0.detail) < ($1.start, $1.name, $1.detail) }
    for bar in sorted {
      // Times are recorded to the millisecond.
      let free = rows.firstIndex { row in
        row.last.map { $0.start + $0.seconds <= bar.start + 0.0015 } ?? true
      }
      if let free { rows[free].append(bar) } else { rows.append([bar]) }
    }
    self.rows = rows
    length = max(0.001, bars.map { $0.start + $0.seconds }.max() ?? 0)
  }

  /// Adds the drawing.
  ///
  /// - Parameter label: A description for screen readers.
  package func add(to page: inout SVGText, label: String) {
    let bottom = Double(rows.count) * Self.row + 4
    page.group(
      "svg",
      [
        "class": "chart gantt", "role": "img", "aria-label": label,
        "viewBox": "0 0 \(pixels(Self.width)) \(pixels(bottom + 26))",
      ]
    ) { page in
      addTicks(to: &page, bottom: bottom)
      for (index, bars) in rows.enumerated() {
        let top = Double(index) * Self.row + 4
        page.add(
          "text", ["x": pixels(Self.left - 8), "y": pixels(top + 17), "text-anchor": "end"],
          text: "worker \(index + 1)")
        for bar in bars { add(bar, to: &page, top: top) }
      }
    }
  }

  private func x(_ seconds: Double) -> Double {
    Self.left + seconds / length * (Self.right - Self.left)
  }

  private func addTicks(to page: inout SVGText, bottom: Double) {
    // Ticks are whole numbers of the unit, or tenths of a second: minutes of long runs.
    let unit = length < 1 ? 0.001 : length < 5 ? 0.1 : length < 600 ? 1.0 : 60.0
    let name = length < 1 ? "ms" : length < 600 ? "s" : "min"
    let units = length / unit
    for tick in AxisTicks(length: units, atMost: 8).values(in: 0...units) {
      let position = x(Double(tick) * unit)
      page.add("path", ["class": "grid", "d": "M\(pixels(position)) 0V\(pixels(bottom))"])
      page.add(
        "text",
        [
          "x": pixels(position), "y": pixels(bottom + 18),
          "text-anchor": position > Self.right - 30 ? "end" : "middle",
        ],
        text: (unit == 0.1 ? decimal(Double(tick) * unit, 1) : grouped(tick)) + " \(name)")
    }
  }

  private func add(_ bar: Bar, to page: inout SVGText, top: Double) {
    let width = max(2, x(bar.start + bar.seconds) - x(bar.start))
    page.group("g", ["class": "work\(bar.kind)"]) { page in
      page.add("title", text: "\(bar.name), \(bar.detail): \(elapsedTime(bar.seconds))")
      page.add(
        "rect",
        [
          "x": pixels(x(bar.start)), "y": pixels(top), "width": pixels(width),
          "height": pixels(Self.row - 6), "rx": "3",
        ])
      // About 6.5 pixels a letter; longer texts are in the tooltip and in the table.
      let room = Int(min(width, Self.width) / 6.6) - 1
      if room >= 4 {
        let text = bar.name.count <= room ? bar.name : "\(bar.name.prefix(room - 1))…"
        page.add("text", ["x": pixels(x(bar.start) + 5), "y": pixels(top + 16.5)], text: text)
      }
    }
  }
}
