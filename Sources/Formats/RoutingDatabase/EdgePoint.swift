// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// A place on an edge: where a route begins or ends.
public struct EdgePoint: Hashable, Sendable {
  /// The row of the edge.
  public var edge: Int64
  /// The node that the edge's row leads from.
  public var fromNode: Int64
  /// The node that it leads to.
  public var toNode: Int64
  /// Where the place is.
  public var coordinate: Coordinate
  /// How far along the edge it lies: 0 at ``fromNode``, 1 at ``toNode``.
  public var share: Double
  /// Metres from the point that was asked for.
  public var distanceMetres: Double
  /// The cost of the whole edge in the direction of its row; infinite where it is impassable.
  public var cost: Double
  /// The cost in the other direction; infinite where that is impassable.
  public var reverseCost: Double

  /// The node at the place; nil in the middle of the edge.
  public var node: Int64? { share <= 0 ? fromNode : share >= 1 ? toNode : nil }

  /// A place as near as this to an end of its edge, in metres, is that end: closer than geometries
  /// are kept.
  public static let nodeRadiusMetres = 1.0
}

/// An edge on which a route may begin or end, as far as that matters.
public struct SnapEdge: Sendable {
  /// The row.
  public var id: Int64
  /// The node that the row leads from.
  public var fromNode: Int64
  /// The node that it leads to.
  public var toNode: Int64
  /// The cost in the direction of the row; infinite where it is impassable.
  public var cost: Double
  /// The cost in the other direction; infinite where that is impassable.
  public var reverseCost: Double
  /// The whole line, both nodes included.
  public var line: [Coordinate]

  /// Describes an edge.
  public init(
    id: Int64, fromNode: Int64, toNode: Int64, cost: Double, reverseCost: Double,
    line: [Coordinate]
  ) {
    self.id = id
    self.fromNode = fromNode
    self.toNode = toNode
    self.cost = cost
    self.reverseCost = reverseCost
    self.line = line
  }
}

/// The place of a line that lies nearest to a point.
///
/// Distances are measured on the plane that touches the Earth at the point, so they are true near
/// it: within a kilometre to a millimetre.
public struct LineProjection: Sendable {
  private static let metresPerDegree = earthRadiusMetres * .pi / 180

  private let point: Coordinate
  private let shrinking: Double

  /// Prepares to find places near a point.
  public init(_ point: Coordinate) {
    self.point = point
    shrinking = longitudeShrinking(atLatitude: point.latitude)
  }

  /// The nearest place of a line.
  public struct Place: Sendable {
    /// The number of the segment, from 0.
    public var segment: Int
    /// How far along the segment, 0…1.
    public var share: Double
    /// Metres from the point.
    public var distanceMetres: Double
  }

  private func offset(_ place: Coordinate) -> (x: Double, y: Double) {
    var degrees = place.longitude - point.longitude
    if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
    return (
      degrees * shrinking * Self.metresPerDegree,
      (place.latitude - point.latitude) * Self.metresPerDegree
    )
  }

  /// The place of a line nearest to the point, the first one of several; nil for fewer than two
  /// points.
  public func nearest(on line: [Coordinate]) -> Place? {
    line.withUnsafeBufferPointer { nearest(on: $0) }
  }

  /// See ``nearest(on:)-([Coordinate])``.
  public func nearest(on line: UnsafeBufferPointer<Coordinate>) -> Place? {
    guard line.count > 1 else { return nil }
    var best = Place(segment: 0, share: 0, distanceMetres: .infinity)
    var one = offset(line[0])
    for segment in 1..<line.count {
      let other = offset(line[segment])
      let (dx, dy) = (other.x - one.x, other.y - one.y)
      let square = dx * dx + dy * dy
      let share = square > 0 ? min(max(-(one.x * dx + one.y * dy) / square, 0), 1) : 0
      let (x, y) = (one.x + share * dx, one.y + share * dy)
      let distance = x * x + y * y
      if distance < best.distanceMetres {
        best = Place(segment: segment - 1, share: share, distanceMetres: distance)
      }
      one = other
    }
    guard best.distanceMetres.isFinite else { return nil }
    best.distanceMetres = best.distanceMetres.squareRoot()
    return best
  }

  /// A place of an edge's line as a place on the edge. Close to an end of the edge it is that end.
  public func point(_ place: Place, on edge: SnapEdge) -> EdgePoint {
    let line = edge.line
    var before = 0.0
    var total = 0.0
    for segment in 1..<line.count {
      let length = segmentMetres(line[segment - 1], line[segment])
      if segment - 1 < place.segment { before += length }
      if segment - 1 == place.segment { before += length * place.share }
      total += length
    }
    let radius = EdgePoint.nodeRadiusMetres
    let (one, other) = (line[place.segment], line[place.segment + 1])
    var found = EdgePoint(
      edge: edge.id, fromNode: edge.fromNode, toNode: edge.toNode,
      coordinate: interpolated(one, other, place.share), share: before / total,
      distanceMetres: place.distanceMetres, cost: edge.cost, reverseCost: edge.reverseCost)
    if before <= radius || total - before <= radius || !(found.share > 0 && found.share < 1) {
      let isStart = before <= total - before
      found.share = isStart ? 0 : 1
      found.coordinate = isStart ? line[0] : line[line.count - 1]
    }
    return found
  }
}

/// How long a segment of a line is, in metres, on the plane that touches the Earth at its middle: to
/// tell how far along a line a place lies, at a fifth of the trigonometry of the great circle. Of a
/// segment of 10 km it is wrong by a centimetre.
public func segmentMetres(_ one: Coordinate, _ other: Coordinate) -> Double {
  var degrees = other.longitude - one.longitude
  if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
  let east = degrees * longitudeShrinking(atLatitude: (one.latitude + other.latitude) / 2)
  let north = other.latitude - one.latitude
  return earthRadiusMetres * .pi / 180 * (east * east + north * north).squareRoot()
}

/// The place between two places, in degrees; across the antimeridian where that is shorter.
public func interpolated(_ one: Coordinate, _ other: Coordinate, _ share: Double) -> Coordinate {
  var degrees = other.longitude - one.longitude
  if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
  var longitude = one.longitude + share * degrees
  if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
  return Coordinate(
    latitude: one.latitude + share * (other.latitude - one.latitude), longitude: longitude)
}

/// Chooses the edge of a route's end among those near a point: the nearest one, but one on an
/// island, from where little else can be reached, only if nothing better is near: not within the
/// radius, nor within twice its own distance and 50 m. Of edges equally near, the first row.
public struct SnapChoice: Sendable {
  /// How much further than a place on an island another one may lie to be taken instead.
  static let islandDetourFactor = 2.0
  static let islandDetourMetres = 50.0

  /// A place on one of the edges.
  public struct Candidate: Sendable {
    /// Metres from the point.
    public var distanceMetres: Double
    /// The row of the edge, for ties.
    public var id: Int64
    /// What the caller knows the edge by.
    public var number: Int
    /// Where on the edge.
    public var place: LineProjection.Place

    /// Describes a place.
    public init(id: Int64, number: Int, place: LineProjection.Place) {
      distanceMetres = place.distanceMetres
      self.id = id
      self.number = number
      self.place = place
    }

    fileprivate func isNearer(than other: Candidate?) -> Bool {
      guard let other else { return true }
      return (distanceMetres, id) < (other.distanceMetres, other.id)
    }
  }

  private var mainland: Candidate?
  private var island: Candidate?

  /// Begins a choice.
  public init() {}

  /// Looks at an edge; `isOnIsland` is asked only where it matters.
  public mutating func add<Failure: Error>(
    _ candidate: Candidate, isOnIsland: () throws(Failure) -> Bool
  ) throws(Failure) {
    guard candidate.isNearer(than: mainland) else { return }
    if try isOnIsland() {
      if candidate.isNearer(than: island) { island = candidate }
    } else {
      mainland = candidate
    }
  }

  /// Whether nothing that is further away can be chosen any more.
  public var isFinal: Bool { mainland != nil }

  /// The choice among what was added.
  public var best: Candidate? {
    guard let island else { return mainland }
    guard let mainland else { return island }
    let limit = island.distanceMetres * Self.islandDetourFactor + Self.islandDetourMetres
    return mainland.isNearer(than: island) || mainland.distanceMetres <= limit ? mainland : island
  }
}
