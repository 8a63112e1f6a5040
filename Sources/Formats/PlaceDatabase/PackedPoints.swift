// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnGeodesy

/// Unnamed points of one kind in a cell, as a blob. All numbers are LEB128.
///
/// For each point: four times the sum of its flags plus the type of its object (0 node, 1 way, 2
/// relation); the zigzag of the difference of its id from the previous one; its offsets north and
/// east of the south-western corner of the cell in 10⁻⁵ degrees; and its elevation in metres above
/// −1000, or 0 if unknown.
package struct PackedPoint: Equatable, Sendable {
  /// The type of the object: 0 node, 1 way, 2 relation.
  package var type: UInt8
  /// The id of the object.
  package var id: Int64
  /// Its coordinate.
  package var coordinate: Coordinate
  /// Whole metres above sea level; nil if unknown.
  package var elevation: Int?
  /// The bits of its flags.
  package var flags: UInt8

  /// Makes a point.
  package init(
    type: UInt8, id: Int64, coordinate: Coordinate, elevation: Int?, flags: UInt8
  ) {
    self.type = type
    self.id = id
    self.coordinate = coordinate
    self.elevation = elevation
    self.flags = flags
  }

  private static let unitsPerDegree = 1e5
  private static let lowest = 1000

  /// Its position in the units of the blob, 10⁻⁵ degrees.
  private static func units(_ point: Coordinate) -> (latitude: Int, longitude: Int) {
    (
      Int((point.latitude * unitsPerDegree).rounded()),
      Int((point.longitude * unitsPerDegree).rounded())
    )
  }

  /// The blob of some points of a cell.
  package static func packed(_ points: [PackedPoint], cell: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let corner = PackedLine.corner(of: cell)
    var last: Int64 = 0
    for point in points {
      bytes.append(varint: UInt64(point.flags) << 2 | UInt64(point.type & 3))
      bytes.append(varint: zigzag(point.id &- last))
      last = point.id
      let units = units(point.coordinate)
      bytes.append(varint: UInt64(max(0, units.latitude - corner.latitude)))
      bytes.append(varint: UInt64(max(0, units.longitude - corner.longitude)))
      let metres = point.elevation.map { min(max($0, 1 - lowest), 20_000) + lowest } ?? 0
      bytes.append(varint: UInt64(metres))
    }
    return bytes
  }

  /// The points of a blob; nil if it is damaged.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer, cell: Int) -> [PackedPoint]? {
    var points: [PackedPoint] = []
    var reader = ByteReader(bytes)
    let corner = PackedLine.corner(of: cell)
    var last: Int64 = 0
    while !reader.isAtEnd {
      guard let head = reader.varint(), head < 1 << 10, head & 3 < 3, let step = reader.varint(),
        let north = reader.varint(), north <= 1000, let east = reader.varint(), east <= 1000,
        let metres = reader.varint(), metres <= 21_000
      else { return nil }
      last &+= unzigzag(step)
      let coordinate = Coordinate(
        latitude: Double(corner.latitude + Int(north)) / unitsPerDegree,
        longitude: Double(corner.longitude + Int(east)) / unitsPerDegree)
      guard coordinate.isValid else { return nil }
      points.append(
        PackedPoint(
          type: UInt8(head & 3), id: last, coordinate: coordinate,
          elevation: metres == 0 ? nil : Int(metres) - lowest, flags: UInt8(head >> 2)))
    }
    return points
  }
}

/// The house numbers of a street as a blob, ascending. All numbers are LEB128.
///
/// For each: the number; the length in bytes of its rest, and the rest itself, such as `a` of 7a
/// and `-9` of 7-9; and its offset north and east of the previous one, or of the place, in 10⁻⁵
/// degrees, as zigzag.
package struct HouseNumber: Equatable, Sendable {
  /// The number at its beginning.
  package var number: Int
  /// What follows.
  package var rest: String
  /// Its coordinate.
  package var coordinate: Coordinate

  /// The longest rest in bytes.
  private static let longestRest = 12
  private static let unitsPerDegree = 1e5

  /// Reads a house number; nil if the text does not begin with one.
  package init?(_ text: String, at coordinate: Coordinate) {
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    guard let number = Int(String(digits) ?? ""), number < 1_000_000 else { return nil }
    let rest = String(text.dropFirst(digits.count)).filter { $0 != " " }
    guard rest.utf8.count <= Self.longestRest else { return nil }
    self.init(number: number, rest: rest, coordinate: coordinate)
  }

  private init(number: Int, rest: String, coordinate: Coordinate) {
    self.number = number
    self.rest = rest
    self.coordinate = coordinate
  }

  /// The house number as written.
  package var text: String { "\(number)\(rest)" }

  private static func units(_ point: Coordinate) -> (Int, Int) {
    (
      Int((point.latitude * unitsPerDegree).rounded()),
      Int((point.longitude * unitsPerDegree).rounded())
    )
  }

  /// The blob of the house numbers of a street.
  package static func packed(_ numbers: [HouseNumber], from start: Coordinate) -> [UInt8] {
    var bytes: [UInt8] = []
    var (latitude, longitude) = units(start)
    for number in numbers {
      bytes.append(varint: UInt64(max(0, number.number)))
      bytes.append(varint: UInt64(number.rest.utf8.count))
      bytes += number.rest.utf8
      let next = units(number.coordinate)
      bytes.append(varint: zigzag(Int64(next.0 - latitude)))
      bytes.append(varint: zigzag(Int64(next.1 - longitude)))
      (latitude, longitude) = next
    }
    return bytes
  }

  /// The house numbers of a blob; nil if it is damaged.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer, from start: Coordinate)
    -> [HouseNumber]?
  {
    var numbers: [HouseNumber] = []
    var reader = ByteReader(bytes)
    var (latitude, longitude) = units(start)
    while !reader.isAtEnd {
      guard let number = reader.varint(), number < 1_000_000, let count = reader.varint(),
        count <= UInt64(longestRest), let rest = reader.raw(Int(count)),
        let north = reader.varint(), north < 1 << 31, let east = reader.varint(), east < 1 << 31
      else { return nil }
      latitude += Int(unzigzag(north))
      longitude += Int(unzigzag(east))
      let coordinate = Coordinate(
        latitude: Double(latitude) / unitsPerDegree, longitude: Double(longitude) / unitsPerDegree)
      guard coordinate.isValid else { return nil }
      numbers.append(
        HouseNumber(
          number: Int(number), rest: String(decoding: rest, as: UTF8.self),
          coordinate: coordinate))
    }
    return numbers
  }
}
