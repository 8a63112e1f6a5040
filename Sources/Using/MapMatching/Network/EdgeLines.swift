// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The lines of all edges in one array, with the metres along them.
struct EdgeLines: Sendable {
  /// The index of the first point of each edge, and at the end the number of points.
  private let starts: [Int]
  private let points: [Coordinate]
  /// Metres from the beginning of the edge to each point.
  private let metres: [Float]

  init(_ network: RoadNetwork) {
    var starts = [0]
    var points: [Coordinate] = []
    var metres: [Float] = []
    starts.reserveCapacity(network.edges.count + 1)
    for edge in network.edges.indices {
      network.appendLine(of: edge, to: &points)
      var along = 0.0
      for index in starts[edge]..<points.count {
        if index > starts[edge] { along += segmentMetres(points[index - 1], points[index]) }
        metres.append(Float(along))
      }
      starts.append(points.count)
    }
    (self.starts, self.points, self.metres) = (starts, points, metres)
  }

  /// The length of an edge in metres.
  @inline(__always)
  func length(_ edge: Int32) -> Float { metres[starts[Int(edge) + 1] - 1] }

  /// The point at a distance along an edge.
  func point(_ edge: Int32, at along: Float) -> Coordinate {
    let range = starts[Int(edge)]..<starts[Int(edge) + 1]
    var (low, high) = (range.lowerBound, range.upperBound - 1)
    // The segment that contains the position.
    while high - low > 1 {
      let middle = (low + high) / 2
      if metres[middle] <= along { low = middle } else { high = middle }
    }
    let length = metres[high] - metres[low]
    guard length > 0, along > metres[low] else { return points[low] }
    guard along < metres[high] else { return points[high] }
    return interpolated(points[low], points[high], Double((along - metres[low]) / length))
  }

  /// Calls `body` with the points of the line strictly between two distances, in the order of travel,
  /// and the metres at each.
  func forEachPoint(
    _ edge: Int32, from start: Float, to end: Float, _ body: (Coordinate, Float) -> Void
  ) {
    let range = starts[Int(edge)]..<starts[Int(edge) + 1]
    let (low, high) = (min(start, end), max(start, end))
    func visit(_ index: Int) {
      if metres[index] > low, metres[index] < high { body(points[index], metres[index]) }
    }
    if start <= end { range.forEach(visit) } else { range.reversed().forEach(visit) }
  }

  /// Calls `body` for each local minimum of an edge's distance from the origin of a plane, in
  /// order, with the squared distance in metres.
  @inline(__always)
  func forEachNearest(
    _ edge: Int32, _ plane: LocalPlane, within squaredRadius: Double,
    _ body: (_ along: Float, _ squaredDistance: Double) -> Void
  ) {
    let range = starts[Int(edge)]..<starts[Int(edge) + 1]
    var one = plane.offset(points[range.lowerBound])
    // Whether the distance shrinks, or stays, towards the end of the previous segment.
    var isFalling = true
    for index in range.dropFirst() {
      let other = plane.offset(points[index])
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let square = dx * dx + dy * dy
      if square > 0 {
        let share = -(one.x * dx + one.y * dy) / square
        if share <= 0 {
          if isFalling {
            let distance = one.x * one.x + one.y * one.y
            if distance <= squaredRadius { body(metres[index - 1], distance) }
          }
          isFalling = false
        } else if share < 1 {
          let (x, y) = (one.x + share * dx, one.y + share * dy)
          let distance = x * x + y * y
          if distance <= squaredRadius {
            body(metres[index - 1] + Float(share) * (metres[index] - metres[index - 1]), distance)
          }
          isFalling = false
        } else {
          isFalling = true
        }
      }
      one = other
    }
    let distance = one.x * one.x + one.y * one.y
    if isFalling, distance <= squaredRadius { body(metres[range.upperBound - 1], distance) }
  }

  /// The position between two distances along an edge that is nearest to the origin of a plane,
  /// with the squared distance.
  func nearest(_ edge: Int32, _ plane: LocalPlane, from start: Float, to end: Float) -> (
    along: Float, squaredDistance: Double
  ) {
    let (low, high) = (min(start, end), max(start, end))
    let edges = starts[Int(edge)]..<starts[Int(edge) + 1]
    var index = edges.lowerBound + 1
    if metres[edges.upperBound - 1] > 0 {
      // The first segment that ends beyond the lower position.
      var (below, above) = (edges.lowerBound, edges.upperBound - 1)
      while above - below > 1 {
        let middle = (below + above) / 2
        if metres[middle] <= low { below = middle } else { above = middle }
      }
      index = above
    }
    var best = (along: low, squaredDistance: Double.infinity)
    while index < edges.upperBound {
      let length = metres[index] - metres[index - 1]
      let (one, other) = (plane.offset(points[index - 1]), plane.offset(points[index]))
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let square = dx * dx + dy * dy
      var along = metres[index - 1]
      if square > 0, length > 0 {
        along += length * Float(min(max(-(one.x * dx + one.y * dy) / square, 0), 1))
      }
      along = min(max(along, low), high)
      let share = length > 0 ? Double((along - metres[index - 1]) / length) : 0
      let (x, y) = (one.x + share * dx, one.y + share * dy)
      let distance = x * x + y * y
      if distance < best.squaredDistance { best = (along, distance) }
      if metres[index] >= high { break }
      index += 1
    }
    return best
  }
}

/// The plane that touches the Earth at a point: offsets from it in metres east and north, accurate
/// to a millimetre within a kilometre.
struct LocalPlane {
  private static let metresPerDegree = earthRadiusMetres * .pi / 180

  private let origin: Coordinate
  private let eastPerDegree: Double

  init(_ origin: Coordinate) {
    self.origin = origin
    eastPerDegree = Self.metresPerDegree * longitudeShrinking(atLatitude: origin.latitude)
  }

  @inline(__always)
  func offset(_ point: Coordinate) -> (x: Double, y: Double) {
    var degrees = point.longitude - origin.longitude
    if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
    return (degrees * eastPerDegree, (point.latitude - origin.latitude) * Self.metresPerDegree)
  }
}
