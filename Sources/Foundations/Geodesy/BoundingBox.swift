// SPDX-License-Identifier: Apache-2.0

/// A rectangle of latitudes and longitudes, including its borders.
///
/// If `west` is greater than `east`, the box crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable, CustomStringConvertible {
  /// The longitude of the western border in degrees, −180…180.
  public var west: Double
  /// The latitude of the southern border in degrees, −90…90.
  public var south: Double
  /// The longitude of the eastern border in degrees, −180…180.
  public var east: Double
  /// The latitude of the northern border in degrees, −90…90.
  public var north: Double

  /// The whole world.
  public static let world = BoundingBox(west: -180, south: -90, east: 180, north: 90)

  /// Makes a box from its borders, which are not checked; see ``isValid``.
  @inlinable public init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// The smallest box around some points, or nil if there are none. It never crosses the
  /// antimeridian.
  public init?(around points: some Sequence<Coordinate>) {
    var box: BoundingBox?
    for point in points { box = box?.extended(to: point) ?? BoundingBox(at: point) }
    guard let box else { return nil }
    self = box
  }

  /// The box that consists of a point.
  @inlinable package init(at point: Coordinate) {
    self.init(
      west: point.longitude, south: point.latitude, east: point.longitude, north: point.latitude)
  }

  /// Reads `W,S,E,N` as given on a command line; nil unless it is a valid box.
  package init?(commandLine text: some StringProtocol) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { decimalNumber($0) ?? .nan }
    guard numbers.count == 4 else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    guard isValid else { return nil }
  }

  /// Whether all borders are within their ranges and the box is not empty.
  public var isValid: Bool {
    abs(west) <= 180 && abs(east) <= 180 && abs(south) <= 90 && abs(north) <= 90
      && south < north && west != east
  }

  /// The problem with the borders, for a person; nil for a valid box.
  package var problem: String? {
    if let outside = [south, north].first(where: { !(abs($0) <= 90) }) {
      return Coordinate.problem(latitude: outside)
    }
    if let outside = [west, east].first(where: { !(abs($0) <= 180) }) {
      return Coordinate.problem(longitude: outside)
    }
    if south > north { return "south is greater than north" }
    if south == north { return "south and north are the same" }
    return west == east ? "west and east are the same" : nil
  }

  /// The problem with `W,S,E,N` as given on a command line, for a person; nil for a valid box, and
  /// for a text that is not four numbers.
  package static func problem(commandLine text: some StringProtocol) -> String? {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { decimalNumber($0) }
    guard numbers.count == 4 else { return nil }
    return BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
      .problem
  }

  /// The box whose latitudes are the longitudes of this one, and the other way round; nil if there is
  /// no such box, if it crosses the antimeridian, or if it is the same.
  package var swapped: BoundingBox? {
    let other = BoundingBox(west: south, south: west, east: north, north: east)
    return other.isValid && !other.crossesAntimeridian && other != self ? other : nil
  }

  /// The borders as a list in a manifest: `10.0, 47.0, 10.1, 47.1`.
  package var listed: String { description.split(separator: ",").joined(separator: ", ") }

  /// Whether the box reaches across the antimeridian.
  public var crossesAntimeridian: Bool { west > east }

  /// The eastern border, counted beyond the antimeridian, −180…540: never less than the western
  /// one.
  package var unwrappedEast: Double { crossesAntimeridian ? east + 360 : east }

  /// The span in degrees of longitude, 0…360.
  public var widthDegrees: Double { unwrappedEast - west }

  /// The point in its middle.
  public var centre: Coordinate {
    let longitude = (west + unwrappedEast) / 2
    return Coordinate(
      latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude)
  }

  /// The box itself, or its parts west and east of the antimeridian if it crosses it.
  package var parts: [BoundingBox] {
    guard crossesAntimeridian else { return [self] }
    return [
      BoundingBox(west: west, south: south, east: 180, north: north),
      BoundingBox(west: -180, south: south, east: east, north: north),
    ]
  }

  /// Whether a point lies inside or on the border.
  public func contains(_ point: Coordinate) -> Bool {
    guard point.latitude >= south, point.latitude <= north else { return false }
    return crossesAntimeridian
      ? point.longitude >= west || point.longitude <= east
      : point.longitude >= west && point.longitude <= east
  }

  /// Whether two boxes have a point in common.
  package func meets(_ other: BoundingBox) -> Bool {
    parts.contains { part in
      other.parts.contains {
        part.west <= $0.east && $0.west <= part.east && part.south <= $0.north
          && $0.south <= part.north
      }
    }
  }

  /// Whether another box lies inside, with a tolerance in degrees on each side.
  package func covers(_ other: BoundingBox, within tolerance: Double) -> Bool {
    guard south <= other.south + tolerance, north >= other.north - tolerance else { return false }
    if widthDegrees >= 360 - tolerance { return true }
    // How far east of this box's border the other's is.
    var start = other.west - west
    if start < -tolerance { start += 360 }
    if start >= 360 - tolerance { start -= 360 }
    return start >= -tolerance && start + other.widthDegrees <= widthDegrees + tolerance
  }

  /// The smallest box that contains this one and a point; this one must not cross the antimeridian.
  @inlinable package func extended(to point: Coordinate) -> BoundingBox {
    BoundingBox(
      west: min(west, point.longitude), south: min(south, point.latitude),
      east: max(east, point.longitude), north: max(north, point.latitude))
  }

  /// `west,south,east,north`, as the command line takes it.
  public var description: String { "\(west),\(south),\(east),\(north)" }
}

/// The smallest box around everything added to it; it crosses the antimeridian if that makes it
/// narrower.
package struct GrowingBox: Sendable {
  private var south = Double.infinity
  private var north = -Double.infinity
  /// The range of longitudes below 0, and of those from 0 on; the other way round if there are none.
  private var western = (low: Double.infinity, high: -Double.infinity)
  private var eastern = (low: Double.infinity, high: -Double.infinity)

  /// Starts empty.
  package init() {}

  /// Adds a point.
  package mutating func add(_ point: Coordinate) { addPart(BoundingBox(at: point)) }

  /// Adds all of a box.
  package mutating func add(_ box: BoundingBox) {
    for part in box.parts { addPart(part) }
  }

  private mutating func addPart(_ part: BoundingBox) {
    south = min(south, part.south)
    north = max(north, part.north)
    if part.west < 0 {
      western = (min(western.low, part.west), max(western.high, min(part.east, 0)))
    }
    if part.east >= 0 {
      eastern = (min(eastern.low, max(part.west, 0)), max(eastern.high, part.east))
    }
  }

  /// The box; nil if nothing was added.
  package var box: BoundingBox? {
    let isWestern = western.low <= western.high
    let isEastern = eastern.low <= eastern.high
    guard isWestern || isEastern else { return nil }
    let west = isWestern ? western : eastern
    let east = isEastern ? eastern : western
    func box(_ west: Double, _ east: Double) -> BoundingBox {
      BoundingBox(west: west, south: south, east: east, north: north)
    }
    let around = box(west.low, east.high)
    let across = box(east.low, west.high)
    return across.crossesAntimeridian && across.widthDegrees < around.widthDegrees
      ? across : around
  }
}

extension BoundingBox {
  /// Boxes that contain every point within a distance of a point: one, or one on each side of the
  /// antimeridian.
  package static func around(_ centre: Coordinate, radiusMetres: Double) -> [BoundingBox] {
    BoundingBox(at: centre).expanded(byMetres: radiusMetres).parts
  }

  /// A box that contains every point within a distance of this one.
  package func expanded(byMetres metres: Double) -> BoundingBox {
    let latitudeSpan = metres * 180 / (Double.pi * earthRadiusMetres)
    let (south, north) = (max(-90, south - latitudeSpan), min(90, north + latitudeSpan))
    // Circles of latitude shrink towards the poles; if the distance reaches a pole, all longitudes
    // are near.
    let shrinking = longitudeShrinking(atLatitude: max(abs(south), abs(north)))
    let longitudeSpan = shrinking > 1e-9 ? latitudeSpan / shrinking : 360
    guard widthDegrees + 2 * longitudeSpan < 360 else {
      return BoundingBox(west: -180, south: south, east: 180, north: north)
    }
    let (west, east) = (west - longitudeSpan, east + longitudeSpan)
    return BoundingBox(
      west: west < -180 ? west + 360 : west, south: south, east: east > 180 ? east - 360 : east,
      north: north)
  }
}
