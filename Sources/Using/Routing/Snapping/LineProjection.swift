// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// Finds the position on a line that is nearest to a point.
///
/// Distances are measured on the plane that touches the Earth at the point, so they are accurate
/// near it: to a millimetre within a kilometre.
package struct LineProjection: Sendable {
  private static let metresPerDegree = earthRadiusMetres * .pi / 180

  private let point: Coordinate
  private let shrinking: Double

  /// Prepares to find positions near a point.
  package init(_ point: Coordinate) {
    self.point = point
    shrinking = longitudeShrinking(atLatitude: point.latitude)
  }

  /// A position on a line.
  package struct Position: Sendable {
    /// The index of the segment.
    package var segment: Int
    /// The position as a share of the segment's length, 0…1.
    package var share: Double
    /// Metres from the point.
    package var distanceMetres: Double
  }

  /// Metres east and north of the point.
  package func offset(_ other: Coordinate) -> (x: Double, y: Double) {
    var degrees = other.longitude - point.longitude
    if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
    return (
      degrees * shrinking * Self.metresPerDegree,
      (other.latitude - point.latitude) * Self.metresPerDegree
    )
  }

  /// The position on a line nearest to the point, the first of several; nil for fewer than two
  /// points.
  package func nearest(on line: [Coordinate]) -> Position? {
    line.withUnsafeBufferPointer { nearest(on: $0) }
  }

  /// See ``nearest(on:)-([Coordinate])``.
  package func nearest(on line: UnsafeBufferPointer<Coordinate>) -> Position? {
    guard line.count > 1 else { return nil }
    var best = Position(segment: 0, share: 0, distanceMetres: .infinity)
    var one = offset(line[0])
    for segment in 1..<line.count {
      let other = offset(line[segment])
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let square = dx * dx + dy * dy
      let share = square > 0 ? min(max(-(one.x * dx + one.y * dy) / square, 0), 1) : 0
      let (x, y) = (one.x + share * dx, one.y + share * dy)
      let distance = x * x + y * y
      if distance < best.distanceMetres {
        best = Position(segment: segment - 1, share: share, distanceMetres: distance)
      }
      one = other
    }
    guard best.distanceMetres.isFinite else { return nil }
    best.distanceMetres = best.distanceMetres.squareRoot()
    return best
  }

  /// The position of a candidate as a point on its edge.
  func point(at candidate: SnapChoice.Candidate, on edge: EdgeLine) -> EdgePoint {
    var found = point(at: candidate.position, on: edge)
    found.lastResort = candidate.lastResort
    return found
  }

  /// A position on an edge's line as a point on the edge, moved to an end that is close.
  package func point(at position: Position, on edge: EdgeLine) -> EdgePoint {
    let line = edge.line
    var before = 0.0
    var total = 0.0
    for segment in 1..<line.count {
      let length = segmentMetres(line[segment - 1], line[segment])
      if segment - 1 < position.segment { before += length }
      if segment - 1 == position.segment { before += length * position.share }
      total += length
    }
    let radius = EdgePoint.nodeRadiusMetres
    let (one, other) = (line[position.segment], line[position.segment + 1])
    var found = EdgePoint(
      edge: edge.id, fromNode: edge.fromNode, toNode: edge.toNode,
      coordinate: interpolated(one, other, position.share), share: before / total,
      distanceMetres: position.distanceMetres, cost: edge.cost, reverseCost: edge.reverseCost)
    if before <= radius || total - before <= radius || !(found.share > 0 && found.share < 1) {
      let isStart = before <= total - before
      found.share = isStart ? 0 : 1
      found.coordinate = isStart ? line[0] : line[line.count - 1]
    }
    return found
  }
}
