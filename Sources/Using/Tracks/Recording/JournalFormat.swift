// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnByteCoding

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The format of a journal: a header and one record for each fix, little-endian.
///
/// | bytes | header |
/// |---|---|
/// | 8 | `cairnfix` |
/// | 4 | version, 1 |
/// | 4 | CRC-32 of the 12 bytes before |
///
/// | bytes | record |
/// |---|---|
/// | 2 | `CA 1F` |
/// | 1 | kind, 1: a fix |
/// | 1 | which of the optional values follow, bits 0 to 4; bit 5: the fix begins a segment |
/// | 8 each | latitude, longitude, seconds since 1970; altitude, horizontal accuracy, vertical accuracy, course, speed, if known: as Double |
/// | 4 | CRC-32 of the record's bytes before |
enum JournalFormat {
  static let signature = Array("cairnfix".utf8)
  static let version: UInt32 = 1
  static let headerBytes = 16
  private static let marker: (UInt8, UInt8) = (0xCA, 0x1F)
  private static let fixKind: UInt8 = 1
  private static let segmentFlag: UInt8 = 1 << 5

  static var header: [UInt8] {
    var bytes = signature
    bytes.append(fixed: version)
    bytes.append(fixed: CRC32.checksum(bytes[...]))
    return bytes
  }

  /// The type of a file, by its first bytes.
  enum Kind: Equatable {
    case journal
    /// Part of a header, or nothing: a journal whose first write was cut off.
    case begun
    case laterVersion(UInt32)
    case foreign
  }

  static func kind(head: [UInt8]) -> Kind {
    if head.count < headerBytes { return header.starts(with: head) ? .begun : .foreign }
    guard head.starts(with: signature),
      CRC32.checksum(head[..<12]) == number(UInt32.self, head[12..<16])
    else { return .foreign }
    let found = number(UInt32.self, head[8..<12])
    return found == version ? .journal : .laterVersion(found)
  }

  /// Appends the record of a fix that is valid and cleaned.
  static func append(_ fix: LocationFix, beginsSegment: Bool, to bytes: inout [UInt8]) {
    let start = bytes.count
    let optional = [
      fix.altitude, fix.horizontalAccuracy, fix.verticalAccuracy, fix.course, fix.speed,
    ]
    var flags: UInt8 = beginsSegment ? segmentFlag : 0
    for (bit, value) in optional.enumerated() where value != nil { flags |= 1 << UInt8(bit) }
    bytes += [marker.0, marker.1, fixKind, flags]
    let always = [fix.latitude, fix.longitude, fix.timestamp.timeIntervalSince1970]
    for value in always + optional.compactMap({ $0 }) {
      bytes.append(fixed: value.bitPattern)
    }
    bytes.append(fixed: CRC32.checksum(bytes[start...]))
  }

  /// The size of the record that begins with these bytes, at least four; nil if no record begins
  /// like this.
  static func recordBytes(_ bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.count >= 4, bytes[start] == marker.0, bytes[start + 1] == marker.1,
      bytes[start + 2] == fixKind, bytes[start + 3] < 1 << 6
    else { return nil }
    return 4 + 8 * (3 + (bytes[start + 3] & 0x1F).nonzeroBitCount) + 4
  }

  /// Reads a whole record; nil unless its checksum is right and its values are possible.
  static func fix(_ record: ArraySlice<UInt8>) -> (fix: LocationFix, beginsSegment: Bool)? {
    guard let size = recordBytes(record), size == record.count,
      CRC32.checksum(record.dropLast(4)) == number(UInt32.self, record.suffix(4))
    else { return nil }
    let flags = record[record.startIndex + 3]
    var next = record.startIndex + 4
    func value() -> Double {
      defer { next += 8 }
      return Double(bitPattern: number(UInt64.self, record[next..<next + 8]))
    }
    func optional(_ bit: UInt8) -> Double? { flags & (1 << bit) != 0 ? value() : nil }
    let (latitude, longitude, seconds) = (value(), value(), value())
    let fix = LocationFix(
      latitude: latitude, longitude: longitude, altitude: optional(0),
      horizontalAccuracy: optional(1), verticalAccuracy: optional(2), course: optional(3),
      speed: optional(4), timestamp: Date(timeIntervalSince1970: seconds))
    guard fix.isValid, fix.cleaned == fix else { return nil }
    return (fix, flags & segmentFlag != 0)
  }

  private static func number<Number: FixedWidthInteger & UnsignedInteger>(
    _: Number.Type, _ bytes: ArraySlice<UInt8>
  ) -> Number {
    bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
  }
}
