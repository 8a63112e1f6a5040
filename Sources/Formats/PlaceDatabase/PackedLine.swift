// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// Ascending whole numbers as a blob: the differences as LEB128, seven bits a byte, the lowest first.
package enum AscendingNumbers {
  /// The blob of some numbers, which must ascend and not be negative.
  package static func packed(_ numbers: some Sequence<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    append(numbers, to: &bytes)
    return bytes
  }

  /// Appends the blob of some numbers.
  package static func append(_ numbers: some Sequence<Int>, to bytes: inout [UInt8]) {
    var last = 0
    for number in numbers {
      appendVarint(UInt64(clamping: number - last), to: &bytes)
      last = number
    }
  }

  /// The numbers of a blob; nil if it is damaged.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer) -> [Int]? {
    var numbers: [Int] = []
    var position = 0
    var last = 0
    while position < bytes.count {
      guard let step = readVarint(bytes, &position), let step = Int(exactly: step) else {
        return nil
      }
      let (sum, overflow) = last.addingReportingOverflow(step)
      guard !overflow else { return nil }
      numbers.append(sum)
      last = sum
    }
    return numbers
  }
}

/// The points of a line as a blob: latitude and longitude of each in hundred-thousandths of a degree
/// (a metre), as differences from the point before, zigzag and LEB128. The first one differs from
/// the south-western corner of the line's cell.
package enum PackedLine {
  private static let unitsPerDegree = 1e5
  private static let unitsPerCell = 1000
  private static let columns = 36_000

  /// The blob of a line that begins in a cell.
  package static func packed(_ points: some Sequence<Coordinate>, cell: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    append(points, cell: cell, to: &bytes)
    return bytes
  }

  /// Appends the blob of a line that begins in a cell.
  package static func append(
    _ points: some Sequence<Coordinate>, cell: Int, to bytes: inout [UInt8]
  ) {
    var (latitude, longitude) = corner(of: cell)
    for point in points {
      let next = (
        Int((point.latitude * unitsPerDegree).rounded()),
        Int((point.longitude * unitsPerDegree).rounded())
      )
      appendVarint(zigzag(next.0 - latitude), to: &bytes)
      appendVarint(zigzag(next.1 - longitude), to: &bytes)
      (latitude, longitude) = next
    }
  }

  /// The points of a blob; nil if it is damaged or has a point that is nowhere on Earth.
  package static func unpacked(_ bytes: UnsafeRawBufferPointer, cell: Int) -> [Coordinate]? {
    guard (0..<columns * 18_000).contains(cell) else { return nil }
    var points: [Coordinate] = []
    points.reserveCapacity(bytes.count / 3)
    var position = 0
    var (latitude, longitude) = corner(of: cell)
    while position < bytes.count {
      guard let north = readVarint(bytes, &position), let east = readVarint(bytes, &position),
        north < 1 << 32, east < 1 << 32
      else { return nil }
      latitude += unzigzag(north)
      longitude += unzigzag(east)
      let point = Coordinate(
        latitude: Double(latitude) / unitsPerDegree, longitude: Double(longitude) / unitsPerDegree)
      guard point.isValid else { return nil }
      points.append(point)
    }
    return points
  }

  private static func corner(of cell: Int) -> (latitude: Int, longitude: Int) {
    ((cell / columns - 9000) * unitsPerCell, (cell % columns - 18_000) * unitsPerCell)
  }

  private static func zigzag(_ number: Int) -> UInt64 {
    UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
  }

  private static func unzigzag(_ number: UInt64) -> Int {
    Int(number >> 1) ^ -Int(number & 1)
  }
}

private func appendVarint(_ number: UInt64, to bytes: inout [UInt8]) {
  var rest = number
  while rest >= 0x80 {
    bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
    rest >>= 7
  }
  bytes.append(UInt8(rest))
}

private func readVarint(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> UInt64? {
  var number: UInt64 = 0
  var shift: UInt64 = 0
  while position < bytes.count, shift < 63 {
    let byte = bytes[position]
    position += 1
    number |= UInt64(byte & 0x7F) << shift
    if byte < 0x80 { return number }
    shift += 7
  }
  return nil
}
