// SPDX-License-Identifier: Apache-2.0
import Glibc

extension RouteMap {
  /// The distance of the elevations that contours are drawn from, in pixels.
  private static let gridStep = 6.0
  private static let mostContours = 28
  /// Each fifth line is emphasized and labelled with its height.
  private static let strong = 5
  /// The shortest line with a height, in pixels.
  private static let leastLabelled = 160.0

  /// Draws contour lines, as far as the terrain is known.
  func addContours(to drawing: inout SVGText) {
    guard let terrain = picture.terrain else { return }
    let columns = Int((Frame.right - Frame.left) / Self.gridStep) + 1
    let rows = Int((bottom - Frame.top) / Self.gridStep) + 1
    var values: [Float] = []
    values.reserveCapacity(rows * columns)
    for row in 0..<rows {
      for column in 0..<columns {
        let place = coordinate(at: gridPixel(SIMD2(Double(column), Double(row))))
        values.append(place.isValid ? terrain(place) ?? .nan : .nan)
      }
    }
    let contours = ContourLines(values, columns: columns)
    let interval = contours.interval(most: Self.mostContours)
    let lines = contours.lines(every: interval)
    guard !lines.isEmpty else { return }
    func path(_ lines: [ContourLines.Line]) -> String {
      lines.map { line in
        "M"
          + line.points.map(gridPixel).map { "\(pixels($0.x)) \(pixels($0.y))" }
          .joined(separator: "L")
      }.joined()
    }
    let strong = lines.filter { $0.level % (interval * Self.strong) == 0 }
    let weak = lines.filter { $0.level % (interval * Self.strong) != 0 }
    drawing.group("g", ["fill": "none", "stroke": Ink.contour, "stroke-linejoin": "round"]) {
      group in
      group.add("path", ["d": path(weak), "stroke-width": "0.5"])
      group.add("path", ["d": path(strong), "stroke-width": "1.1"])
    }
    drawing.group("g", ["fill": Ink.contour, "font-size": "9.5", "text-anchor": "middle"]) {
      group in
      let route = LineCells(self.line)
      for line in strong { addHeight(of: line, beside: route, to: &group) }
    }
  }

  private func gridPixel(_ point: SIMD2<Double>) -> Pixel {
    Pixel(x: Frame.left + point.x * Self.gridStep, y: Frame.top + point.y * Self.gridStep)
  }

  /// Writes the height into a line that is long enough, readable from below and not covered by the
  /// route.
  private func addHeight(
    of line: ContourLines.Line, beside route: LineCells, to group: inout SVGText
  ) {
    let points = line.points.map(gridPixel)
    let length = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    guard length > Self.leastLabelled, points.count > 6 else { return }
    let candidates = [2, 1, 3].map { points.count * $0 / 4 }
    let free = candidates.first { isInside(points[$0]) && route.count(around: points[$0]) == 0 }
    guard let middle = free, middle >= 2, middle + 2 < points.count else { return }
    let (from, to) = (points[middle - 2], points[middle + 2])
    var degrees = atan2(to.y - from.y, to.x - from.x) * 180 / .pi
    if degrees > 90 { degrees -= 180 } else if degrees < -90 { degrees += 180 }
    let place = "translate(\(pixels(points[middle].x)) \(pixels(points[middle].y)))"
    group.add(
      "text",
      [
        "transform": "\(place) rotate(\(pixels(degrees)))", "y": "3.3", "stroke": Ink.ground,
        "stroke-width": "3", "paint-order": "stroke",
      ], text: "\(line.level)")
  }

  /// Names of places with a dot, as many as fit.
  func addNames(_ labels: inout MarkLabels, to drawing: inout SVGText) {
    for name in picture.names {
      let place = pixel(name.coordinate)
      guard isInside(place), let label = labels.name(name.text, Ink.name, at: place) else {
        continue
      }
      drawing.group("g", ["fill": Ink.name, "font-size": "11.5"]) { group in
        group.add(
          "circle",
          [
            "cx": pixels(place.x), "cy": pixels(place.y), "r": name.isStrong ? "3" : "2",
            "stroke": Ink.ground,
          ])
        group.add(
          "text",
          [
            "x": pixels(label.start.x), "y": pixels(label.start.y), "stroke": Ink.ground,
            "stroke-width": "3.5", "stroke-linejoin": "round", "paint-order": "stroke",
            "font-weight": name.isStrong ? "bold" : "normal",
          ], text: label.text)
      }
    }
  }
}
