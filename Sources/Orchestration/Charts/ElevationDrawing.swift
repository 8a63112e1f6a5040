// SPDX-License-Identifier: Apache-2.0

/// Draws a chart: computes the positions of all elements and writes them from back to front.
struct ElevationDrawing {
  /// The colours and sizes of the drawing.
  enum Ink {
    static let paper = "#ffffff"
    static let text = "#2b2b2b"
    static let faintText = "#6b6b6b"
    static let grid = "#e3e3e0"
    static let axis = "#8f8f8a"
    static let sea = "#7fa8c9"
    static let curve = "#3a3a3a"
    static let unknown = "#ececea"
    static let fonts =
      "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
  }

  /// The rectangle of the curve, in whole pixels.
  enum Plot {
    static let left = 66
    static let right = 872
    static let top = 74
    static let bottom = 290
    static let columns = right - left
  }

  /// The minimum span of the elevation axis in metres, so that flat routes look flat.
  static let minimumSpanMetres = 100.0
  /// Slopes are averaged over at least this distance: posts of 3″ tiles are about 90 m apart.
  static let minimumSlopeWindowMetres = 100.0
  /// The width in pixels over which slopes are averaged on long routes; narrower stripes would be
  /// unreadable.
  static let minimumSlopeWindowPixels = 12.0
  /// The minimum width of an area of one slope class, in pixels.
  static let minimumRunColumns = 6

  let chart: ElevationChart
  let stretches: [KnownStretch]
  /// The length of the route in metres.
  let length: Double
  /// Whether the route goes below sea level.
  let isBelowSea: Bool
  /// The range of the elevation axis; nil if no elevation is known.
  let elevations: ClosedRange<Double>?
  let elevationTicks: AxisTicks

  init(_ chart: ElevationChart) {
    self.chart = chart
    stretches = KnownStretch.stretches(of: chart.points)
    length = chart.points.last?.distance ?? 0
    let known = chart.points.compactMap(\.elevation)
    let lowest = known.min() ?? 0
    let highest = known.max() ?? 0
    let margin = max(0, Self.minimumSpanMetres - (highest - lowest)) / 2
    let span = highest - lowest + 2 * margin
    // Space for the label above the highest point, and below the lowest one.
    var bottom = lowest - margin - 0.16 * span
    let top = highest + margin + 0.16 * span
    // No tick below sea level unless the route goes there.
    if lowest >= 0 { bottom = max(bottom, -0.12 * span) }
    elevationTicks = AxisTicks(length: top - bottom, atMost: 6)
    isBelowSea = lowest < 0
    elevations = known.isEmpty ? nil : bottom...top
  }

  /// The x coordinate of a distance, in pixels. A route without length is in the middle.
  func x(_ distance: Double) -> Double {
    let share = length > 0 ? distance / length : 0.5
    return Double(Plot.left) + share * Double(Plot.columns)
  }

  /// The y coordinate of an elevation, in pixels.
  func y(_ elevation: Double) -> Double {
    guard let elevations else { return Double(Plot.bottom) }
    let share =
      (elevation - elevations.lowerBound) / (elevations.upperBound - elevations.lowerBound)
    return Double(Plot.bottom) - share * Double(Plot.bottom - Plot.top)
  }

  var svg: String {
    SVGText.picture(
      width: ElevationChart.width, height: ElevationChart.height,
      title: chart.title ?? "Elevation profile", description: chart.description
    ) { drawing in
      addHead(to: &drawing)
      addChart(to: &drawing)
    }
  }

  /// Adds everything except the title and the totals.
  func addChart(to drawing: inout SVGText) {
    addGaps(to: &drawing)
    addGrid(to: &drawing)
    addAreas(to: &drawing)
    addAxes(to: &drawing)
    addViaLines(to: &drawing)
    addCurves(to: &drawing)
    addLabels(to: &drawing)
    if elevations == nil { addMissingCurveNote(to: &drawing) }
    addLegend(to: &drawing)
  }

  /// Adds the title and the totals.
  func addHead(to drawing: inout SVGText) {
    var baseline = 32.0
    if let title = chart.title {
      drawing.add(
        "text",
        ["x": pixels(24), "y": pixels(baseline), "font-size": "17", "font-weight": "bold"],
        text: Self.shortened(title))
      baseline += 22
    }
    guard let words = chart.totals?.words else { return }
    let size = chart.title == nil ? "17" : "14"
    drawing.group("text", ["x": pixels(24), "y": pixels(baseline), "font-size": size]) { text in
      text.add("tspan", ["font-weight": "bold"], text: words.distance)
      for (sign, figure) in [("↑", words.ascent), ("↓", words.descent)] {
        guard let figure else { continue }
        text.add("tspan", ["dx": "14", "fill": Ink.faintText], text: sign)
        text.add("tspan", ["font-weight": "bold"], text: figure)
      }
      if let time = words.time {
        text.add("tspan", ["dx": "14", "font-weight": "bold"], text: time)
      }
    }
  }

  /// A title shortened to a line of about 90 letters; Chinese, Japanese and Korean ones count twice.
  private static func shortened(_ title: String) -> String {
    var room = 90
    var line = ""
    for letter in title {
      room -= letter.unicodeScalars.contains { $0.value >= 0x1100 } ? 2 : 1
      guard room >= 0 else { return line + "…" }
      line.append(letter)
    }
    return line
  }

  /// Shades the gaps in the elevation.
  private func addGaps(to drawing: inout SVGText) {
    for gap in gaps {
      let (from, to) = (x(gap.lowerBound), x(gap.upperBound))
      drawing.add(
        "rect",
        [
          "x": pixels(from), "y": pixels(Double(Plot.top)), "width": pixels(to - from),
          "height": pixels(Double(Plot.bottom - Plot.top)), "fill": Ink.unknown,
        ])
    }
  }

  /// The parts of the route without known elevations.
  var gaps: [ClosedRange<Double>] {
    var gaps: [ClosedRange<Double>] = []
    var end = 0.0
    for stretch in stretches {
      if stretch.start > end { gaps.append(end...stretch.start) }
      end = stretch.end
    }
    if length > end { gaps.append(end...length) }
    return gaps
  }

  private func addAreas(to drawing: inout SVGText) {
    for stretch in stretches where stretch.end > stretch.start {
      let curve = line(of: stretch)
      let runs = slopeRuns(of: stretch)
      for (index, run) in runs.enumerated() {
        let from = max(Double(Plot.left + run.columns.lowerBound), x(stretch.start))
        // Overlap the next area by half a pixel, so that the background does not show between them.
        let overlap = index + 1 < runs.count ? 0.5 : 0
        let to = min(Double(Plot.left + run.columns.upperBound) + overlap, x(stretch.end))
        guard to > from else { continue }
        func top(_ column: Double) -> (Double, Double) {
          let distance = (column - Double(Plot.left)) / Double(Plot.columns) * length
          return (column, y(stretch.elevation(at: distance)))
        }
        let outline =
          [(from, Double(Plot.bottom)), top(from)] + curve.filter { $0.0 > from && $0.0 < to }
          + [top(to), (to, Double(Plot.bottom))]
        drawing.add("path", ["d": Self.path(outline) + "Z", "fill": run.slope.colour])
      }
    }
  }

  /// The slope classes along a stretch, by column of pixels.
  func slopeRuns(of stretch: KnownStretch) -> [SlopeRun] {
    let metresPerColumn = length / Double(Plot.columns)
    guard metresPerColumn > 0 else { return [] }
    let first = min(Int(stretch.start / metresPerColumn), Plot.columns - 1)
    let last = min(Int(stretch.end / metresPerColumn), Plot.columns - 1)
    let window = max(
      Self.minimumSlopeWindowMetres, Self.minimumSlopeWindowPixels * metresPerColumn)
    let classes = (first...last).map { column in
      SlopeShade(stretch.slope(at: (Double(column) + 0.5) * metresPerColumn, window: window))
    }
    return SlopeRun.runs(of: classes, from: first, shortest: Self.minimumRunColumns)
  }

  private func addCurves(to drawing: inout SVGText) {
    for stretch in stretches {
      let curve = line(of: stretch)
      if stretch.end > stretch.start {
        drawing.add(
          "path",
          [
            "d": Self.path(curve), "fill": "none", "stroke": Ink.curve, "stroke-width": "1.8",
            "stroke-linejoin": "round", "stroke-linecap": "round",
          ])
      } else {
        addDot(at: curve[0], radius: 2.5, to: &drawing)
      }
    }
  }

  /// The curve of a stretch in pixels: about two points per pixel, at least one point.
  private func line(of stretch: KnownStretch) -> [(Double, Double)] {
    stretch.thinned(to: 2 * Plot.columns, of: length).map { (x($0.distance), y($0.elevation)) }
  }

  func addDot(at point: (Double, Double), radius: Double, to drawing: inout SVGText) {
    drawing.add(
      "circle",
      [
        "cx": pixels(point.0), "cy": pixels(point.1), "r": pixels(radius), "fill": Ink.paper,
        "stroke": Ink.curve, "stroke-width": "1.8",
      ])
  }

  private static func path(_ points: [(Double, Double)]) -> String {
    "M" + points.map { "\(pixels($0.0)) \(pixels($0.1))" }.joined(separator: "L")
  }
}
