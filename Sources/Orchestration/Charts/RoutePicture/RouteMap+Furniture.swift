// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import Glibc

extension RouteMap {
  /// The longest scale bar, in pixels.
  private static let longestBar = 180.0
  /// The distance between arrows on the line, in pixels, and their greatest number.
  private static let arrowSpacing = 110.0
  private static let mostArrows = 60.0
  private static let arrowReach = 7.0
  /// The distance from the ends without arrows.
  private static let arrowClearance = 20.0

  /// The length of the scale bar in metres: 1, 2 or 5 times a power of ten.
  var scaleMetres: Double {
    let longest = Self.longestBar * metresPerPixel
    var step = 1.0
    while step * 10 <= longest { step *= 10 }
    return [5, 2, 1].map { $0 * step }.first { $0 <= longest } ?? step
  }

  func addScale(to drawing: inout SVGText) {
    let length = scaleMetres
    let width = length / metresPerPixel
    let (left, floor) = (Frame.left + 16, bottom - 14)
    let label = length < 1000 ? metres(length) : kilometres(length, decimals: 0)
    drawing.group("g", ["stroke": ElevationDrawing.Ink.text, "fill": "none"]) { bar in
      bar.add(
        "path",
        [
          "d": "M\(pixels(left)) \(pixels(floor - 6))v6h\(pixels(width))v-6",
          "stroke-width": "1.6",
        ])
    }
    drawing.add(
      "text", ["x": pixels(left + width / 2), "y": pixels(floor - 6), "text-anchor": "middle"],
      text: label)
  }

  func addNorth(to drawing: inout SVGText) {
    let transform = "translate(\(pixels(Frame.right - 24)) \(pixels(Frame.top + 14)))"
    drawing.group("g", ["transform": transform, "fill": ElevationDrawing.Ink.text]) { north in
      north.add("path", ["d": "M0 0L6 18L0 14L-6 18Z"])
      north.add(
        "text", ["y": "32", "text-anchor": "middle", "font-weight": "bold"], text: "N")
    }
  }

  /// Small arrows on the line in the direction of travel.
  func addArrows(to drawing: inout SVGText) {
    let lengths = zip(line, line.dropFirst()).map { $0.distance(to: $1) }
    let total = lengths.reduce(0, +)
    let spacing = max(Self.arrowSpacing, total / Self.mostArrows)
    var (next, travelled) = (spacing / 2, 0.0)
    drawing.group(
      "g", ["fill": Ink.route, "stroke": ElevationDrawing.Ink.paper, "stroke-width": "1.2"]
    ) { arrows in
      for (index, length) in lengths.enumerated() {
        defer { travelled += length }
        guard next < travelled + length else { continue }
        let (from, to) = (line[index], line[index + 1])
        let share = (next - travelled) / length
        let pixel = Pixel(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
        while next < travelled + length { next += spacing }
        let ends = [line[0], line[line.count - 1]]
        guard ends.allSatisfy({ $0.distance(to: pixel) > Self.arrowClearance }) else { continue }
        let (behind, ahead) = around(pixel, segment: index)
        let degrees = atan2(ahead.y - behind.y, ahead.x - behind.x) * 180 / .pi
        arrows.add(
          "path",
          [
            "d": "M-5 -5.5L6 0L-5 5.5Z",
            "transform":
              "translate(\(pixels(pixel.x)) \(pixels(pixel.y))) rotate(\(pixels(degrees)))",
          ])
      }
    }
  }

  /// The points of the line about an arrow's length before and after a point, since single segments
  /// may point anywhere.
  private func around(_ pixel: Pixel, segment: Int) -> (Pixel, Pixel) {
    func isFar(_ index: Int) -> Bool { line[index].distance(to: pixel) >= Self.arrowReach }
    let behind = (0...segment).last(where: isFar) ?? 0
    let ahead = (segment + 1..<line.count).first(where: isFar) ?? line.count - 1
    return (line[behind], line[ahead])
  }

  /// The space of the scale bar and its label.
  var scaleDiscs: [MarkLabels.Disc] {
    stride(from: 0, through: scaleMetres / metresPerPixel, by: 10).map {
      .init(centre: Pixel(x: Frame.left + 16 + $0, y: bottom - 20), radius: 10)
    }
  }
}
