// SPDX-License-Identifier: Apache-2.0
import CairnByteCoding

/// A file of an archive.
struct ZipEntry {
  var name: String
  var time: ZipTime
  var crc: UInt32 = 0
  var bytes = 0
  var packedBytes = 0
  /// The offset of its local header.
  var offset = 0
  /// Whether its sizes have eight bytes in the local header.
  var isLarge = false
}

/// A time in the format of archives: to two seconds, from 1980 to 2107, without a time zone; here
/// UTC.
package struct ZipTime: Equatable, Sendable {
  let date: UInt16
  let time: UInt16

  /// The earliest representable time.
  package static let earliest = ZipTime(date: 1 << 5 | 1, time: 0)

  private init(date: UInt16, time: UInt16) { (self.date, self.time) = (date, time) }

  /// The time of a timestamp such as `2020-05-01T20:59:03Z`; the earliest for anything else.
  package init(timestamp: String) {
    let parts = timestamp.split { !$0.isASCII || !$0.isNumber }.prefix(6).compactMap { Int($0) }
    guard parts.count == 6, (1980...2107).contains(parts[0]), (1...12).contains(parts[1]),
      (1...31).contains(parts[2]), (0...23).contains(parts[3]), (0...59).contains(parts[4]),
      (0...59).contains(parts[5]), timestamp.hasSuffix("Z")
    else {
      self = .earliest
      return
    }
    date = UInt16((parts[0] - 1980) << 9 | parts[1] << 5 | parts[2])
    time = UInt16(parts[3] << 11 | parts[4] << 5 | parts[5] / 2)
  }
}

/// The signatures that begin records.
enum ZipSignature {
  static let local: UInt32 = 0x0403_4B50
  static let central: UInt32 = 0x0201_4B50
  static let end: UInt32 = 0x0605_4B50
}

/// The records of the format (APPNOTE 6.3.10), little-endian.
struct ZipRecords {
  private(set) var bytes: [UInt8] = []

  private static let deflated: UInt16 = 8
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11
  /// Version 4.5, by a Unix system; readers need no higher version for large files.
  private static let madeBy: UInt16 = 3 << 8 | 45
  /// A regular file readable by everyone.
  private static let attributes = UInt32(0o100644) << 16

  mutating func append(_ value: some FixedWidthInteger) {
    bytes.append(fixed: value)
  }

  private mutating func appendProperties(_ entry: ZipEntry, large: Bool) {
    append(UInt16(large ? 45 : 20))
    append(Self.flags)
    append(Self.deflated)
    append(entry.time.time)
    append(entry.time.date)
    append(entry.crc)
    append(large ? UInt32.max : UInt32(clamping: entry.packedBytes))
    append(large ? UInt32.max : UInt32(clamping: entry.bytes))
    append(UInt16(clamping: entry.name.utf8.count))
  }

  /// The header before a file's bytes.
  mutating func appendLocalHeader(_ entry: ZipEntry) {
    append(ZipSignature.local)
    appendProperties(entry, large: entry.isLarge)
    append(UInt16(entry.isLarge ? 20 : 0))
    bytes += Array(entry.name.utf8)
    guard entry.isLarge else { return }
    append(UInt16(1))
    append(UInt16(16))
    append(UInt64(entry.bytes))
    append(UInt64(entry.packedBytes))
  }

  /// A file in the directory at the end.
  mutating func appendDirectoryEntry(_ entry: ZipEntry, limit: Int) {
    let isFar = entry.offset >= limit
    append(ZipSignature.central)
    append(Self.madeBy)
    appendProperties(entry, large: entry.isLarge)
    let extra = (entry.isLarge ? 16 : 0) + (isFar ? 8 : 0)
    append(UInt16(extra > 0 ? extra + 4 : 0))
    // No comment, the first volume, no properties.
    for _ in 0..<3 { append(UInt16(0)) }
    append(Self.attributes)
    append(isFar ? UInt32.max : UInt32(clamping: entry.offset))
    bytes += Array(entry.name.utf8)
    guard extra > 0 else { return }
    append(UInt16(1))
    append(UInt16(extra))
    if entry.isLarge {
      append(UInt64(entry.bytes))
      append(UInt64(entry.packedBytes))
    }
    if isFar { append(UInt64(entry.offset)) }
  }

  /// The records after the directory.
  mutating func appendEnd(
    entries: Int, directory: Range<Int>, comment: String, limit: Int
  ) {
    let isLarge = directory.upperBound >= limit || entries >= Int(UInt16.max)
    if isLarge {
      append(UInt32(0x0606_4B50))
      append(UInt64(44))
      append(Self.madeBy)
      append(UInt16(45))
      append(UInt32(0))
      append(UInt32(0))
      append(UInt64(entries))
      append(UInt64(entries))
      append(UInt64(directory.count))
      append(UInt64(directory.lowerBound))
      append(UInt32(0x0706_4B50))
      append(UInt32(0))
      append(UInt64(directory.upperBound))
      append(UInt32(1))
    }
    append(ZipSignature.end)
    append(UInt16(0))
    append(UInt16(0))
    append(isLarge ? UInt16.max : UInt16(clamping: entries))
    append(isLarge ? UInt16.max : UInt16(clamping: entries))
    append(isLarge ? UInt32.max : UInt32(clamping: directory.count))
    append(isLarge ? UInt32.max : UInt32(clamping: directory.lowerBound))
    append(UInt16(clamping: comment.utf8.count))
    bytes += Array(comment.utf8)
  }
}
