// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import FoundationEssentials
import Glibc

/// The rectangle of a map in the Mercator projection, in whole units: about 10,000 along its longer
/// side, so that a unit is a few metres of a region.
struct MapFrame: Equatable, Sendable {
  /// The length of the longer side.
  static let units = 10_000.0
  /// Beyond this latitude the projection leaves its square.
  private static let maximumLatitude = 85.0
  /// The smallest side in parts of the Earth: about 800 m at the equator.
  private static let smallestSide = 0.000_02

  /// The western and northern edge in parts of the projection's square, 0…1.
  let (west, north): (Double, Double)
  /// Units per part.
  let scale: Double
  /// The size in units.
  let (width, height): (Double, Double)

  /// A frame around lines with a margin; nil if they have no points.
  ///
  /// - Parameter isTight: For areas: a small margin, with room for a name above, in any proportion.
  init?(around lines: [[Coordinate]], isTight: Bool = false) {
    var (minX, maxX, minY, maxY) = (
      Double.infinity, -Double.infinity, Double.infinity, -Double.infinity
    )
    for point in lines.joined() {
      let (x, y) = Self.project(point)
      (minX, maxX, minY, maxY) = (min(minX, x), max(maxX, x), min(minY, y), max(maxY, y))
    }
    guard minX <= maxX, minY <= maxY else { return nil }
    let longer = max(maxX - minX, maxY - minY, Self.smallestSide)
    // Wider than high, like maps on a screen, with ground around each route.
    let sideX = isTight ? maxX - minX + 0.1 * longer : max(maxX - minX, 1.1 * longer) + 0.6 * longer
    let sideY = isTight ? maxY - minY + 0.2 * longer : max(maxY - minY, 0.8 * longer) + 0.3 * longer
    west = (minX + maxX - sideX) / 2
    north = (minY + maxY - sideY) / 2
    scale = Self.units / max(sideX, sideY)
    (width, height) = ((sideX * scale).rounded(), (sideY * scale).rounded())
  }

  /// The position of a point in units from the north-western corner.
  func position(_ point: Coordinate) -> (x: Double, y: Double) {
    let (x, y) = Self.project(point)
    return ((x - west) * scale, (y - north) * scale)
  }

  /// The point at a position.
  func point(x: Double, y: Double) -> Coordinate {
    let angle = Double.pi * (1 - 2 * (north + y / scale))
    return Coordinate(
      latitude: atan(sinh(angle)) * 180 / .pi, longitude: (west + x / scale) * 360 - 180)
  }

  /// Its area.
  var box: BoundingBox {
    let (low, high) = (point(x: 0, y: height), point(x: width, y: 0))
    return BoundingBox(
      west: max(-180, low.longitude), south: low.latitude, east: min(180, high.longitude),
      north: high.latitude)
  }

  /// Metres on the ground per unit in the middle of the frame.
  var metresPerUnit: Double {
    let middle = point(x: width / 2, y: height / 2)
    return 40_075_016.7 * cos(middle.latitude * .pi / 180) / scale
  }

  /// A line as the path of an SVG: relative moves in whole units. Empty without two points.
  func path(_ line: [Coordinate]) -> String {
    var text = ""
    var last: (x: Int, y: Int)?
    for point in line {
      let pixel = position(point)
      guard let x = Int(exactly: pixel.x.rounded()), let y = Int(exactly: pixel.y.rounded()),
        abs(x) < 1_000_000, abs(y) < 1_000_000
      else { continue }
      guard let before = last else {
        text = "M\(x) \(y)l"
        last = (x, y)
        continue
      }
      guard before != (x, y) else { continue }
      let (dx, dy) = (x - before.x, y - before.y)
      text += (text.hasSuffix("l") ? "" : " ") + "\(dx) \(dy)"
      last = (x, y)
    }
    return text.hasSuffix("l") ? "" : text
  }

  private static func project(_ point: Coordinate) -> (Double, Double) {
    let latitude = min(max(point.latitude, -maximumLatitude), maximumLatitude) * .pi / 180
    return ((point.longitude + 180) / 360, (1 - asinh(tan(latitude)) / .pi) / 2)
  }
}
