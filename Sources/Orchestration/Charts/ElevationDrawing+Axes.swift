// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension ElevationDrawing {
  /// The space between two entries of the legend, in pixels.
  private static let legendGap = 22.0

  /// Below this length the axis is in metres, otherwise in kilometres.
  private static let longestInMetres = 2_000.0

  /// The ticks of the distance axis, in metres, with their labels.
  var distanceMarks: [(distance: Double, label: String)] {
    let isInMetres = length < Self.longestInMetres
    let unit = isInMetres ? 1.0 : 1000.0
    let values: [(units: Double, text: String)]
    if length <= 10_000, !isInMetres {
      // Below ten kilometres ticks may be at halves and fifths.
      let ticks = AxisTicks(length: length / 100, atMost: 10)
      let decimals = ticks.step % 10 == 0 ? 0 : 1
      values = ticks.values(in: 0...length / 100).map {
        (Double($0) / 10, $0 == 0 ? "0" : decimal(Double($0) / 10, decimals))
      }
    } else {
      values = AxisTicks(length: length / unit, atMost: 12).values(in: 0...length / unit)
        .map { (Double($0), grouped($0)) }
    }
    return values.enumerated().map { index, value in
      let isLast = index == values.count - 1
      return (value.units * unit, value.text + (isLast ? isInMetres ? " m" : " km" : ""))
    }
  }

  func addGrid(to drawing: inout SVGText) {
    drawing.group("g", ["stroke": Ink.grid, "stroke-width": "1"]) { grid in
      for elevation in elevationMarks {
        let height = y(Double(elevation)).rounded() + 0.5
        grid.add(
          "path",
          [
            "d": "M\(Plot.left) \(pixels(height))H\(Plot.right)",
            "stroke": elevation == 0 && isBelowSea ? Ink.sea : Ink.grid,
          ])
      }
      for mark in distanceMarks {
        let column = x(mark.distance).rounded() + 0.5
        grid.add("path", ["d": "M\(pixels(column)) \(Plot.top)V\(Plot.bottom)"])
      }
    }
  }

  private var elevationMarks: [Int] { elevations.map(elevationTicks.values) ?? [] }

  func addAxes(to drawing: inout SVGText) {
    let floor = Double(Plot.bottom) + 0.5
    drawing.group("g", ["stroke": Ink.axis, "stroke-width": "1", "fill": "none"]) { axes in
      axes.add("path", ["d": "M\(Plot.left) \(pixels(floor))H\(Plot.right)"])
      for mark in distanceMarks {
        axes.add("path", ["d": "M\(pixels(x(mark.distance).rounded() + 0.5)) \(pixels(floor))v5"])
      }
    }
    drawing.group("g", ["fill": Ink.faintText, "text-anchor": "middle"]) { labels in
      for mark in distanceMarks {
        labels.add(
          "text", ["x": pixels(x(mark.distance)), "y": pixels(floor + 19)], text: mark.label)
      }
    }
    drawing.group("g", ["fill": Ink.faintText, "text-anchor": "end"]) { labels in
      for (index, elevation) in elevationMarks.enumerated() {
        let unit = index == elevationMarks.count - 1 ? " m" : ""
        labels.add(
          "text",
          ["x": pixels(Double(Plot.left) - 8), "y": pixels(y(Double(elevation)).rounded() + 4.5)],
          text: minusSign(grouped(elevation)) + unit)
      }
    }
  }

  /// A dashed line at each via point.
  func addViaLines(to drawing: inout SVGText) {
    for distance in viaDistances {
      drawing.add(
        "path",
        [
          "d": "M\(pixels(x(distance))) \(Plot.top)V\(Plot.bottom)", "stroke": Ink.axis,
          "stroke-width": "1", "stroke-dasharray": "4 3", "fill": "none",
        ])
    }
  }

  /// The via points on the route, in metres from the start.
  var viaDistances: [Double] { chart.viaMetres.filter { $0 >= 0 && $0 <= length } }

  /// An estimate of the width of a text in the legend, in pixels.
  private static func width(of text: String) -> Double {
    text.reduce(0) { width, letter in
      width + (letter == "%" ? 10.7 : " ilrt".contains(letter) ? 3.3 : 6.6)
    }
  }

  func addLegend(to drawing: inout SVGText) {
    var entries: [(colour: String, label: String)] = []
    if stretches.contains(where: { $0.end > $0.start }) {
      entries += SlopeShade.allCases.map { ($0.colour, $0.label) }
    }
    if !gaps.isEmpty { entries.append((Ink.unknown, "elevation unknown")) }
    guard !entries.isEmpty else { return }
    let baseline = ElevationChart.height - 16
    var column = Double(Plot.left)
    drawing.group("g", ["fill": Ink.faintText]) { legend in
      if entries.count > 1 {
        legend.add("text", ["x": pixels(column), "y": pixels(baseline)], text: "Slope")
        column += Self.width(of: "Slope") + Self.legendGap
      }
      for entry in entries {
        legend.add(
          "rect",
          [
            "x": pixels(column), "y": pixels(baseline - 10), "width": "22", "height": "12",
            "fill": entry.colour,
          ])
        legend.add("text", ["x": pixels(column + 29), "y": pixels(baseline)], text: entry.label)
        column += 29 + Self.width(of: entry.label) + Self.legendGap
      }
    }
  }
}
