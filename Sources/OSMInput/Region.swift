// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy

/// What to keep of an input: everything, or the ways that touch an area.
public struct Region: Sendable {
  /// How the region is named in a file's provenance; nil for everything.
  public let name: String?
  private let isEverything: Bool
  private let boxes: [FixedBox]
  private let areas: AreaIndex?

  /// All that the input holds.
  public static let everything = Region(name: nil, isEverything: true, boxes: [], areas: nil)

  private init(name: String?, isEverything: Bool, boxes: [FixedBox], areas: AreaIndex?) {
    self.name = name
    self.isEverything = isEverything
    self.boxes = boxes
    self.areas = areas
  }

  /// The ways that touch a box, which may reach across the antimeridian.
  public init(_ box: BoundingBox) {
    let pieces =
      box.crossesAntimeridian
      ? [
        BoundingBox(west: box.west, south: box.south, east: 180, north: box.north),
        BoundingBox(west: -180, south: box.south, east: box.east, north: box.north),
      ] : [box]
    self.init(
      name: box.description, isEverything: false, boxes: pieces.map(FixedBox.init), areas: nil)
  }

  /// The ways that touch any of some areas, each with its holes.
  public init(_ areas: [MultiPolygon], name: String) {
    self.init(name: name, isEverything: false, boxes: [], areas: AreaIndex(areas))
  }

  /// Whether a node lies in the region. The border of a box belongs to it; on the border of a
  /// polygon either answer may be given.
  @inline(__always)
  func contains(_ position: NodePosition) -> Bool {
    if isEverything { return true }
    for box in boxes where box.contains(position) { return true }
    return areas?.contains(position) ?? false
  }

  /// Whether a way touches the region: a node of it lies within, or one of its segments passes
  /// through between two nodes outside.
  func touches(_ way: some Collection<NodePosition>) -> Bool {
    if isEverything { return true }
    for position in way where contains(position) { return true }
    var previous: NodePosition?
    for position in way {
      if let previous, crosses(previous, position) { return true }
      previous = position
    }
    return false
  }

  private func crosses(_ start: NodePosition, _ end: NodePosition) -> Bool {
    for segment in FixedSegment.shortWay(start, end) {
      for box in boxes where box.isCrossed(by: segment) { return true }
      if let areas, areas.isCrossed(by: segment) { return true }
    }
    return false
  }
}

/// A straight line in longitude and latitude, in 10⁻⁷ degrees.
struct FixedSegment: Sendable {
  var west: Int64
  var westLatitude: Int64
  var east: Int64
  var eastLatitude: Int64

  var south: Int64 { min(westLatitude, eastLatitude) }
  var north: Int64 { max(westLatitude, eastLatitude) }

  private static let turn: Int64 = 3_600_000_000

  /// The segment between two positions. One that is shorter across the antimeridian is given
  /// twice, beyond the eastern end of the map and beyond the western one.
  static func shortWay(_ start: NodePosition, _ end: NodePosition) -> [FixedSegment] {
    let (left, right) = start.longitude <= end.longitude ? (start, end) : (end, start)
    let segment = FixedSegment(
      west: Int64(left.longitude), westLatitude: Int64(left.latitude),
      east: Int64(right.longitude), eastLatitude: Int64(right.latitude))
    guard segment.east - segment.west > turn / 2 else { return [segment] }
    let beyondEast = FixedSegment(
      west: segment.east, westLatitude: segment.eastLatitude, east: segment.west + turn,
      eastLatitude: segment.westLatitude)
    let beyondWest = FixedSegment(
      west: beyondEast.west - turn, westLatitude: beyondEast.westLatitude,
      east: beyondEast.east - turn, eastLatitude: beyondEast.eastLatitude)
    return [beyondEast, beyondWest]
  }

  /// On which side of the line through the segment a point lies: −1, 0 or 1.
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
  func contains(_ position: NodePosition) -> Bool {
    let latitude = Int64(position.latitude)
    let longitude = Int64(position.longitude)
    return latitude >= south && latitude <= north && longitude >= west && longitude <= east
  }

  /// Whether a segment whose ends lie outside passes through: it must cross a diagonal.
  func isCrossed(by segment: FixedSegment) -> Bool {
    guard segment.west <= east, segment.east >= west, segment.south <= north,
      segment.north >= south
    else { return false }
    let rising = FixedSegment(west: west, westLatitude: south, east: east, eastLatitude: north)
    let falling = FixedSegment(west: west, westLatitude: north, east: east, eastLatitude: south)
    return segment.meets(rising) || segment.meets(falling)
  }
}

/// Degrees as 10⁻⁷ degrees, held within ±180°.
func fixedUnits(_ degrees: Double) -> Int64 {
  guard degrees == degrees else { return 0 }
  return Int64((min(180, max(-180, degrees)) * FixedCoordinate.unitsPerDegree).rounded())
}
