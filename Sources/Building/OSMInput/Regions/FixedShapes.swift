// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A straight line in longitude and latitude, in 10⁻⁷ degrees.
struct FixedSegment: Sendable {
  var west: Int64
  var westLatitude: Int64
  var east: Int64
  var eastLatitude: Int64

  var south: Int64 { min(westLatitude, eastLatitude) }
  var north: Int64 { max(westLatitude, eastLatitude) }

  /// 360° in 10⁻⁷ degrees.
  static let turn: Int64 = 3_600_000_000

  init(west: Int64, westLatitude: Int64, east: Int64, eastLatitude: Int64) {
    self.west = west
    self.westLatitude = westLatitude
    self.east = east
    self.eastLatitude = eastLatitude
  }

  /// The segment between two coordinates as drawn on a map.
  init(_ start: NodeCoordinate, _ end: NodeCoordinate) {
    let (left, right) = start.longitude <= end.longitude ? (start, end) : (end, start)
    west = Int64(left.longitude)
    westLatitude = Int64(left.latitude)
    east = Int64(right.longitude)
    eastLatitude = Int64(right.latitude)
  }

  /// The true coordinates of a segment that is shorter across the antimeridian, once beyond the
  /// eastern edge of the map and once beyond the western one; nil for any other segment.
  var acrossAntimeridian: (beyondEast: FixedSegment, beyondWest: FixedSegment)? {
    guard east - west > Self.turn / 2 else { return nil }
    return (
      FixedSegment(
        west: east, westLatitude: eastLatitude, east: west + Self.turn,
        eastLatitude: westLatitude),
      FixedSegment(
        west: east - Self.turn, westLatitude: eastLatitude, east: west,
        eastLatitude: westLatitude)
    )
  }

  /// On which side of the line through the segment a point is: −1, 0 or 1.
  func side(longitude: Int64, latitude: Int64) -> Int {
    // Exact: the products can exceed 64 bits.
    let ahead = (east - west).multipliedFullWidth(by: latitude - westLatitude)
    let across = (eastLatitude - westLatitude).multipliedFullWidth(by: longitude - west)
    if ahead.high != across.high { return ahead.high > across.high ? 1 : -1 }
    return ahead.low == across.low ? 0 : ahead.low > across.low ? 1 : -1
  }

  /// Whether two segments have a point in common.
  func meets(_ other: FixedSegment) -> Bool {
    guard west <= other.east, other.west <= east, south <= other.north, other.south <= north
    else { return false }
    let otherSides =
      side(longitude: other.west, latitude: other.westLatitude)
      * side(longitude: other.east, latitude: other.eastLatitude)
    let ownSides =
      other.side(longitude: west, latitude: westLatitude)
      * other.side(longitude: east, latitude: eastLatitude)
    return otherSides <= 0 && ownSides <= 0
  }
}

/// A box in 10⁻⁷ degrees that does not cross the antimeridian.
struct FixedBox: Sendable {
  var west: Int64
  var south: Int64
  var east: Int64
  var north: Int64

  init(_ box: BoundingBox) {
    west = fixedUnits(box.west)
    south = fixedUnits(box.south)
    east = fixedUnits(box.east)
    north = fixedUnits(box.north)
  }

  @inline(__always)
  func contains(_ coordinate: NodeCoordinate) -> Bool {
    let latitude = Int64(coordinate.latitude)
    let longitude = Int64(coordinate.longitude)
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east
  }

  /// Whether a segment with both ends outside crosses the box, and so one of its diagonals.
  func isCrossed(by segment: FixedSegment) -> Bool {
    guard segment.west <= east, segment.east >= west, segment.south <= north,
      segment.north >= south
    else { return false }
    let rising = FixedSegment(west: west, westLatitude: south, east: east, eastLatitude: north)
    let falling = FixedSegment(west: west, westLatitude: north, east: east, eastLatitude: south)
    return segment.meets(rising) || segment.meets(falling)
  }
}

/// The bounding box of a way, for a quick test whether the way is far from a region.
struct WayExtent: Sendable {
  private(set) var west = Int32.max
  private(set) var south = Int32.max
  private(set) var east = Int32.min
  private(set) var north = Int32.min

  /// The bounding box of the known coordinates; one that meets nothing if there are none.
  @inline(__always)
  init(_ way: some Sequence<NodeCoordinate>) {
    for coordinate in way where coordinate.isKnown {
      west = min(west, coordinate.longitude)
      south = min(south, coordinate.latitude)
      east = max(east, coordinate.longitude)
      north = max(north, coordinate.latitude)
    }
    // The way may cross the antimeridian, and so be outside the box of its nodes.
    if Int64(east) - Int64(west) > FixedSegment.turn / 2 {
      west = .min
      east = .max
    }
  }

  /// The box around this one and another one.
  func union(_ other: WayExtent) -> WayExtent {
    var union = self
    (union.west, union.south) = (min(west, other.west), min(south, other.south))
    (union.east, union.north) = (max(east, other.east), max(north, other.north))
    return union
  }

  /// Whether the box and another one have a point in common.
  func meets(_ other: WayExtent) -> Bool {
    meets(
      west: Int64(other.west), south: Int64(other.south), east: Int64(other.east),
      north: Int64(other.north))
  }

  /// Whether the box and another one have a point in common.
  @inline(__always)
  func meets(_ box: FixedBox) -> Bool {
    meets(west: box.west, south: box.south, east: box.east, north: box.north)
  }

  /// Whether the box and another one have a point in common.
  @inline(__always)
  func meets(west: Int64, south: Int64, east: Int64, north: Int64) -> Bool {
    Int64(self.south) <= north && Int64(self.north) >= south && Int64(self.west) <= east
      && Int64(self.east) >= west
  }
}

/// Degrees as 10⁻⁷ degrees, clamped to ±180°.
func fixedUnits(_ degrees: Double) -> Int64 {
  guard degrees == degrees else { return 0 }
  return Int64((min(180, max(-180, degrees)) * FixedCoordinate.unitsPerDegree).rounded())
}
