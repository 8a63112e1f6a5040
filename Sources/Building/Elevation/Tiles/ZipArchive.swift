// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// A zip file in memory: a list of its members, and a method to extract one.
///
/// It supports what elevation tiles need: stored and deflated members, with sizes from the central
/// directory, so that data descriptors do not matter. Encryption, zip64 and multi-disk archives are
/// refused with a reason. Sizes claimed by the file never determine allocations.
struct ZipArchive {
  /// A member as the central directory describes it.
  struct Member: Equatable {
    let name: String
    let flags: UInt32
    let method: UInt32
    let checksum: UInt32
    let packedByteCount: Int
    let byteCount: Int
    let headerOffset: Int
  }

  /// Sizes and signatures of APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
  private enum Record {
    static let local = (signature: UInt32(0x0403_4B50), bytes: 30)
    static let central = (signature: UInt32(0x0201_4B50), bytes: 46)
    static let end = (signature: UInt32(0x0605_4B50), bytes: 22)
    static let largestComment = 65_535
    /// Marks a 32-bit field whose value is in a zip64 record.
    static let elsewhere = 0xFFFF_FFFF
  }

  /// The maximum number of members; no archive of a tile has as many.
  private static let memberLimit = 1000

  /// The members, without folders, in the order of the directory.
  let members: [Member]
  private let bytes: [UInt8]
  private let path: String

  /// Reads the list of members. Throws 65 if the bytes are not a zip file or use unsupported
  /// features.
  init(_ bytes: [UInt8], path: String) throws(CairnError) {
    self.bytes = bytes
    self.path = path
    members = try Self.directory(ZipBytes(bytes: bytes, path: path))
  }

  private static func directory(_ file: ZipBytes) throws(CairnError) -> [Member] {
    let end = try endRecord(file)
    let count = try file.half(end + 10)
    var offset = try file.word(end + 16)
    let size = try file.word(end + 12)
    guard offset != Record.elsewhere, size != Record.elsewhere, count != 0xFFFF else {
      throw file.refusal("is a zip64 archive")
    }
    guard try file.half(end + 4) == 0, try file.half(end + 8) == count else {
      throw file.refusal("is part of a multi-disk archive")
    }
    guard count <= memberLimit else {
      throw file.refusal("has \(grouped(count)) members")
    }
    var members: [Member] = []
    for _ in 0..<count {
      let (member, next) = try self.member(file, at: offset)
      offset = next
      if !member.name.hasSuffix("/") { members.append(member) }
    }
    return members
  }

  /// The record at the end of the file; only a comment may follow it.
  private static func endRecord(_ file: ZipBytes) throws(CairnError) -> Int {
    let last = file.bytes.count - Record.end.bytes
    var offset = last
    while offset >= max(0, last - Record.largestComment) {
      if try file.word(offset) == Record.end.signature { return offset }
      offset -= 1
    }
    throw file.damage(
      file.bytes.isEmpty
        ? "is empty" : "is not a zip file or is truncated: it has no central directory")
  }

  private static func member(_ file: ZipBytes, at offset: Int) throws(CairnError)
    -> (member: Member, next: Int)
  {
    guard try file.word(offset) == Record.central.signature else {
      throw file.damage("is damaged: no directory entry at byte \(grouped(offset))")
    }
    let nameBytes = try file.half(offset + 28)
    let trailing = try file.half(offset + 30) + file.half(offset + 32)
    let name = try file.text(offset + Record.central.bytes, nameBytes)
    let member = Member(
      name: name, flags: UInt32(try file.half(offset + 8)),
      method: UInt32(try file.half(offset + 10)), checksum: UInt32(try file.word(offset + 16)),
      packedByteCount: try file.word(offset + 20), byteCount: try file.word(offset + 24),
      headerOffset: try file.word(offset + 42))
    let fields = [member.packedByteCount, member.byteCount, member.headerOffset]
    guard !fields.contains(Record.elsewhere) else { throw file.refusal("is a zip64 archive") }
    return (member, offset + Record.central.bytes + nameBytes + trailing)
  }

  /// Extracts a member into a buffer of exactly its size and verifies its checksum. Throws 65 if it
  /// is damaged or compressed with an unsupported method.
  func extract(_ member: Member, into buffer: UnsafeMutableRawBufferPointer) throws(CairnError) {
    let file = ZipBytes(bytes: bytes, path: path)
    let content = try packedContent(of: member, file)
    switch member.method {
    case 0:
      guard content.count == buffer.count else {
        throw file.damage("is damaged: member \(member.name) has inconsistent sizes")
      }
      content.withUnsafeBytes { buffer.copyMemory(from: $0) }
    case 8:
      guard try Decompressor().inflate(content, into: buffer) == .exact else {
        throw file.damage(
          "is damaged: member \(member.name) does not inflate to its \(grouped(buffer.count)) bytes"
        )
      }
    default:
      throw file.refusal("has member \(member.name) compressed with method \(member.method)")
    }
    guard crc32(UnsafeRawBufferPointer(buffer)) == member.checksum else {
      throw file.damage("is damaged: member \(member.name) has a wrong checksum")
    }
  }

  private func packedContent(of member: Member, _ file: ZipBytes) throws(CairnError)
    -> ArraySlice<UInt8>
  {
    guard member.flags & 1 == 0 else {
      throw file.refusal("has an encrypted member \(member.name)")
    }
    guard try file.word(member.headerOffset) == Record.local.signature else {
      throw file.damage("is damaged: member \(member.name) is not at the offset in the directory")
    }
    let start =
      try member.headerOffset + Record.local.bytes + file.half(member.headerOffset + 26)
      + file.half(member.headerOffset + 28)
    guard start <= bytes.count, member.packedByteCount <= bytes.count - start else {
      throw file.damage("is damaged: member \(member.name) extends past the end of the file")
    }
    return bytes[start..<(start + member.packedByteCount)]
  }
}

/// Reads little-endian integers at any offset of a file.
private struct ZipBytes {
  let bytes: [UInt8]
  let path: String

  func half(_ offset: Int) throws(CairnError) -> Int { try integer(offset, 2) }

  func word(_ offset: Int) throws(CairnError) -> Int { try integer(offset, 4) }

  private func integer(_ offset: Int, _ count: Int) throws(CairnError) -> Int {
    guard offset >= 0, offset <= bytes.count - count else { throw cutOff }
    return (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// A name; control characters are replaced.
  func text(_ offset: Int, _ count: Int) throws(CairnError) -> String {
    guard offset >= 0, offset <= bytes.count - count else { throw cutOff }
    let printable = bytes[offset..<(offset + count)].map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }
    return String(decoding: printable, as: UTF8.self)
  }

  private var cutOff: CairnError {
    damage("is damaged: its directory extends past the end of the file")
  }

  func damage(_ what: String) -> CairnError {
    CairnError(
      .damagedTile, .dataError, what, at: Location(file: path), hint: "download it again")
  }

  func refusal(_ what: String) -> CairnError {
    CairnError(
      .damagedTile, .dataError, "\(what), which is not supported", at: Location(file: path),
      hint: "extract it, or compress the tile alone with zip or gzip")
  }
}
