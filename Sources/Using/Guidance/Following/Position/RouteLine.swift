// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRouting

/// The line of a planned route prepared for following: without repeated points, with the metres
/// along it and a grid of its segments. Immutable.
package final class RouteLine: Sendable {
  /// Points closer than this to the previous one are left out.
  private static let leastSpacing = 0.5
  /// The ratios of stated to measured length for which the stated length is used.
  private static let believedScale = 0.5...2.0
  /// The most points that the grid has room for.
  private static let mostPoints = 1 << 25

  /// At least one point.
  let points: [Coordinate]
  /// Metres along the route to each point, as the route counts them. Edges store their own lengths,
  /// which differ slightly from the line's.
  let metres: [Double]
  /// The index of each point in the route's coordinates.
  private let originals: [Int32]
  private let grid: RouteGrid

  /// Nil if the route has no valid point, or more than 33 million.
  package init?(_ route: PlannedRoute) {
    var points: [Coordinate] = []
    var originals: [Int32] = []
    var metres: [Double] = []
    guard route.coordinates.count < Self.mostPoints else { return nil }
    for (index, point) in route.coordinates.enumerated() where point.isValid {
      if let last = points.last {
        let step = haversineDistance(last, point)
        // The last point stays in any case: the route ends there.
        let isLast = index == route.coordinates.count - 1
        guard step >= Self.leastSpacing || (isLast && step > 0) else { continue }
        metres.append(metres[metres.count - 1] + step)
      } else {
        metres.append(0)
      }
      points.append(point)
      originals.append(Int32(index))
    }
    guard let length = metres.last else { return nil }
    let scale = length > 0 ? route.totalDistance / length : 1
    if Self.believedScale.contains(scale) {
      for index in metres.indices { metres[index] *= scale }
    }
    self.points = points
    self.metres = metres
    self.originals = originals
    grid = RouteGrid(points, lengthMetres: length)
  }

  /// The length in metres.
  package var length: Double { metres[metres.count - 1] }
  /// The number of segments; 0 for a line of one point.
  var segmentCount: Int { points.count - 1 }

  /// A position on the line.
  package struct Position: Sendable {
    /// The index of the segment.
    package var segment: Int
    /// The position as a share of the segment's length, 0…1.
    package var share: Double
    /// Metres along the route.
    package var metres: Double
    /// Metres from the point that it was found for.
    package var distance: Double
  }

  /// A point of the line as the traveller sees it.
  package func routePosition(_ position: Position) -> RoutePosition {
    let next = min(position.segment + 1, points.count - 1)
    return RoutePosition(
      coordinate: interpolated(points[position.segment], points[next], position.share),
      segmentIndex: Int(originals[position.segment]), distanceAlongRoute: position.metres,
      distanceFromRoute: position.distance)
  }

  /// The position some metres along the route; its distance is 0.
  package func position(at along: Double) -> Position {
    let along = min(max(along, 0), length)
    let next = min(max(metres.partitioningIndex { $0 > along }, 1), max(segmentCount, 1))
    guard segmentCount > 0 else { return Position(segment: 0, share: 0, metres: 0, distance: 0) }
    let span = metres[next] - metres[next - 1]
    let share = span > 0 ? min(max((along - metres[next - 1]) / span, 0), 1) : 0
    return Position(segment: next - 1, share: share, metres: along, distance: 0)
  }

  /// The position on a segment that is nearest to a point.
  func nearest(_ segment: Int, to projection: LineProjection) -> Position {
    position(on: segment, projection, expected: 0, weight: 0)
  }

  /// The position on a segment with the least (distance from a point)² + weight · (metres from the
  /// expected position)². For a line without segments, its single position.
  func position(
    on segment: Int, _ projection: LineProjection, expected: Double, weight: Double
  ) -> Position {
    let one = projection.offset(points[segment])
    guard segment < segmentCount else {
      return Position(segment: segment, share: 0, metres: 0, distance: hypotenuse(one.x, one.y))
    }
    let other = projection.offset(points[segment + 1])
    let (dx, dy) = (other.x - one.x, other.y - one.y)
    let span = metres[segment + 1] - metres[segment]
    let curvature = dx * dx + dy * dy + weight * span * span
    let slope = -(one.x * dx + one.y * dy) + weight * span * (expected - metres[segment])
    let share = curvature > 0 ? min(max(slope / curvature, 0), 1) : 0
    return Position(
      segment: segment, share: share, metres: metres[segment] + share * span,
      distance: hypotenuse(one.x + share * dx, one.y + share * dy))
  }

  /// The line from a distance along the route to its end; at least one point.
  package func coordinates(from along: Double) -> [Coordinate] {
    let start = position(at: along)
    let first = routePosition(start).coordinate
    return [first] + points[min(start.segment + 1, points.count)...].drop { $0 == first }
  }

  /// The position between two distances along the route with the least (distance from a point)² +
  /// weight · (metres beyond the first distance)², the first of several; nil for an invalid point.
  package func closest(
    to point: Coordinate, within range: ClosedRange<Double>, weight: Double = 0
  ) -> Position? {
    guard point.isValid else { return nil }
    let projection = LineProjection(point)
    let first = range.lowerBound
    let ends = [first, range.upperBound].map { along in
      var end = position(at: along)
      let offset = projection.offset(routePosition(end).coordinate)
      end.distance = hypotenuse(offset.x, offset.y)
      return end
    }
    let inside = (ends[0].segment...ends[1].segment).lazy.map {
      self.position(on: $0, projection, expected: first, weight: weight)
    }.filter { range.contains($0.metres) }
    func cost(_ position: Position) -> Double {
      let beyond = position.metres - first
      return position.distance * position.distance + weight * beyond * beyond
    }
    return ([ends[0]] + inside + [ends[1]]).min { cost($0) < cost($1) }
  }

  /// The positions near a point at which the line comes close and leaves again, at least
  /// `separation` metres apart along it, nearest first. Some are left out beyond `most` of them,
  /// and if more than ``RouteGrid/mostCandidates`` segments are near.
  func passes(
    near point: Coordinate, radius: Double, separation: Double, most: Int, examined: inout Int
  ) -> [Position] {
    let projection = LineProjection(point)
    let near = grid.segments(near: point, radius: radius).map { nearest($0, to: projection) }
    examined += near.count
    let lows = near.indices.filter { index in
      let position = near[index]
      func isFarther(_ other: Int, _ segment: Int) -> Bool {
        !near.indices.contains(other) || near[other].segment != segment
          || near[other].distance >= position.distance
      }
      return position.distance <= radius && isFarther(index - 1, position.segment - 1)
        && isFarther(index + 1, position.segment + 1)
    }.map { near[$0] }.sorted { ($0.distance, $0.segment) < ($1.distance, $1.segment) }
    var passes: [Position] = []
    for low in lows where passes.count < most {
      if passes.allSatisfy({ abs($0.metres - low.metres) >= separation }) { passes.append(low) }
    }
    return passes
  }

  /// The position nearest to a point, the first of several; nil for an invalid point.
  package func closest(to point: Coordinate) -> Position? {
    guard point.isValid else { return nil }
    let projection = LineProjection(point)
    func best(_ segments: some Sequence<Int>) -> Position? {
      segments.lazy.map { self.nearest($0, to: projection) }
        .min { $0.distance < $1.distance }
    }
    for radius in [RouteGrid.leastCellMetres, 20 * RouteGrid.leastCellMetres] {
      let near = grid.segments(near: point, radius: radius, most: .max)
      if let position = best(near), position.distance <= radius { return position }
    }
    return best(0..<max(segmentCount, 1))
  }
}

/// √(x² + y²), without care for overflow: no map has such numbers.
@inline(__always)
func hypotenuse(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
