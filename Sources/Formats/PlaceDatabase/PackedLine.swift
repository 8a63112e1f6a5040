// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding
import CairnGeodesy

/// Ascending whole numbers as a blob: the differences as LEB128, seven bits a byte, the lowest first.
package enum AscendingNumbers {
  /// The blob of some numbers, which must ascend and not be negative.
  package static func packed(_ numbers: [Int]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(numbers[...], to: &bytes)
    return bytes
  }

  /// Appends the blob of some numbers.
  package static func append(_ numbers: ArraySlice<Int>, to bytes: inout [UInt8]) {
    var last = 0
    for number in numbers {
      bytes.append(varint: UInt64(clamping: number - last))
      last = number
    }
  }

  /// Whether a number is among those of a blob; nil if damage is found first.
  package static func contains(_ wanted: Int, in bytes: UnsafeRawBufferPointer) -> Bool? {
    var reader = ByteReader(bytes)
    var last = 0
    while !reader.isAtEnd {
      guard let step = reader.varint(), let step = Int(exactly: step) else { return nil }
      let (sum, overflow) = last.addingReportingOverflow(step)
      guard !overflow else { return nil }
      last = sum
      if last >= wanted { return last == wanted }
    }
    return false
  }

  /// The numbers of a blob; nil if it is damaged.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
    var numbers: [Int] = []
    var reader = ByteReader(bytes)
    var last = 0
    while !reader.isAtEnd {
      guard let step = reader.varint(), let step = Int(exactly: step) else { return nil }
      let (sum, overflow) = last.addingReportingOverflow(step)
      guard !overflow else { return nil }
      numbers.append(sum)
      last = sum
    }
    return numbers
  }
}

/// The points of a line as a blob: latitude and longitude of each in 10⁻⁵ degrees (a metre), as
/// differences from the previous point, zigzag and LEB128. The first one differs from the
/// south-western corner of the line's cell.
package enum PackedLine {
  private static let unitsPerDegree = 1e5
  private static let unitsPerCell = 1000
  private static let columns = 36_000

  /// The blob of a line that begins in a cell.
  package static func packed(_ points: [Coordinate], cell: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(points[...], cell: cell, to: &bytes)
    return bytes
  }

  /// Appends the blob of a line that begins in a cell.
  package static func append(
    _ points: ArraySlice<Coordinate>, cell: Int, to bytes: inout [UInt8]
  ) {
    var (latitude, longitude) = corner(of: cell)
    for point in points {
      let next = (
        Int((point.latitude * unitsPerDegree).rounded()),
        Int((point.longitude * unitsPerDegree).rounded())
      )
      bytes.append(varint: zigzag(Int64(next.0 - latitude)))
      bytes.append(varint: zigzag(Int64(next.1 - longitude)))
      (latitude, longitude) = next
    }
  }

  /// The points of a blob; nil if it is damaged or contains an invalid point.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer, cell: Int) -> [Coordinate]? {
    guard (0..<columns * 18_000).contains(cell) else { return nil }
    var points: [Coordinate] = []
    points.reserveCapacity(bytes.count / 3)
    var reader = ByteReader(bytes)
    var (latitude, longitude) = corner(of: cell)
    while !reader.isAtEnd {
      guard let north = reader.varint(), let east = reader.varint(),
        // More than around the Earth, and a whole number of 32 bits.
        north < 1 << 31, east < 1 << 31
      else { return nil }
      latitude += Int(unzigzag(north))
      longitude += Int(unzigzag(east))
      let point = Coordinate(
        latitude: Double(latitude) / unitsPerDegree, longitude: Double(longitude) / unitsPerDegree)
      guard point.isValid else { return nil }
      points.append(point)
    }
    return points
  }

  /// The south-western corner of a cell in 10⁻⁵ degrees.
  static func corner(of cell: Int) -> (latitude: Int, longitude: Int) {
    ((cell / columns - 9000) * unitsPerCell, (cell % columns - 18_000) * unitsPerCell)
  }
}
