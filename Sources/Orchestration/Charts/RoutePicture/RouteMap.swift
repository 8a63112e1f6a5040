// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Glibc

/// The map of a route picture: the line on plain ground.
struct RouteMap {
  /// A point of the drawing.
  struct Pixel: Equatable {
    var x: Double
    var y: Double

    func distance(to other: Pixel) -> Double {
      ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
  }

  enum Frame {
    static let left = 24.0
    static let right = 876.0
    static let top = 74.0
    /// The space around the line, for the scale and the north arrow.
    static let margin = 48.0
    static let heights = 280.0...660.0
  }

  enum Ink {
    static let ground = "#f6f6f2"
    static let frame = "#d6d6d0"
    static let route = "#1d5fae"
    static let start = "#2b7a3f"
    static let end = "#b3261e"
    static let via = "#7a3fa0"
    static let contour = "#a98a63"
    static let name = "#3c4247"
  }

  /// The least extent for which a route is drawn, in metres, so that a single point has a scale.
  private static let shortestMetres = 100.0
  /// Points of the line closer than this to the previous one are not drawn, in pixels.
  private static let leastStep = 0.5

  let picture: RoutePicture
  let metresPerPixel: Double
  /// The lower edge of the map.
  let bottom: Double
  /// The line in pixels; at least one point.
  private(set) var line: [Pixel] = []
  private let projection: LocalProjection
  /// The upper left corner of the drawn metres, and its pixel.
  private let corner: (metres: (east: Double, north: Double), pixel: Pixel)

  init(_ picture: RoutePicture) {
    self.picture = picture
    projection = LocalProjection(around: picture.line)
    var box = MetresBox()
    for point in picture.line + picture.via { box.add(projection.metres(point)) }
    let width = Frame.right - Frame.left - 2 * Frame.margin
    let (east, north) = (box.east(atLeast: Self.shortestMetres), box.north(atLeast: 0))
    let wanted = width * north / east + 2 * Frame.margin
    let height = min(max(wanted, Frame.heights.lowerBound), Frame.heights.upperBound).rounded()
    metresPerPixel = max(east / width, north / (height - 2 * Frame.margin))
    bottom = Frame.top + height
    corner = (
      box.middle, Pixel(x: (Frame.left + Frame.right) / 2, y: Frame.top + height / 2)
    )
    var pixels: [Pixel] = []
    for (index, point) in picture.line.enumerated() {
      let pixel = self.pixel(point)
      let isLast = index == picture.line.count - 1
      if let last = pixels.last, !isLast, last.distance(to: pixel) < Self.leastStep { continue }
      pixels.append(pixel)
    }
    line = pixels.isEmpty ? [corner.pixel] : pixels
  }

  /// The pixel of a coordinate.
  func pixel(_ coordinate: Coordinate) -> Pixel {
    let (east, north) = projection.metres(coordinate)
    return Pixel(
      x: corner.pixel.x + (east - corner.metres.east) / metresPerPixel,
      y: corner.pixel.y - (north - corner.metres.north) / metresPerPixel)
  }

  /// The coordinate at a point of the drawing.
  func coordinate(at pixel: Pixel) -> Coordinate {
    projection.coordinate(
      east: corner.metres.east + (pixel.x - corner.pixel.x) * metresPerPixel,
      north: corner.metres.north - (pixel.y - corner.pixel.y) * metresPerPixel)
  }

  func add(to drawing: inout SVGText) {
    drawing.add(
      "rect",
      [
        "x": pixels(Frame.left), "y": pixels(Frame.top), "width": pixels(Frame.right - Frame.left),
        "height": pixels(bottom - Frame.top), "fill": Ink.ground, "stroke": Ink.frame,
      ])
    addContours(to: &drawing)
    addLine(to: &drawing)
    addArrows(to: &drawing)
    addMarks(to: &drawing)
    addScale(to: &drawing)
    addNorth(to: &drawing)
  }

  private func addLine(to drawing: inout SVGText) {
    guard line.count > 1 else { return }
    let path = "M" + line.map { "\(pixels($0.x)) \(pixels($0.y))" }.joined(separator: "L")
    drawing.group(
      "g", ["fill": "none", "stroke-linejoin": "round", "stroke-linecap": "round"]
    ) { group in
      group.add(
        "path", ["d": path, "stroke": ElevationDrawing.Ink.paper, "stroke-width": "7"])
      group.add("path", ["d": path, "stroke": Ink.route, "stroke-width": "4"])
    }
  }
}

/// East and north in metres around a point; as good as a map of a few hundred kilometres needs it.
struct LocalProjection {
  private static let metresPerDegree = 6_371_000 * Double.pi / 180
  /// Near the poles, degrees of longitude have hardly any length.
  private static let leastCosine = 0.01

  private let origin: Coordinate
  private let cosine: Double

  init(around line: [Coordinate]) {
    origin = line.first ?? Coordinate(latitude: 0, longitude: 0)
    let latitudes = line.map(\.latitude)
    let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
    cosine = max(cos(middle * .pi / 180), Self.leastCosine)
  }

  func metres(_ coordinate: Coordinate) -> (east: Double, north: Double) {
    var turn = coordinate.longitude - origin.longitude
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    return (
      turn * Self.metresPerDegree * cosine,
      (coordinate.latitude - origin.latitude) * Self.metresPerDegree
    )
  }
}

extension LocalProjection {
  /// The point this many metres east and north.
  func coordinate(east: Double, north: Double) -> Coordinate {
    var longitude = origin.longitude + east / (Self.metresPerDegree * cosine)
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: origin.latitude + north / Self.metresPerDegree, longitude: longitude)
  }
}

/// A box around points in metres.
private struct MetresBox {
  private var easts: ClosedRange<Double>?
  private var norths: ClosedRange<Double>?

  mutating func add(_ point: (east: Double, north: Double)) {
    easts = Self.widened(easts, point.east)
    norths = Self.widened(norths, point.north)
  }

  private static func widened(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double>
  {
    guard let range else { return value...value }
    return min(range.lowerBound, value)...max(range.upperBound, value)
  }

  var middle: (east: Double, north: Double) { (Self.middle(easts), Self.middle(norths)) }

  private static func middle(_ range: ClosedRange<Double>?) -> Double {
    range.map { ($0.lowerBound + $0.upperBound) / 2 } ?? 0
  }

  func east(atLeast least: Double) -> Double { Self.length(easts, least) }
  func north(atLeast least: Double) -> Double { Self.length(norths, least) }

  private static func length(_ range: ClosedRange<Double>?, _ least: Double) -> Double {
    max(range.map { $0.upperBound - $0.lowerBound } ?? 0, least)
  }
}
