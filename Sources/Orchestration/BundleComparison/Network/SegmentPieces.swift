// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A segment in equal pieces that are not longer than a length.
struct SegmentPieces: Sequence {
  struct Piece {
    var start: MapPoint
    var end: MapPoint
    var middle: Coordinate
    var metres: Double

    /// Whether two segments have about the same or the opposite direction, within 45°.
    func isAlong(_ one: Coordinate, _ other: Coordinate) -> Bool {
      let shrinking = longitudeShrinking(atLatitude: middle.latitude)
      let x = (Double(end.longitude) - Double(start.longitude)) * shrinking
      let y = Double(end.latitude) - Double(start.latitude)
      let dx = (other.longitude - one.longitude) * shrinking
      let dy = other.latitude - one.latitude
      let product = x * dx + y * dy
      return product * product * 2 >= (x * x + y * y) * (dx * dx + dy * dy)
    }
  }

  /// Longer than any real segment; a forged one may span the globe.
  private static let maximum = 10_000.0

  private let start: MapPoint
  private let end: MapPoint
  private let metres: Double
  private let count: Int

  init(_ network: ComparedNetwork, _ segment: Int, pieceMetres: Double) {
    start = network.points[segment]
    end = network.points[segment + 1]
    metres = network.segmentMetres(segment)
    count = metres > 0 ? Int(Swift.min(Self.maximum, (metres / pieceMetres).rounded(.up))) : 0
  }

  func makeIterator() -> AnyIterator<Piece> {
    var index = 0
    return AnyIterator {
      guard index < count else { return nil }
      defer { index += 1 }
      let share = { (position: Double) in
        interpolated(start.coordinate, end.coordinate, position / Double(count))
      }
      return Piece(
        start: index == 0 ? start : MapPoint(share(Double(index))),
        end: index == count - 1 ? end : MapPoint(share(Double(index + 1))),
        middle: share(Double(index) + 0.5), metres: metres / Double(count))
    }
  }
}
